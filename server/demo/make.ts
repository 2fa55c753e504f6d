// Carries out the plan by calling the API as the people in the plan, each call at its planned time. A clock of its own moves from step to
// step. Every row is written through a request, and none directly.
import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import { HOUR, type Instant, later, MINUTE } from '../../shared/time.ts'
import { openEdge } from '../app.ts'
import { jobActor } from '../base/actor.ts'
import { manualClock } from '../base/clock.ts'
import { type House, writing } from '../base/ctx.ts'
import type { Id } from '../base/ids.ts'
import { makeLog } from '../base/log.ts'
import { claimsOfAccount, makeAccount } from '../kernel/accounts/door.ts'
import { relayEvents } from '../kernel/events/door.ts'
import { changeUser, mintToken } from '../kernel/identity/door.ts'
import { closeQueue } from '../kernel/jobs/door.ts'
import { DEMO_CODE } from '../kernel/site/domain.ts'
import { writingOn } from '../kernel/site/door.ts'
import { CATALOGUE } from '../rooms/permits/permit-types/domain/catalogue.ts'
import { checksOf, derived, type PermitType } from '../rooms/permits/permit-types/domain/sets.ts'
import { admit } from '../rooms/site/memberships/door.ts'
import { adaptRules, reviseRules } from './clash-rules.ts'
import { drawGround, ring, SITE_BOUNDARY } from './draw.ts'
import { box } from './ground.ts'
import { type Draft, type Plan, planDemo, type Step } from './plan.ts'
import { addPlans, ended } from './plans.ts'
import { importRegister } from './register.ts'
import { type Row, rowIn } from './reply.ts'
import { settleClashes } from './settle.ts'
import { CONTRACTORS, CREWS, emailOf, NIGHT, OVERSIGHT, OWN_TYPES, OWNER, PEOPLE, policy, SITE } from './site.ts'
import { makeGroups } from './smart-groups.ts'
import { detailOf } from './spots.ts'
import { DemoInterrupted } from './state.ts'
import { sweep } from './sweep.ts'
import { placeTokens } from './tokens.ts'

const actor = jobActor('walkdown demo')
const YEARS_SECONDS = 3600 * 24 * 400

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** `type` is the content type of a body that isn't JSON. */
type Call = (by: string, method: Method, path: string, body?: unknown, type?: string) => Promise<Row>

/** What is needed to create the demo site, and the callback that reports progress. */
export type Making = {
  /** Hash of the password that all its people share, from `hashPassword`; null: nobody can sign in with a password. */
  password_hash: string | null
  progress(done: number, of: number): void
  /** True once the process has been asked to stop. */
  stopped(): boolean
}

