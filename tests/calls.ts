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

/** Returns a call with another value for a field of its form; unchanged if it has no form. */
export const withPart = (call: Call, field: string, value: unknown): Call =>
  call.parts === undefined
    ? call
    : { ...call, parts: call.parts.map(part => (part.name === field ? { ...part, value: String(value) } : part)) }

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

/** A plain area, as its cases need it. */
export type PlainArea = {
  kind: string
  /** Path of the list. */
  path: `/${string}`
  /** The least permission for writing, and the one for restoring deleted records. */
  edit: string
  manage?: string
  /** Makes a body that creates a record, and one that changes it; each call returns others. */
  body(t: Tour): Record<string, unknown>
  change(t: Tour): Record<string, unknown>
  /** Its records have evidence. */
  evidence?: true
}

/**
 * The cases of a plain area (`kernel/resource`): its endpoints for records, and for their files; `make` creates a record. Steps are added by hand.
 * @public used by the rooms that `npm run new-room` makes
 */
export function plainCases({ kind, path, edit, manage, evidence, ...area }: PlainArea) {
  const all = (t: Tour) => path.replace(':site_id', t.site_id)
  const body = (t: Tour) => ({ ...(path.includes(':site_id') ? {} : { site_id: t.site_id }), ...area.body(t) })
  const param = `${kind}_id`
  const make = async (t: Tour): Promise<Id> => (await ok(coordinator(t).post(all(t), body(t)))).id
  const one = (t: Tour, id: Id) => `${all(t).replace(/\/$/, '')}/${id}`
  const attach = async (t: Tour, id: Id): Promise<Id> =>
    (await ok(coordinator(t).send('POST', `${one(t, id)}/evidence`, [file(PDF, `a${t.fresh()}.pdf`), { name: 'role', value: 'document' }])))
      .id
  const filed = async (t: Tour) => {
    const id = await make(t)
    return { [param]: id, evidence_id: await attach(t, id) }
  }
  const by = coordinator
  const routes: Record<string, Case> = {
    [`${kind}.list`]: seen,
    [`${kind}.create`]: writes(needs(edit), t => ({ by: by(t), body: body(t), other: body(t) })),
    [`${kind}.show`]: seen,
    [`${kind}.change`]: writes(needs(edit), async t => ({ by: by(t), params: { [param]: await make(t) }, body: area.change(t) })),
    [`${kind}.delete`]: writes(needs(edit), async t => ({ by: by(t), params: { [param]: await make(t) } })),
  }
  if (manage !== undefined)
    routes[`${kind}.restore`] = writes(needs(manage, { absent: true }), async t => {
      const id = await make(t)
      await ok(by(t).del(one(t, id)))
      return { by: by(t), params: { [param]: id } }
    })
  if (evidence)
    Object.assign(routes, {
      [`${kind}_evidence.add`]: writes(needs(edit), async t => ({
        by: by(t),
        params: { [param]: await make(t) },
        parts: [file(PDF, 'a.pdf'), { name: 'role', value: 'document' }],
        others: [file(Buffer.concat([PDF, Buffer.from('2')]), 'b.pdf'), { name: 'role', value: 'document' }],
      })),
      [`${kind}_evidence.adopt`]: writes(needs(edit), async t => {
        const from = await make(t)
        const evidence_id = await attach(t, from)
        const adopting = { evidence: { record_kind: kind, record_id: from, evidence_id }, role: 'context' }
        return { by: by(t), params: { [param]: await make(t) }, body: adopting, other: { ...adopting, role: 'during' } }
      }),
      [`${kind}_evidence.change`]: writes(needs(edit), async t => ({
        by: by(t),
        params: await filed(t),
        body: { caption: `Door ${t.fresh()}` },
      })),
      [`${kind}_evidence.remove`]: writes(seen, async t => ({ by: by(t), params: await filed(t) })),
      [`${kind}_evidence.download`]: seen,
    })
  const records = async (t: Tour): Promise<Record<string, string>> => (evidence ? filed(t) : { [param]: await make(t) })
  return { routes, records, make }
}

/** An area on the map, as its cases need it: its own fields, and the permission that everyone who can write has. */
export type PlacedArea = Pick<PlainArea, 'kind' | 'path' | 'edit' | 'body' | 'change'> & {
  param: string
  /** The permission to see its records; default map_view. */
  view?: string
  /** Permits can cover its records. */
  covered?: true
}

