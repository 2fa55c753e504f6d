import { defaultFor } from '../../../../../shared/conflicts/consequences.ts'
import { elapsedMinutes } from '../../../../../shared/conflicts/episodes.ts'
import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { explain } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { remembered } from '../../../../base/memo.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { blockersOf } from '../../../flow/blockers/door.ts'
import { sentencesOf } from '../../clash-rules/door.ts'
import { cantDeclare, stoppableSides } from '../domain/blockers.ts'
import { cantResolve, cantSettle } from '../domain/stances.ts'
import { begunTimes, type ClashEpisodeRow, happenedTo } from '../queries/episodes.ts'
import { clashesOf, type ListedClash } from '../queries/list.ts'
import { type StanceRow, stancesById } from '../queries/stances.ts'
import { declaringOf } from './declare.ts'
import { shownDistance, shownReason, shownSides, titlesAmong, unseenPermits } from './seeing.ts'

/** Returns what the caller can do, as far as the rules of decisions depend on it. */
export const powersOf = ({ actor }: Ctx) => ({
  any: actor.can('clash_stance_any'),
  own: actor.can('clash_stance'),
  red: actor.can('clash_accept_red'),
})

/** The place of a clash with a hidden side: it is stored for both sides together, and could be that of the hidden one. */
const NOWHERE = { building_id: null, level_index: null, zone_id: null }

/** Returns clashes as the caller sees them. */
export async function shownClashes(ctx: Ctx, site_id: Id, rows: readonly ListedClash[]) {
  const unseen = await unseenPermits(ctx, site_id, rows)
  const titles = await titlesAmong(ctx, site_id, rows, unseen)
  const sentenceOf = await sentencesOf(
    ctx,
    site_id,
    rows.filter(row => row.reasons.some(reason => reason.types === null)),
  )
  const now = ctx.now
  return rows.map(({ origin_id: _origin, building_ids, level_indexes, zone_ids, ...row }) => {
    const hidden = [row.a, row.b].some(side => unseen.has(side.id))
    return {
      ...row,
      status: row.from_at > now ? 'upcoming' : row.to_at !== null && row.to_at <= now ? 'past' : 'current',
      ...shownSides(row, unseen, titles),
      distance_m: shownDistance(row.distance_m, hidden),
      // With the level of the other side it would be the level of the hidden one.
      level_gap: hidden ? null : row.level_gap,
      nearest: hidden ? null : row.nearest.map(([lon, lat]) => ({ lon, lat })),
      reasons: row.reasons.map(reason => shownReason(reason, hidden, sentenceOf(row))),
      place: hidden
        ? NOWHERE
        : { building_id: building_ids[0] ?? null, level_index: level_indexes[0] ?? null, zone_id: zone_ids[0] ?? null },
    }
  })
}

/** Returns a decision as it is shown. `hidden`: whether the caller doesn't see a side of its episode. */
const shownStance = (row: StanceRow, hidden: boolean) => ({
  ...{ id: row.id, episode_id: row.episode_id, kind: row.kind, reason: row.reason, controls: row.controls },
  ...{ owner_user_id: row.owner_user_id, owner_contractor_id: row.owner_contractor_id, due_at: row.due_at, covers_until: row.covers_until },
  ...{
    accepted_severity: row.accepted_severity,
    accepted_distance_m: shownDistance(row.accepted_distance_m, hidden),
    set_at: row.set_at,
    set_by: row.set_by,
  },
  ...{ lapsed_at: row.lapsed_at, lapse_reason: row.lapse_reason },
})

/** Returns decisions as the caller sees them, each with the episode that it is about. */
export async function shownStances(ctx: Ctx, site_id: Id, decided: readonly { stance: StanceRow; episode: ClashEpisodeRow }[]) {
  const unseen = await unseenPermits(
    ctx,
    site_id,
    decided.map(one => one.episode),
  )
  return decided.map(({ stance, episode: { a, b } }) => shownStance(stance, unseen.has(a.id) || unseen.has(b.id)))
}

const consequenceOf = (row: ClashEpisodeRow) => ({
  ...{ effect: row.effect, affected: row.affected, instruction: row.instruction },
  task_lead_hours: row.has_consequence ? row.task_lead_hours : defaultFor(row.severity).task_lead_hours,
})