/** Creates the demo site. Returns the number of its permits. */
export async function makeDemo(house: House, making: Making): Promise<{ site_id: Id; permits: number }> {
  const now = house.clock.now()
  const plan = planDemo(now)
  const open = () => openLane({ ...house, scanner: null }, plan.begins) // all of its files are ours
  const [first, ...lanes] = await Promise.all([open(), ...Array.from({ length: LANES }, open)])
  try {
    const people = await makePeople(first.past, making.password_hash)
    for (const lane of [first, ...lanes]) lane.people = people
    const { past, call } = first
    const site = await makeSite(call)
    const contractors = await makeContractors(call, site.id)
    const user = (key: string): Id => people.get(key)?.user_id ?? ''
    const join = joiner(past, site.id, contractors, user)
    await join(PEOPLE.filter(({ waits }) => !waits))
    const at = await drawGround(call, site.id, contractors, past.clock.now())
    const write = permitWriter({ site_id: site.id, contractors, user, at, types: await configure(call, site.id, user) }, plan.permits)
    await adaptRules(call, site.id)
    const permits = inLanes(lanes, plan, write, (done, of) => {
      if (making.stopped()) throw new DemoInterrupted('The creation of the demo site was interrupted.')
      making.progress(done, of)
    })
    await ended([permits, addPlans(past, call, { site_id: site.id, at })])
    // Now at the present: send the warnings about permits that end soon, and activate the agreed policy.
    past.clock.set(later(now, -MINUTE))
    // A request that had waited since the site was made would lapse at the first start.
    await join(PEOPLE.filter(({ waits }) => waits))
    await reviseRules(call, site.id, await makeGroups(call, site.id, contractors))
    const taken = await importRegister(call, site.id, now)
    await placeTokens(call, { site_id: site.id, contractors, at, now: past.clock.now() })
    await sweep(past)
    await settleClashes(call, site.id, past.clock.now(), at => past.clock.set(at))
    await call('hal', 'PUT', `/permits/config?site_id=${site.id}`, policy(user, true))
    for (const { overseer, subordinate } of OVERSIGHT)
      await call('olive', 'POST', `/contractors/${contractors.get(overseer)}/oversight`, { subordinate_id: contractors.get(subordinate) })
    await call('olive', 'PATCH', `/sites/${site.id}`, { code: DEMO_CODE })
    await read(first, later(now, -READ_HOURS * HOUR))
    return { site_id: site.id, permits: plan.permits.length + taken }
  } finally {
    for (const lane of [first, ...lanes]) await lane.close()
  }
}

/** Notifications that are older than this have been read: people look at them a few times a day. */
const READ_HOURS = 7

/** Marks everybody's notifications up to this time as read, so that only those of the last hours are unread. */
async function read({ past, people, call }: Lane, up_to: Instant): Promise<void> {
  while ((await relayEvents(past)) > 0) {} // what is delivered makes events of its own, such as those of conflicts
  for (const key of people.keys()) await call(key, 'POST', '/notifications/mark-all-read', { up_to })
}

/** How many steps run at the same time. */
const LANES = 4

/** One worker that carries out the plan: a client of the API with a clock of its own. */
type Lane = { past: House; call: Call; people: People; close(): Promise<void> }

async function openLane(house: House, begins: Instant): Promise<Lane> {
  // Its jobs are due from now on, not from the hour of the plan: nobody has been waiting for them for days.
  const enqueue: House['steps']['enqueue'] = (ctx, kind, input, options) => {
    const [due, present] = [options.after ?? ctx.now, house.clock.now()]
    return house.steps.enqueue(ctx, kind, input, { ...options, after: due > present ? due : present })
  }
  // The same service with another clock: same database and storage, but no log, no rate limit, and no emails to invented people. Whichever provider the
  // installation uses, the people of the demo act with tokens of the built-in one. These tokens never leave this process, and with OIDC_ISSUER the
  // service itself does not accept them.
  const settings = { ...house.settings, rate_limit_per_minute: 1_000_000, smtp_url: null, oidc_issuer: null }
  const past: House = { ...house, clock: manualClock(begins), log: makeLog('silent'), settings, steps: { ...house.steps, enqueue } }
  const { app } = await openEdge(past)
  const lane: Lane = {
    past,
    people: new Map(),
    async call(by, method, path, body, type) {
      const authorization = `Bearer ${lane.people.get(by)?.token}`
      const answer = await app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }) },
        ...(body === undefined ? {} : { payload: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      })
      if (answer.statusCode >= 300) throw new Error(`The demo site: ${method} ${path} by ${by} at ${past.clock.now()}: ${answer.payload}`)
      return rowIn(answer.payload)
    },
    async close() {
      await app.close()
      await closeQueue(past)
    },
  }
  return lane
}

/**
 * Carries out the plan in its order, several steps at once. The steps of a permit wait for each other, a child permit for its parent, and a copy for
 * its original. Submissions run in order, because they assign the numbers. A sweep waits for all steps before it, and all later steps wait for the
 * sweep.
 */
