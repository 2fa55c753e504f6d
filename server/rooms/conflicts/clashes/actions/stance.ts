// What people decide about episodes (`conflict-and-planning.md` §4.5).
import { acceptedFacts, WITHDRAWN } from '../../../../../shared/conflicts/stances.ts'
import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import {
  enforce,
  expectVersion,
  type FieldFault,
  forbidden,
  invalid,
  notFound,
  type Refusal,
  refuse,
  versionConflict,
} from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { judgeTasks } from '../../kit/actions/tasks.ts'
import { episodeOf, instantOrNull } from '../../kit/domain/stored.ts'
import { cantDecide, faultsOf } from '../domain/stances.ts'
import { type ClashEpisodeRow, episodeOfSite, nextVersions } from '../queries/episodes.ts'
import { endRows, insertStances, lockInForce, type NewStance, type StanceRow } from '../queries/stances.ts'
import type { OneStance } from '../schema.ts'
import { tellLapsed } from './lapse.ts'
import { ownerFaults } from './owners.ts'
import { scopeOfCaller, seesBoth } from './seeing.ts'
import { powersOf } from './show.ts'

/** Locks an episode that the caller sees. */
async function lockSeen(ctx: Ctx, site_id: Id, id: Id): Promise<ClashEpisodeRow | null> {
  const episode = await episodeOfSite(ctx.db, site_id, id, true)
  return episode !== null && seesBoth(await scopeOfCaller(ctx), episode) ? episode : null
}

function newStance(row: ClashEpisodeRow, given: OneStance): NewStance {
  const episode = episodeOf(row)
  const covers = given.covers_until == null ? episode.last_at : ms(given.covers_until)
  const facts = acceptedFacts(episode, covers)
  return {
    ...{ episode_id: row.id, kind: given.kind, reason: given.reason ?? '', controls: given.controls ?? '' },
    ...{ owner_user_id: given.owner_user_id ?? null, owner_contractor_id: given.owner_contractor_id ?? null, due_at: given.due_at ?? null },
    ...{ accepted_severity: facts.accepted_severity, accepted_distance_m: facts.accepted_distance_m },
    covers_until: instantOrNull(facts.covers_until),
    ...{ contractor_a: facts.contractors[0], contractor_b: facts.contractors[1] },
  }
}

/** Stores decisions, all or nothing; `path` says where each is in the body. They replace those that are active. `if_match`: the version of the only episode. */
export async function setStances(
  ctx: Ctx,
  site_id: Id,
  items: readonly OneStance[],
  path: (at: number) => string,
  if_match?: string,
): Promise<{ stance: StanceRow; episode: ClashEpisodeRow }[]> {
  const powers = powersOf(ctx)
  const faults: FieldFault[] = []
  const ids = items.map(item => item.episode_id)
  for (const [at, id] of ids.entries())
    if (ids.indexOf(id) !== at) faults.push({ path: `${path(at)}episode_id`, message: 'is in the list twice.' })
  if (faults.length > 0) refuse(invalid(faults))
  const locked = new Map<Id, ClashEpisodeRow>()
  for (const id of ids.toSorted()) {
    const row = await lockSeen(ctx, site_id, id)
    if (row === null) faults.push({ path: `${path(ids.indexOf(id))}episode_id`, message: 'isn’t a clash on this site.' })
    else locked.set(id, row)
  }
  if (faults.length > 0) refuse(invalid(faults))
  // Read after the lock: what someone else has decided meanwhile counts.
  const before = await lockInForce(ctx.db, site_id, ids)
  const rows = items.flatMap(item => locked.get(item.episode_id) ?? [])
  for (const [at, item] of items.entries()) {
    const row = rows[at] ?? refuse(notFound())
    const active = before.find(one => one.episode_id === row.id)?.kind ?? null
    expectVersion(if_match, row.version)
    enforce(
      [
        cantDecide(row, item, active, powers),
        item.episode_version !== undefined && item.episode_version !== row.version ? versionConflict(row.version) : null,
      ].map(verdict => (verdict === null ? null : located(verdict, path(at)))),
    )
    const found = [...faultsOf(row, item, ctx.now), ...(await ownerFaults(ctx, site_id, item, row))]
    faults.push(...found.map(fault => ({ ...fault, path: `${path(at)}${fault.path}` })))
  }
  if (faults.length > 0) refuse(invalid(faults))
  await endRows(
    ctx.db,
    site_id,
    before.map(row => row.id),
    'replaced_at',
    ctx.now,
  )
  const stored = await insertStances(
    ctx.db,
    site_id,
    items.map((item, at) => newStance(rows[at] ?? refuse(notFound()), item)),
    ctx.now,
    ctx.actor.id,
  )
  for (const [at, stance] of stored.entries()) {
    const row = rows[at]
    if (row === undefined) continue
    ctx.emit({
      kind: 'clash.stance_set',
      site_id,
      subject: { kind: 'clash_episode', id: row.id, label: row.rule_name },
      payload: {
        ...{ episode_id: row.id, stance_id: stance.id, stance: stance.kind, severity: row.severity },
        ...{ owner_user_id: stance.owner_user_id, owner_contractor_id: stance.owner_contractor_id, due_at: stance.due_at },
      },
      contractor_ids: [row.contractor_a, row.contractor_b].flatMap(id => id ?? []),
    })
  }
  await nextVersions(ctx.db, site_id, ids, ctx.now)
  await judgeTasks(ctx, site_id, ids)
  return stored.flatMap((stance, at) => rows.slice(at, at + 1).map(episode => ({ stance, episode })))
}

/** Says in a refusal of several decisions which of them it is about. */
const located = (refusal: Refusal, path: string): Refusal =>
  path === '' ? refusal : { ...refusal, context: { ...refusal.context, path: path.replace(/\.$/, '') } }

/** Withdraws the active decision. */
export async function withdrawStance(ctx: Ctx, site_id: Id, episode_id: Id, if_match: string | undefined): Promise<void> {
  const episode = (await lockSeen(ctx, site_id, episode_id)) ?? refuse(notFound())
  expectVersion(if_match, episode.version)
  const [stance] = await lockInForce(ctx.db, site_id, [episode.id])
  if (stance === undefined) return refuse(notFound())
  if (!powersOf(ctx).any && stance.set_by !== ctx.actor.id)
    refuse(forbidden('clash_stance_any', 'Only the person who decided this, or a coordinator, can withdraw it.'))
  await endRows(ctx.db, site_id, [stance.id], 'withdrawn_at', ctx.now)
  ctx.note(stance.id, { reason: 'Withdrawn' })
  await nextVersions(ctx.db, site_id, [episode.id], ctx.now)
  tellLapsed(ctx, site_id, { stance, episode: episodeOf(episode), label: episode.rule_name, reason: WITHDRAWN })
  await judgeTasks(ctx, site_id, [episode.id])
}
