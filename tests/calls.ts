// What a room says in its `cases.ts`: for each of its endpoints, who can call it, and a call that succeeds. Written from the specification and not read from
// the room, so that a wrong role in its manifest is found. The matrices of access, idempotency, audit, fuzzing and foreign sites take them from cases.ts.
import { ROLES, type Role } from '../server/base/actor.ts'
import type { Id } from '../server/base/ids.ts'
import type { PermitWorld } from './permits.ts'
import type { Caller, Part, Reply, TestHouse } from './world.ts'

export const COORDINATE: readonly Role[] = ['coordinator', 'hse', 'site_manager', 'admin']
export const MANAGE: readonly Role[] = ['hse', 'site_manager', 'admin']
export const ADMINISTER: readonly Role[] = ['site_manager', 'admin']
export const CONTRIBUTE: readonly Role[] = ['member', 'contractor_hse', ...COORDINATE]
export const EVERY_ROLE: readonly Role[] = ROLES
/** Only a superadmin. */
export const NOBODY: readonly Role[] = []

/** A site with a record for every path. */
export type Tour = PermitWorld & {
  house: TestHouse
  /** A value for each path parameter: `permit_id` is a live permit with a file and an open extension request. */
  params: Record<string, string>
  /** Returns a number that has not been used before. */
  fresh(): number
}

/** A successful call: its caller, its subject and its body; `other`: another valid body. */
export type Call = {
  by: Caller
  params?: Record<string, string>
  query?: string
  body?: unknown
  other?: unknown
  parts?: Part[]
  others?: Part[]
}

/** Prepares a successful call on a tour. */
export type Making = (t: Tour) => Promise<Call> | Call

/** Who can call an endpoint. If `needs` is null, anyone who is signed in can. */
export type Row = {
  needs?: string | null
  /** Any caller, with or without a token. */
  open?: true
  /** The endpoint belongs to no site. */
  siteless?: true
  /** Roles that see the record; all of them by default. A superadmin sees it unless `unseen_by_root` says otherwise. */
  sees?: readonly Role[]
  unseen_by_root?: true
  /** The record in the path exists for no caller. */
  absent?: true
  query?: string
  /** It calls a service that the test installation doesn't have, so a caller with access gets 503. */
  unavailable?: true
  /** What a body must contain before anything is looked up; valid bodies change nothing, because the version is stale. */
  body?: Record<string, unknown>
}

/** What the matrices know about an endpoint. */
export type Case = Row & {
  /** For an endpoint that writes: a call that succeeds, or the reason why there is none. */
  call?: Making
  no_call?: string
  /** Why its success leaves no entry in the audit log. */
  no_trace?: string
  /** Its good call works for someone who is no member of a site, too. */
  strangers?: true
  /** It would end the site: the fuzzers call it with a version that it doesn't have. */
  ends_site?: true
  /** Ids in its body that refer to no record of a site, by their path, each with the reason. */
  no_reference?: Record<string, string>
  /** Fields that can't be combined with an id in its body, by the path of the id. */
  instead_of?: Record<string, string>
}

/** Everything that a room says. */
export type RoomCases = {
  /** Which roles have each permission of the room; a superadmin has every one. */
  held?: Record<string, readonly Role[]>
  /** Makes the records for the paths of the room. The records of the rooms before it are in `t.params`. */
  records?: (t: Tour) => Promise<Record<string, string>>
  routes: Record<string, Case>
}

/** The cases of a room. */
export const roomCases = (cases: RoomCases): RoomCases => cases

/** Only those with this permission can call it. */
export const needs = (permission: string, more: Case = {}): Case => ({ needs: permission, ...more })
/** Everyone who is signed in can call it. */
export const signedIn: Case = { needs: null }
/** Everyone on the site can call it. */
export const seen = needs('site_view')
/** An endpoint that writes, and a call that succeeds. */
export const writes = (row: Case, call: Making): Case => ({ ...row, call })

/** Returns the response of a call that prepares a test: it must have succeeded. */
export async function ok(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body, text } = await reply
  if (status >= 300) throw new Error(`The way there is barred: ${status} ${text}`)
  return body
}

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
/** Returns a file as a part of an upload. */
export const file = (value: Buffer, filename: string): Part => ({ name: 'file', value, filename })

/** Returns a square area, in a different place for each number. */
export const square = (n: number) => {
  const [x, y] = [-0.09 + (n % 40) * 0.0005, 51.5 + Math.floor(n / 40) * 0.0005]
  const at = (dx: number, dy: number) => [x + dx * 0.0002, y + dy * 0.0002]
  return { type: 'Polygon', coordinates: [[at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]] }
}

export const member = (t: Tour) => t.as('member')
export const coordinator = (t: Tour) => t.as('coordinator')
export const hse = (t: Tour) => t.as('hse')
/** Makes another site. */
export const site = async (t: Tour): Promise<{ id: Id; code: string }> =>
  ok(t.superadmin.post('/sites/', { name: 'Short Street', timezone: 'UTC' }))
export const contractor = (t: Tour) => t.contractor(`Firm number ${t.fresh()}`)
export const mail = (t: Tour) => `guest${t.fresh()}@example.com`
/** Moves the clock by two minutes. */
export const later = (t: Tour) => t.house.clock(new Date(Date.parse(t.house.house.clock.now()) + 120_000).toISOString())