async function inLanes(
  lanes: readonly Lane[],
  plan: Plan,
  write: (lane: Lane, step: Step) => Promise<void>,
  report: (done: number, of: number) => void,
): Promise<void> {
  const free = [...lanes]
  const last = new Map<number | 'number', Promise<void>>()
  const under_way = new Set<Promise<void>>()
  try {
    for (const [i, step] of plan.steps.entries()) {
      report(i, plan.steps.length)
      if (step.verb === 'sweep') await Promise.all(under_way)
      while (free.length === 0) await Promise.race(under_way)
      const lane = free.pop()
      if (lane === undefined) throw new Error('There is no free lane.')
      const { parent, made_of } = plan.permits[step.permit] ?? {}
      const keys: (number | 'number' | undefined)[] = [step.permit, parent, made_of, step.verb === 'submit' ? 'number' : undefined]
      const before = keys.flatMap(key => (key === undefined ? [] : (last.get(key) ?? [])))
      const work = Promise.all(before).then(async () => {
        lane.past.clock.set(step.at)
        await write(lane, step)
        free.push(lane)
        under_way.delete(work)
      })
      work.catch(() => {}) // the error is thrown where the work is awaited
      under_way.add(work)
      last.set(step.permit, work)
      if (step.verb === 'submit') last.set('number', work)
      if (step.verb === 'sweep') await work
    }
    await Promise.all(under_way)
  } finally {
    // When one step fails or the run is interrupted, the others still write: nobody can start over until they have ended.
    await Promise.allSettled(under_way)
  }
}

type People = Map<string, { user_id: Id; token: string }>

async function makePeople(past: House, password_hash: string | null): Promise<People> {
  const people: People = new Map()
  for (const { key, name } of [OWNER, ...PEOPLE]) {
    const { account, user_id } = await writing(past, { actor, cause: 'demo.person' }, async ctx => {
      const made = await makeAccount(ctx, { email: emailOf(key), name, password_hash, locale: 'en-GB', confirmed: true })
      if (key === OWNER.key) await changeUser(ctx.db, made.user_id, { is_superadmin: true, superadmin_granted: true })
      return made
    })
    people.set(key, { user_id, token: await mintToken(past, claimsOfAccount(account), { seconds: YEARS_SECONDS }) })
  }
  return people
}

const makeSite = (call: Call): Promise<Row> => call('olive', 'POST', '/sites/', { ...SITE, boundary: SITE_BOUNDARY })

async function makeContractors(call: Call, site_id: Id): Promise<Map<string, Id>> {
  const contractors = new Map<string, Id>()
  for (const { key, ...contractor } of CONTRACTORS)
    contractors.set(key, (await call('olive', 'POST', '/contractors/', { site_id, ...contractor })).id)
  await call('olive', 'PUT', `/sites/${site_id}/main-contractor`, { contractor_id: contractors.get('ferris') })
  return contractors
}

/** Returns a function that makes people members of the site, or lets them ask to be. */
function joiner(past: House, site_id: Id, contractors: Map<string, Id>, user: (key: string) => Id) {
  return async (people: typeof PEOPLE): Promise<void> => {
    for (const { key, name, role, contractor, waits } of people) {
      const terms = {
        role,
        contractor_id: contractor === null ? null : (contractors.get(contractor) ?? null),
        ...{ requested_contractor_name: null, invite_id: null },
      }
      await writingOn(past, { actor, cause: 'demo.join' }, site_id, ctx =>
        admit(ctx, site_id, { ...terms, user_id: user(key), why_pending: waits ? 'approval' : null, label: name }),
      )
    }
  }
}