/** The cases of an area on the map (`kernel/placed`): the list, the list at a point in time, and the endpoints that write. */
export function placedCases({ kind, param, path, edit, covered, view: read = 'map_view', ...area }: PlacedArea) {
  const start_at = '2026-03-16T06:00:00.000Z'
  const body = (t: Tour) => ({ site_id: t.site_id, start_at, place: spot(t.fresh()), ...area.body(t) })
  const make = async (t: Tour): Promise<Id> => (await ok(coordinator(t).post(path, body(t)))).id
  const view = needs(read)
  const routes: Record<string, Case> = {
    [`${kind}.list`]: view,
    [`${kind}.list_at_time`]: view,
    [`${kind}.create`]: writes(needs(edit, covered ? unseen_permit : {}), t => ({ by: coordinator(t), body: body(t), other: body(t) })),
    [`${kind}.change`]: writes(needs(edit), async t => ({ by: coordinator(t), params: { [param]: await make(t) }, body: area.change(t) })),
    [`${kind}.delete`]: writes(needs(edit), async t => ({ by: coordinator(t), params: { [param]: await make(t) } })),
  }
  return { routes, make, records: async (t: Tour): Promise<Record<string, string>> => ({ [param]: await make(t) }) }
}

/** Of what permits can cover: a permit that the caller can't see is 404 (`map.md` §0.8), as the tests of permit-entities prove. */
const unseen_permit: Case = { no_reference: { permit_id: 'a permit that the caller can’t see is 404' } }

/** The cases of an area whose records can repeat (`rooms/map/kit/schedules`); `verb`: path of the endpoint that creates a schedule. */
export function scheduledCases(area: PlacedArea, verb: string) {
  const { kind, param, path, edit } = area
  const root = path.replace(/\/$/, '')
  const pattern = { start_date: '2026-03-16', end_date: '2026-03-20', start_time: '07:30', end_time: '17:30' }
  const template = (t: Tour) => {
    const { end_at: _end, ...fields } = { end_at: null, ...area.body(t) }
    return { place: spot(t.fresh()), ...fields }
  }
  const body = (t: Tour) => ({ site_id: t.site_id, template: template(t), pattern })
  const make = async (t: Tour): Promise<Id> => (await ok(coordinator(t).post(`${root}/${verb}`, body(t)))).group.id
  const group = async (t: Tour) => ({ group_id: await make(t) })
  const single = async (t: Tour) =>
    (
      await ok(
        coordinator(t).post(path, { site_id: t.site_id, place: spot(t.fresh()), start_at: '2026-03-16T08:00:00.000Z', ...area.body(t) }),
      )
    ).id
  const by = coordinator
  const routes: Record<string, Case> = {
    [`${kind}_schedule.create`]: writes(needs(edit, area.covered ? unseen_permit : {}), t => ({
      by: by(t),
      body: body(t),
      other: body(t),
    })),
    [`${kind}.convert`]: writes(needs(edit), async t => ({
      by: by(t),
      params: { [param]: await single(t) },
      body: { pattern: { ...pattern, end_time: '18:00' } },
      other: { pattern: { ...pattern, end_time: '19:00' } },
    })),
    [`${kind}.copy`]: writes(needs(edit), async t => {
      const id = await single(t)
      const range = { site_id: t.site_id, from_date: '2026-03-16', to_date: '2026-03-16', ids: [id] }
      return { by: by(t), body: { ...range, target_date: '2026-03-18' }, other: { ...range, target_date: '2026-03-19' } }
    }),
    [`${kind}_schedule.show`]: needs('map_view'),
    [`${kind}_schedule.list_future`]: needs('map_view'),
    [`${kind}_schedule.change`]: writes(needs(edit), async t => ({ by: by(t), params: await group(t), body: area.change(t) })),
    [`${kind}_schedule.delete`]: writes(needs(edit), async t => ({ by: by(t), params: await group(t) })),
    [`${kind}_schedule.finish_early`]: writes(needs(edit), async t => ({
      by: by(t),
      params: await group(t),
      body: { at: '2026-03-17T12:00:00.000Z' },
      other: { at: '2026-03-18T12:00:00.000Z' },
    })),
    [`${kind}_schedule.reconcile`]: writes(needs(edit), async t => ({
      by: by(t),
      params: await group(t),
      body: { pattern: { ...pattern, end_time: '18:00' } },
      other: { pattern: { ...pattern, end_time: '19:00' } },
    })),
  }
  return { routes, records: async (t: Tour): Promise<Record<string, string>> => ({ [`${root.slice(1)}/group_id`]: await make(t) }) }
}

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
/** Returns a file as a part of an upload. */
export const file = (value: Buffer, filename: string): Part => ({ name: 'file', value, filename })

/** Returns a position for each number: close together, so that even the thousandth is within 2 km of the site. */
const corner = (n: number): [number, number] => [-0.09 + (n % 60) * 0.0003, 51.5 + Math.floor(n / 60) * 0.0003]

/** Returns a square area, in a different place for each number. */
export const square = (n: number) => {
  const [x, y] = corner(n)
  const at = (dx: number, dy: number) => [x + dx * 0.0002, y + dy * 0.0002]
  return { type: 'Polygon', coordinates: [[at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]] }
}

/** Returns a place in a different spot for each number, between the squares: hundreds in one spot would all clash with each other. */
export const spot = (n: number) => {
  const [x, y] = corner(n)
  return { point: { lon: x + 0.00025, lat: y + 0.00025 } }
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
