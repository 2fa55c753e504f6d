// Follows what is committed on a site: its events are the marks of what has changed (`conflict-and-planning.md` §4.3).
import { textOrNull, textsIn } from '../../../../../shared/narrow.ts'
import { later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Consumer, EventRow } from '../../../../kernel/events/door.ts'
import { CONSEQUENCE } from '../../clash-rules/door.ts'
import { rulesInForce } from '../../comparisons/door.ts'
import { FOLLOWER } from '../../kit/actions/caught-up.ts'
import { judgeTasks } from '../../kit/actions/tasks.ts'
import { overrunBetween, permitsAround, permitsBelow, thingsUnder } from '../queries/changed.ts'
import { episodesToAsk } from '../queries/clock.ts'
import { episodesToLookAt, keepState } from '../queries/store.ts'
import { compute, HORIZON, type Scope, takeSite } from './compute.ts'

/** Events that name things on the map or permits, and what they name. */
const THINGS = ['map_entity.created', 'map_entity.changed', 'map_entity.removed']
const DELIVERIES = ['requested', 'booked', 'declined', 'retimed', 'arrived', 'turned_away', 'no_show', 'cancelled', 'left'].map(
  verb => `delivery.${verb}`,
)
const PLANT = ['plant.examination_due', 'plant.examination_expired']
const PERMITS = [
  ...[
    'edited',
    'submitted',
    'endorsed',
    'approved',
    'corrections_requested',
    'rejected',
    'withdrawn',
    'issue_signed',
    'issued',
    'handed_back',
  ],
  ...['extension_approved', 'expired', 'closed', 'linked', 'unlinked', 'reissued', 'deleted'],
].map(verb => `permit.${verb}`)
const SETS = ['permit_set.imported', 'permit_set.deleted', 'permit_set.re_resolved']
/** Events after which everything is compared again. */
const ALL = [
  ...['rule_profile.activated', 'contractor.oversight_changed', 'main_contractor.changed', 'site.changed', 'site.calendar_changed'],
  ...['reference_feature.created', 'reference_feature.changed', 'reference_feature.ended'],
]
const RULES = 'clash_rule.changed'
const GROUPS = ['smart_group.changed', 'smart_group.deleted']
const NAMING = [...THINGS, ...DELIVERIES, ...PLANT, ...PERMITS, ...SETS]

/** Conditions that ask about the permits of a thing. */
const ASKS_PERMITS = /permit_types|permit_statuses|has_live_permit|shares_permit|permit_type_in/

/** The ids that an event names: of permits, and of things on the map. */
function named({ kind, subject_id, payload }: EventRow): { permits: Id[]; things: Id[] } {
  if (THINGS.includes(kind)) return { permits: [], things: textsIn(payload.ids) }
  if (PERMITS.includes(kind)) return { permits: [subject_id], things: textsIn(payload.entity_ids) }
  if (SETS.includes(kind)) return { permits: textsIn(payload.permit_ids), things: [] }
  return { permits: [], things: [subject_id] }
}

/** The permits that got another parent: everything below them is in another family then, too. */
const reparented = (events: readonly EventRow[]): Id[] =>
  events.flatMap(({ kind, subject_id, payload }) =>
    kind === 'permit.edited' && textsIn(payload.fields).includes('parent_id') ? [subject_id] : [],
  )

/** Returns what must be computed after these events; null if nothing. */
async function scopeOf(ctx: Ctx, site_id: Id, events: readonly EventRow[]): Promise<Scope | null> {
  if (events.some(event => ALL.includes(event.kind))) return 'all'
  const { profile_id, rows, rules } = await rulesInForce(ctx, site_id)
  // A profile that got another name finds the same clashes.
  const finds = ({ kind, subject_kind, payload }: EventRow): boolean =>
    kind === RULES &&
    subject_kind === 'clash_rule' &&
    textOrNull(payload.profile_id) === profile_id &&
    textsIn(payload.fields).some(field => field !== CONSEQUENCE)
  if (events.some(finds)) return 'all'
  const written = JSON.stringify(rows.filter(rule => rule.enabled).map(rule => rule.content.when))
  if (written.includes('group_ids') && events.some(event => GROUPS.includes(event.kind))) return 'all'
  const both = events.filter(event => NAMING.includes(event.kind)).map(named)
  const things = both.flatMap(one => one.things)
  const permits = [
    ...both.flatMap(one => one.permits),
    ...(await permitsAround(ctx.db, site_id, things)),
    ...(await permitsBelow(ctx.db, site_id, reparented(events))),
  ]
  // The condition of a smart group in a rule can ask about permits although the rule itself doesn't.
  const conditions = JSON.stringify(rules.map(rule => rule.when))
  const covered = ASKS_PERMITS.test(conditions) ? await thingsUnder(ctx.db, site_id, permits) : []
  const ids = [...new Set([...things, ...permits, ...covered])]
  return ids.length === 0 ? null : { ids }
}

/** Computes what has changed with these events. */
async function follow(ctx: Ctx, events: readonly EventRow[]): Promise<void> {
  const [first] = events
  if (first === undefined) return
  const { site_id } = first
  const state = await takeSite(ctx, site_id)
  const scope = await scopeOf(ctx, site_id, events)
  if (state === null || scope !== null) await compute(ctx, site_id, state, scope ?? 'all')
}

/** The consumer that computes clashes. */
export const follower: Consumer = {
  name: FOLLOWER,
  says: 'Computes the clashes of what was changed on a site.',
  raises_tasks: true,
  kinds: () => [...NAMING, ...ALL, RULES, ...GROUPS],
  handle: (ctx, event) => follow(ctx, [event]),
  handle_all: follow,
}

/** Episodes that the clock looks at in one transaction. */
const AT_ONCE = 500

/**
 * Does what the clock alone changes on a site: clashes that are over, vehicles that overrun their slot, and people who have to be asked. Returns how much, and whether there is more.
 * People are asked in a transaction of their own: episodes are locked in the order of their ids, and those that it locked before could be later ones (decision 1097).
 */
export async function followClock(ctx: Ctx, site_id: Id): Promise<{ done: number; more: boolean }> {
  const state = await takeSite(ctx, site_id)
  if (state === null) return { done: 0, more: false }
  const overrun = await overrunBetween(ctx.db, site_id, state.followed_to, ctx.now)
  const ids = [...overrun, ...(await permitsAround(ctx.db, site_id, overrun))]
  const over = await episodesToLookAt(ctx.db, site_id, ctx.now, AT_ONCE)
  const now = state.followed_to < ctx.now ? { ...state, followed_to: ctx.now } : state
  if (now !== state) await keepState(ctx.db, site_id, now)
  if (ids.length + over.length > 0) {
    await compute(ctx, site_id, now, { ids }, over)
    return { done: ids.length + over.length, more: true }
  }
  const asked = await episodesToAsk(ctx.db, site_id, ctx.now, AT_ONCE)
  await judgeTasks(ctx, site_id, asked)
  return { done: asked.length, more: asked.length === AT_ONCE }
}

/** Moves the horizon of a site, and computes everything again up to it. */
export async function moveHorizon(ctx: Ctx, site_id: Id): Promise<void> {
  const state = await takeSite(ctx, site_id)
  if (state === null) return
  const next = { ...state, horizon_to: later(ctx.now, HORIZON) }
  await keepState(ctx.db, site_id, next)
  await compute(ctx, site_id, next, 'all')
}
