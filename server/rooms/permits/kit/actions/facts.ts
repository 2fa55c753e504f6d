import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { HOUR, type Instant, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { deepFrozen, once, remembered } from '../../../../base/memo.ts'
import { lockOn } from '../../../../kernel/access/domain.ts'
import { actorFor, contractorScope, myScope, personAt } from '../../../../kernel/access/door.ts'
import { siteOf, whileSettled } from '../../../../kernel/site/door.ts'
import { derived, type PermitType } from '../../permit-types/domain/sets.ts'
import { type CallerFacts, type Facts, type Input, isSingleStage, type PermitFacts } from '../domain/facts.ts'
import { nextGate } from '../domain/gates.ts'
import { isUnderWay, type OpenStop } from '../domain/stops.ts'
import { CONTRACTOR_ROLES, ONLOOKERS, seesPermit, type Viewer } from '../domain/visibility.ts'
import { type AroundRow, aroundPermits } from '../queries/around.ts'
import { type SiteFactsRow, siteFactsFor } from '../queries/facts.ts'
import type { CardRow, PermitRow } from '../queries/permits.ts'
import { seenAmong } from '../queries/visible.ts'
import { graphOf } from './graphs.ts'

/** Returns the types, policy and appointments of the caller on a site. In a write the appointments are locked until its end (R1). */
export const siteFacts = (ctx: Ctx, site_id: Id): Promise<SiteFactsRow> =>
  once(ctx, `site ${site_id}`, () =>
    whileSettled(ctx, site_id, `permit facts ${ctx.actor.id}`, async () => {
      const facts = await siteFactsFor(ctx.db, site_id, ctx.actor.id, ctx.trail.sites.has(site_id))
      return deepFrozen(facts)
    }).then(facts => asMember(ctx, facts)),
  )

/** Appointments count only while their membership is active: a superadmin who was appointed as a member and has left signs nothing in the field (R1). */
const asMember = ({ actor }: Ctx, facts: SiteFactsRow): SiteFactsRow =>
  actor.standing?.role != null || (!facts.appointed_all && facts.appointed_codes.length === 0)
    ? facts
    : { ...facts, appointed_all: false, appointed_codes: [] }

/** Returns the contractors that the caller acts for; null among them means the main contractor's own permits. */
async function scopeOfCaller(ctx: Ctx, site_id: Id): Promise<ReadonlySet<Id | null>> {
  const standing = ctx.actor.standing
  if (standing === null || standing.role === null || !CONTRACTOR_ROLES.includes(standing.role)) return new Set()
  return whileSettled(ctx, site_id, `scope ${standing.contractor_id}`, () => scopeOfMember(ctx, site_id, standing.contractor_id))
}

async function scopeOfMember(ctx: Ctx, site_id: Id, contractor_id: Id | null): Promise<ReadonlySet<Id | null>> {
  const { main_contractor_id: main } = await siteOf(ctx, site_id)
  if (contractor_id === null) return new Set<Id | null>([null, ...(await contractorScope(ctx, site_id, main))])
  const scope: Set<Id | null> = await myScope(ctx)
  if (main !== null && scope.has(main)) scope.add(null)
  return scope
}

/**
 * Returns the contractors that the caller can request permits for: those that their membership covers, with the contractors they oversee. Null: any, for a
 * superadmin and for a membership without a contractor (`permits-decisions.md` §1, Who may request).
 */
export const contractorsOfCaller = (ctx: Ctx, site_id: Id): Promise<ReadonlySet<Id> | null> =>
  once(ctx, `contractors ${site_id}`, async () => {
    const own = ctx.actor.standing?.contractor_id ?? null
    if (ctx.actor.is_superadmin || own === null) return null
    return whileSettled(ctx, site_id, `contractors ${own}`, () => contractorScope(ctx, site_id, own))
  })

/** Returns what decides which permits of a site the caller can see. */
export const viewerOn = (ctx: Ctx, site_id: Id): Promise<Viewer> =>
  once(ctx, `viewer ${site_id}`, async () => {
    const facts = await siteFacts(ctx, site_id)
    const { id, is_superadmin, standing } = ctx.actor
    return {
      id,
      is_superadmin: is_superadmin || ctx.actor.kind === 'job',
      in_band: ctx.actor.can('permit_approve_stage1'),
      scope: await scopeOfCaller(ctx, site_id),
      sees_issued: standing?.role != null && ONLOOKERS.includes(standing.role),
      is_nominee: id !== null && (facts.nominee_user_id === id || facts.deputy_nominee_user_id === id),
      appointed_codes: facts.appointed_all ? null : new Set(facts.appointed_codes),
    }
  })

/** Returns whether the caller can see this permit (R10). */
export const seesThis = async (ctx: Ctx, permit: PermitRow): Promise<boolean> => seesPermit(permit, await viewerOn(ctx, permit.site_id))

/** Returns which of these permits the caller can see (R10), in one statement. */
export const seesAmong = async (ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Map<Id, boolean>> =>
  seenAmong(ctx.db, site_id, await viewerOn(ctx, site_id), ids)

/** Returns whether the caller can see every permit of a site that isn’t private (R10). */
export async function seesShared(ctx: Ctx, site_id: Id): Promise<boolean> {
  const { is_superadmin, in_band } = await viewerOn(ctx, site_id)
  return is_superadmin || in_band
}

/** Everything that decides on a permit's steps, with its graph. */
export type Judged = {
  facts: Facts
  graph: Graph
  around: AroundRow
  policy: SiteFactsRow
  /** A live permit that ends up to this instant ends soon. */
  soon_until: Instant
}

const NOTHING_AROUND: Omit<AroundRow, 'id'> = {
  parent: null,
  children: [],
  attachments: [],
  overdue: [],
  last_signature: null,
  named_by: [],
  open_extension: null,
  issuer_uncovered: [],
  receiver_name: null,
}

/** Returns the facts of several permits of a site, in at most two statements. `input` is null for `permissions`. `known`: what surrounds the permits, if it was read together with them.
 */
export async function judge(
  ctx: Ctx,
  site_id: Id,
  permits: readonly CardRow[],
  input: Input | null,
  known?: ReadonlyMap<Id, AroundRow>,
): Promise<Map<Id, Judged>> {
  if (permits.length === 0) return new Map()
  const ids = permits.map(p => p.id)
  // Both statements are sent at the same time. The gate's switch is read with the policy, so this second one reads overdue permits whether it is on
  // or not.
  const [policy, viewer, around, graphs, within] = await Promise.all([
    siteFacts(ctx, site_id),
    viewerOn(ctx, site_id),
    known ?? aroundPermits(ctx.db, site_id, ids, ctx.actor.kind !== 'job'), // the gate is about people, so no sweep asks for it
    Promise.all(permits.map(p => graphOf(ctx, p))),
    contractorsOfCaller(ctx, site_id),
  ])
  const out = new Map<Id, Judged>()
  const soon_until = later(ctx.now, policy.expiring_warning_lead_hours * HOUR)
  const common: Common = { ctx, policy, viewer, within, input, caller: callerFacts(ctx, within), sets: new Map() }
  permits.forEach((row, i) => {
    const beside = around.get(row.id) ?? { id: row.id, ...NOTHING_AROUND }
    const graph = graphs[i]
    if (graph !== undefined) out.set(row.id, { facts: factsOf(common, row, beside, graph), graph, around: beside, policy, soon_until })
  })
  return out
}

const callerFacts = ({ actor }: Ctx, within: ReadonlySet<Id> | null): Common['caller'] => ({
  id: actor.id,
  is_superadmin: actor.is_superadmin,
  is_clock: actor.kind === 'job',
  is_member: actor.standing?.role != null,
  may_request: actor.can('permit_request'),
  contractor_bound: within !== null,
  stage1: actor.can('permit_approve_stage1'),
  stage2: actor.can('permit_approve_stage2'),
})

/**
 * Returns everything about the caller that decides on flags: the policy with their appointments, and a text of all the rest. If both are the same as before, the
 * same permit has the same flags until its own facts or the time change them.
 */
export async function callerOn(ctx: Ctx, site_id: Id): Promise<{ policy: SiteFactsRow; caller: string }> {
  const [policy, viewer, within] = await Promise.all([siteFacts(ctx, site_id), viewerOn(ctx, site_id), contractorsOfCaller(ctx, site_id)])
  const listed = (set: ReadonlySet<Id | null> | null) => set && [...set].sort()
  const { scope, appointed_codes, ...seen } = viewer
  return {
    policy,
    caller: JSON.stringify([callerFacts(ctx, within), lockOn(ctx.actor), seen, listed(scope), listed(appointed_codes), listed(within)]),
  }
}

/** Returns the facts of one of several permits. */
export function judgedOf(all: ReadonlyMap<Id, Judged>, { id }: { id: Id }): Judged {
  const found = all.get(id)
  if (found === undefined) throw new Error('The facts of the permit are missing.')
  return found
}

/** Returns one permit's facts. */
export async function judgeOne(ctx: Ctx, permit: PermitRow, input: Input | null): Promise<Judged> {
  return judgedOf(await judge(ctx, permit.site_id, [permit], input), permit)
}

/** Returns the types of a set, as they are now. */
export const typesOf = (codes: readonly string[], types: readonly PermitType[]): PermitType[] =>
  types.filter(type => codes.includes(type.code))

/** Returns a row as the rules see it. */
export const permitFacts = (row: CardRow): PermitFacts => ({
  ...row,
  has_place: row.building_id !== null || row.zone_id !== null || row.level_index !== null || row.place_geometry !== null,
})

/** What the facts of all permits of one site and caller have in common. */
type Common = {
  ctx: Ctx
  policy: SiteFactsRow
  viewer: Viewer
  within: ReadonlySet<Id> | null
  input: Input | null
  caller: Pick<CallerFacts, 'id' | 'is_superadmin' | 'is_clock' | 'is_member' | 'may_request' | 'contractor_bound' | 'stage1' | 'stage2'>
  /** What follows from each set of types. */
  sets: Map<string, ReturnType<typeof setOf>>
}

/** Returns what follows from a set of types on a site. */
function setOf(codes: readonly string[], policy: SiteFactsRow) {
  const types = typesOf(codes, policy.types)
  return {
    set: derived(types),
    expects_rams: types.filter(type => type.expected_attachments.some(slot => slot.key === 'rams')).map(type => type.code),
    uncovered: policy.appointed_all ? [] : codes.filter(code => !policy.appointed_codes.includes(code)),
    appointed: policy.appointed_all || codes.some(code => policy.appointed_codes.includes(code)),
  }
}

function factsOf(common: Common, row: CardRow, around: AroundRow, graph: Graph): Facts {
  const { ctx, policy, viewer, within, caller, sets, input } = common
  const permit = permitFacts(row)
  const { set, expects_rams, uncovered, appointed } = remembered(sets, row.categories.join('\n'), () => setOf(row.categories, policy))
  const present = new Set(around.attachments.map(a => a.slot))
  return {
    now: ctx.now,
    permit,
    set,
    me: {
      ...caller,
      within_contractor: within === null || row.contractor_id === null || within.has(row.contractor_id),
      for_contractor: viewer.scope.has(row.contractor_id),
      appointed,
      uncovered,
    },
    missing_labels: set.slots.filter(slot => slot.required && !present.has(slot.key)).map(slot => slot.label),
    expects_rams,
    // R7: the gate never blocks a permit without a contractor; imported permits, and this permit itself, never count as overdue.
    overdue_numbers: policy.close_out_gate_enabled && row.contractor_id !== null ? around.overdue : [],
    open_children: around.children.map(child => {
      const visible = seesPermit(child, viewer)
      return {
        id: child.id,
        status: child.status,
        permit_number: child.permit_number,
        requestor_name: visible ? child.requestor_name : null,
        visible,
      }
    }),
    named_by: around.named_by,
    open_extension: around.open_extension?.requested_end_at ?? null,
    issuer_uncovered: around.issuer_uncovered,
    receiver_name: around.receiver_name,
    contractor_left: row.contractor_id === null ? null : (policy.contractors_left[row.contractor_id] ?? null),
    site_lock: lockOn(ctx.actor),
    timezone: policy.timezone,
    red_conflicts: 0, // `act` finds them for the steps that they matter to
    stopped: stoppedBy(policy, row, ctx.now),
    parent: around.parent,
    gate_actor:
      nextGate(graph, { status: row.status, single_stage: isSingleStage(permit, set), issue_signed: row.issue_signed_at !== null })
        ?.transition.actor ?? null,
    input,
  }
}

/** Returns the area stops for which a permit has to be revalidated. */
export const stoppedBy = ({ stopped }: SiteFactsRow, row: CardRow, now: Instant): OpenStop[] =>
  stopped.length === 0 || !isUnderWay(row)
    ? []
    : stopped.filter(stop => stop.permit_id === row.id && stop.stopped_at <= now).map(({ permit_id: _permit, ...stop }) => stop)

/** Returns the caller on another of their sites, because a personal list spans all of them. */
export async function standingAt(ctx: Ctx, site_id: Id): Promise<Ctx> {
  if (ctx.actor.standing?.site_id === site_id || ctx.actor.id === null) return ctx
  const person = await personAt(ctx.db, { id: ctx.actor.id }, site_id)
  if (person === null) return ctx
  return { ...ctx, site: null, actor: actorFor(person, person.standing, ctx.house.settings) }
}