/** Creates the site's own permit types, sets the policy and appoints the issuers. Returns all types, in the form that the rules need. */
async function configure(call: Call, site_id: Id, user: (key: string) => Id): Promise<PermitType[]> {
  for (const type of OWN_TYPES) await call('hal', 'POST', '/permits/types', { site_id, ...type })
  await call('max', 'POST', '/shifts/', { site_id, ...NIGHT })
  await call('hal', 'PUT', `/permits/config?site_id=${site_id}`, policy(user, false))
  const listed = itemsIn((await call('hal', 'GET', `/permits/types?site_id=${site_id}`)).rows).map(fieldsIn)
  for (const { key, issues } of PEOPLE) {
    if (issues === undefined) continue
    const named = issues === null ? [null] : listed.filter(type => issues.includes(textIn(type.code))).map(type => textIn(type.id))
    for (const permit_type_id of named) await call('hal', 'POST', '/permits/appointments', { site_id, user_id: user(key), permit_type_id })
  }
  const own = OWN_TYPES.map(type => ({
    ...type,
    active: true,
    requires_parent: false,
    requires_powra: false,
    pre_checks: checksOf(type.pre_checks, []),
    expected_attachments: [],
  }))
  return [...CATALOGUE, ...own]
}

type Site = { site_id: Id; contractors: Map<string, Id>; user: (key: string) => Id; at: Map<string, Id>; types: readonly PermitType[] }

/** Returns the function that carries out one step of the plan. */
function permitWriter(site: Site, permits: readonly Draft[]): (lane: Lane, step: Step) => Promise<void> {
  const ids = new Map<number, Id>()
  const extensions = new Map<number, Id>()
  const place = ({ spot }: Draft) => ({
    ...(spot.building === undefined ? {} : { building_id: site.at.get(`building ${spot.building}`) }),
    ...(spot.level === undefined ? {} : { level_index: spot.level }),
    ...(spot.zone === undefined ? {} : { zone_id: site.at.get(`zone ${spot.zone}`) }),
    ...(spot.at === undefined ? {} : { polygon: ring(box(...spot.at)) }),
  })
  const answers = ({ job, answers: how }: Draft) => {
    if (how === 'none') return []
    const checks = derived(site.types.filter(type => job.types.includes(type.code))).pre_checks
    return checks.filter((_, i) => how === 'all' || i % 2 === 0).map(({ code }) => ({ code, answer: 'yes' }))
  }
  const text = (draft: Draft) => ({
    site_id: site.site_id,
    categories: draft.job.types,
    contractor_id: site.contractors.get(draft.job.contractor),
    receiver_id: site.user(CREWS[draft.job.contractor].receiver),
    title: `${draft.job.title}, ${draft.spot.says}`,
    description: draft.job.work,
    controls: draft.job.controls,
    location: detailOf(draft.spot),
    place: place(draft),
    start_at: draft.start_at,
    end_at: draft.end_at,
    hazards: draft.job.hazards,
    ppe: draft.job.ppe,
    pre_checks: answers(draft),
    ...(draft.parent === undefined ? {} : { parent_id: ids.get(draft.parent) }),
  })
  return async ({ call, past }, { verb, by, permit, body }) => {
    const draft = permits[permit]
    if (draft === undefined) throw new Error(`The plan has no permit ${permit}.`)
    const one = `/permits/applications/${ids.get(permit)}`
    if (verb === 'sweep') await sweep(past)
    else if (verb === 'create') ids.set(permit, (await call(by, 'POST', '/permits/applications', text(draft))).id)
    else if (verb === 'reissue')
      ids.set(permit, (await call(by, 'POST', `/permits/applications/${ids.get(draft.made_of ?? permit)}/reissue`, {})).id)
    else if (verb === 'edit') {
      const { receiver_id, start_at, end_at, pre_checks } = text(draft)
      await call(by, 'PATCH', one, { receiver_id, start_at, end_at, pre_checks })
    } else if (verb === 'request-extension') extensions.set(permit, (await call(by, 'POST', `${one}/extensions`, body)).id)
    else if (verb === 'approve-extension') await call(by, 'POST', `/permits/extensions/${extensions.get(permit)}/approve`, body)
    else if (verb === 'reject-extension') await call(by, 'POST', `/permits/extensions/${extensions.get(permit)}/reject`, body)
    else await call(by, 'POST', `${one}/${verb}`, body ?? {})
  }
}