/** Returns episodes as the caller sees them. */
export async function shownEpisodes(ctx: Ctx, site_id: Id, rows: readonly ClashEpisodeRow[], include: readonly string[] = []) {
  const ids = rows.map(row => row.id)
  const begun_ids = rows.filter(row => row.first_at <= ctx.now).map(row => row.id)
  const stance_ids = rows.flatMap(row => row.stance_id ?? [])
  const [unseen, stances, begunOnes, declaring, blockers] = await Promise.all([
    unseenPermits(ctx, site_id, rows),
    stancesById(ctx.db, site_id, stance_ids),
    begunTimes(ctx.db, site_id, begun_ids, ctx.now),
    declaringOf(ctx),
    blockersOf(ctx, site_id, 'clash_episode', ids),
  ])
  const times = Map.groupBy(begunOnes, one => one.episode_id)
  const titles = await titlesAmong(ctx, site_id, rows, unseen)
  const happened = include.includes('events') ? Map.groupBy(await happenedTo(ctx.db, site_id, ids), one => one.episode_id) : null
  const clashes = include.includes('clashes')
    ? Map.groupBy(
        await shownClashes(ctx, site_id, await clashesOf(ctx.db, site_id, { episode_ids: ids, now: ctx.now, scope: null }, null)),
        clash => clash.episode_id,
      )
    : null
  const powers = powersOf(ctx)
  // Flags are the same for all rows whose facts are the same.
  const flags = new Map<string, Record<string, unknown>>()
  return rows.map(row => {
    const hidden = [row.a, row.b].some(side => unseen.has(side.id))
    const stance = row.stance_id === null ? null : (stances.get(row.stance_id) ?? null)
    const begun = (times.get(row.id) ?? []).map(({ from_at, to_at }) => ({
      from: ms(from_at),
      to: to_at === null ? Number.POSITIVE_INFINITY : ms(to_at),
    }))
    const declared = (blockers.get(row.id) ?? []).map(one => one.shown)
    const parties = { a: row.a.contractor_id, b: row.b.contractor_id }
    const overdue = stance?.kind === 'resolving' && stance.due_at !== null && stance.due_at <= ctx.now
    return {
      ...{ id: row.id, version: row.version, rule_id: row.rule_id, rule_name: row.rule_name, status: row.status, severity: row.severity },
      key: hidden ? null : `${row.origin_id} ${row.lineage_a} ${row.lineage_b}`,
      ...{
        peak_severity: row.peak_severity,
        least_distance_m: shownDistance(row.least_distance_m, hidden),
        first_at: row.first_at,
        last_at: row.last_at,
      },
      ...{
        next_at: row.next_at,
        clash_count: row.clash_count,
        elapsed_minutes: elapsedMinutes(begun, ms(ctx.now)),
        opened_at: row.opened_at,
      },
      ...{ ended_at: row.ended_at, end_reason: row.end_reason, reopened_count: row.reopened_count, updated_at: row.updated_at },
      ...shownSides(row, unseen, titles),
      place: hidden ? NOWHERE : row.place,
      stance: stance === null ? null : shownStance(stance, hidden),
      ...{ in_hand: stance?.kind === 'resolving' && !overdue, overdue, consequence: consequenceOf(row) },
      blocker_ids: declared.map(one => one.id),
      blockers: declared,
      stoppable: stoppableSides(parties, begun.length > 0, declaring),
      ...(happened === null
        ? {}
        : {
            events: (happened.get(row.id) ?? []).map(({ episode_id: _episode, ...event }) => ({
              ...event,
              distance_m: shownDistance(event.distance_m, hidden),
            })),
          }),
      ...(clashes === null ? {} : { clashes: clashes.get(row.id) ?? [] }),
      permissions: remembered(flags, [row.status, row.severity, row.stance_kind, parties.a, parties.b, begun.length > 0].join(' '), () =>
        flagsFor(ctx.actor, {
          settle: explain([cantSettle(row, powers)]),
          resolve: explain([cantResolve(row, row.stance_kind, powers)]),
          declare_blocker: explain([cantDeclare(parties, begun.length > 0, declaring)]),
        }),
      ),
    }
  })
}
