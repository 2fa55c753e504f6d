// Permits for tests: a site with issuers and a receiver, and permits taken to any state by the people who can take the steps.
import type { Id } from '../server/base/ids.ts'
import type { PermitFacts } from './stock.ts'
import { type Caller, claimsOf, type Reply, type TestHouse, type World, worldOf } from './world.ts'

/** All three items of the close-out checklist. */
export const CHECKLIST = { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true }

/** A site with people who sign. */
export type PermitWorld = World & {
  /** The issuer, appointed for all types. */
  issuer: Caller
  /** The receiver of every permit that is made here. */
  receiver: Caller
  acme: Id
  types: Record<string, { id: Id; version: number }>
  /** Creates a draft by the member of Acme, for a window of this morning. */
  draft(more?: Record<string, unknown>, by?: Caller): Promise<Permit>
  /** Creates a permit in this state, through every step before it. */
  at(state: State, more?: Record<string, unknown>): Promise<Permit>
  step(permit: Pick<Permit, 'id'>, verb: string, by: Caller, body?: unknown): Promise<Reply>
  read(permit: Pick<Permit, 'id'>, by?: Caller): Promise<Permit>
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
export type Permit = { id: Id; permit_number: string; status: string; version: number } & Record<string, any>

export type State =
  | 'draft'
  | 'requested'
  | 'endorsed'
  | 'approved'
  | 'signed'
  | 'issued'
  | 'expired'
  | 'closed'
  | 'rejected'
  | 'withdrawn'
  | 'corrections_requested'

const WINDOW = { start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' }

/** Makes such a site through the API. */
export async function makePermitWorld(house: TestHouse, options: { timezone?: string } = {}): Promise<PermitFacts> {
  const w = await house.world(options)
  const issuer = await w.join('member', null, 'Ivy Issuer')
  const [acme] = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&q=acme`)).body
  const receiver = await w.join('member', acme.id, 'Rex Receiver')
  const hse = w.as('hse')
  await hse.post('/permits/appointments', { site_id: w.site_id, user_id: issuer.user_id })
  const types: PermitFacts['types'] = (await hse.get(`/permits/types?site_id=${w.site_id}`)).body
  return {
    ...w.facts,
    issuer: claimsOf(issuer),
    receiver: claimsOf(receiver),
    acme: acme.id,
    types: types.map(({ code, id, version }) => ({ code, id, version })),
  }
}

/** Sets up such a site. */
export async function permitWorld(house: TestHouse, options: { timezone?: string } = {}): Promise<PermitWorld> {
  const facts = (Object.keys(options).length === 0 ? await house.stocked('permits') : null) ?? (await makePermitWorld(house, options))
  return permitWorldOf(house, facts)
}

/** Returns such a site with callers for its people. */
export async function permitWorldOf(house: TestHouse, facts: PermitFacts): Promise<PermitWorld> {
  const w = await worldOf(house, facts)
  const issuer = await house.again(facts.issuer)
  const receiver = await house.again(facts.receiver)
  const types = Object.fromEntries(facts.types.map(type => [type.code, type]))

  const step: PermitWorld['step'] = (permit, verb, by, body = {}) => by.post(`/permits/applications/${permit.id}/${verb}`, body)
  const must = async (reply: Promise<Reply>): Promise<Permit> => {
    const { status, body, text } = await reply
    if (status >= 300) throw new Error(`${status} ${text}`)
    return body
  }
  const read: PermitWorld['read'] = (permit, by = w.as('admin')) => must(by.get(`/permits/applications/${permit.id}`))
  const draft: PermitWorld['draft'] = (more = {}, by = w.as('member')) =>
    must(
      by.post('/permits/applications', {
        site_id: w.site_id,
        categories: ['HW'],
        title: 'Weld handrails',
        description: 'Weld handrails on stair 3',
        controls: 'Fire blankets, watch',
        receiver_id: receiver.user_id,
        ...WINDOW,
        ...more,
      }),
    )
  const at: PermitWorld['at'] = async (state, more = {}) => {
    const made = await draft(more)
    const go = (verb: string, by: Caller, body?: unknown) => must(step(made, verb, by, body))
    if (state === 'draft') return made
    if (state === 'withdrawn') return go('withdraw', w.as('member'))
    const { single_stage } = await go('submit', w.as('member'))
    if (state === 'requested') return read(made)
    if (state === 'rejected') return go('reject', w.as('hse'), { reason: 'Unsafe' })
    if (state === 'corrections_requested') return go('request-corrections', w.as('hse'), { note: 'Name the fire watch' })
    if (!single_stage) await go('endorse', w.as('coordinator'))
    if (state === 'endorsed') return read(made)
    await go('approve', w.as('hse'))
    if (state === 'approved') return read(made)
    await go('issue', issuer)
    if (state === 'signed') return read(made)
    const live = await go('countersign', receiver)
    if (state === 'issued') return live
    if (state === 'closed') return go('close-out', w.as('coordinator'), { checklist: CHECKLIST })
    throw new Error('A permit expires by the clock: move it and sweep.')
  }
  return { ...w, issuer, receiver, acme: facts.acme, types, draft, at, step, read }
}
