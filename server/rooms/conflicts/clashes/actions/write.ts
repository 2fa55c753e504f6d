// Stores what a fold found, with what happened to each episode: rows, events, stances that lapse, and tasks, in one transaction (`conflict-and-planning.md` §4.3).
import type { Clash, ClashSide } from '../../../../../shared/conflicts/clashes.ts'
import type { Episode, Kept } from '../../../../../shared/conflicts/episodes.ts'
import type { Folded } from '../../../../../shared/conflicts/fold.ts'
import type { SideIndex } from '../../../../../shared/conflicts/sweep.ts'
import { HOUR, instant, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { judgeTasks } from '../../kit/actions/tasks.ts'
import { clashRow, type EpisodeRow, episodeOf, episodeRow, headOf, type StoredPlace, type Whereabouts } from '../../kit/domain/stored.ts'
import { ruleNames } from '../queries/rules.ts'
import {
  addHappened,
  type EpisodeWrite,
  endClashes,
  type HappenedRow,
  insertClashes,
  type Shown,
  updateClashes,
  writeEpisodes,
} from '../queries/store.ts'
import { lapse } from './lapse.ts'

/** What was compared, and what came of it. */
export type Outcome = { folded: Folded; rows: readonly EpisodeRow[]; kept: readonly Kept[]; index: SideIndex }

const known = <T>(values: readonly (T | null | undefined)[]): T[] => [...new Set(values.flatMap(value => value ?? []))]

/** Returns where the sides of a clash are, as far as it is known. */
function whereabouts({ sides }: SideIndex, { a, b }: Clash): Whereabouts {
  const both = [a, b].flatMap(({ id }) => sides.get(id)?.side ?? [])
  const stretches = both.flatMap(side => side.footprint)
  return {
    building_ids: known([...both.map(side => side.facts.building_id), ...stretches.map(one => one.building_id)]),
    level_indexes: known([...both.map(side => side.facts.level_index), ...stretches.map(one => one.levels?.from)]),
    zone_ids: known([...both.flatMap(side => side.facts.zone_ids), ...stretches.flatMap(one => one.zone_ids)]),
  }
}

const placeOf = ({ building_ids, level_indexes, zone_ids }: Whereabouts): StoredPlace => ({
  building_id: building_ids[0] ?? null,
  level_index: level_indexes[0] ?? null,
  zone_id: zone_ids[0] ?? null,
})

/** The clashes of each episode that aren't over, as they are after the fold. */
function liveAfter({ folded, kept }: Outcome, now: number): Map<Id, Kept[]> {
  const gone = new Set(folded.ended.map(one => one.clash.id))
  const changed = new Map(folded.changed.map(one => [one.id, one]))
  const live = [...kept.filter(clash => !gone.has(clash.id)).map(clash => changed.get(clash.id) ?? clash), ...folded.inserted]
  return Map.groupBy(
    live.filter(clash => clash.to > now),
    clash => clash.episode_id,
  )
}

/** Stores a fold. */
export async function writeFolded(ctx: Ctx, site_id: Id, outcome: Outcome): Promise<void> {
  const { folded, rows, index } = outcome
  const before = new Map(rows.map(row => [row.id, row]))
  const after = new Map<Id, Episode>([
    ...rows.map((row): [Id, Episode] => [row.id, episodeOf(row)]),
    ...folded.episodes.map((one): [Id, Episode] => [one.id, one]),
  ])
  const live = liveAfter(outcome, ms(ctx.now))
  const types = ({ id, kind }: ClashSide) => (kind === 'permit' ? (index.sides.get(id)?.side.facts.permit_types ?? []) : [])
  const rowOf = (clash: Kept) => clashRow(clash, types, one => whereabouts(index, one), ctx.now)
  const differing = new Set(folded.episodes.map(one => one.id))
  const writes = [...after].flatMap(([id, episode]): EpisodeWrite[] => {
    const old = before.get(id)
    const { head, ...clock } = headOf(live.get(id) ?? [])
    // Sides that weren't read keep what is shown of them.
    const isRead = head !== null && [head.a, head.b].every(side => index.sides.has(side.id))
    const shown: Shown =
      head === null || !isRead
        ? null
        : { rule_id: head.rule_id, a: rowOf(head).a, b: rowOf(head).b, place: placeOf(whereabouts(index, head)) }
    const same = old !== undefined && !differing.has(id) && old.next_at === clock.next_at && old.look_at === clock.look_at
    if (same && !folded.changed.some(clash => clash.episode_id === id)) return []
    return [{ ...episodeRow(episode, (old?.version ?? 0) + 1), ...clock, shown }]
  })
  await writeEpisodes(ctx.db, site_id, writes, ctx.now)
  // A clash that was cut because its facts changed keeps the facts that were reported.
  const [cut, changed] = [folded.changed.filter(one => one.to <= ms(ctx.now)), folded.changed.filter(one => one.to > ms(ctx.now))]
  await endClashes(ctx.db, site_id, [
    ...cut.map(one => ({ id: one.id, cut_at: instant(one.to) })),
    ...folded.ended.map(({ clash, cut_at }) => ({ id: clash.id, cut_at: cut_at === null ? null : instant(cut_at) })),
  ])
  await updateClashes(ctx.db, site_id, changed.map(rowOf))
  await insertClashes(ctx.db, site_id, folded.inserted.map(rowOf))
  await tell(ctx, site_id, folded, after, live)
  await lapse(
    ctx,
    site_id,
    writes.filter(row => row.status === 'open').map(row => row.id),
    after,
  )
  await judgeTasks(
    ctx,
    site_id,
    writes.map(row => row.id),
  )
}

/** Publishes what happened to episodes, and keeps it. */
async function tell(
  ctx: Ctx,
  site_id: Id,
  folded: Folded,
  after: ReadonlyMap<Id, Episode>,
  live: ReadonlyMap<Id, readonly Kept[]>,
): Promise<void> {
  if (folded.events.length === 0) return
  const gone = Map.groupBy(folded.ended, one => one.clash.episode_id)
  const lastOf = (id: Id) => headOf(live.get(id) ?? gone.get(id)?.map(one => one.clash) ?? []).head
  const names = await ruleNames(ctx.db, site_id, [...new Set(folded.events.map(one => after.get(one.episode_id)?.origin_id ?? ''))])
  const happened: HappenedRow[] = []
  for (const { kind, episode_id, reason } of folded.events) {
    const episode = after.get(episode_id)
    if (episode === undefined) continue
    happened.push({ episode_id, kind, severity: episode.severity, distance_m: episode.least_distance_m, reason })
    const rule = names.get(episode.origin_id)
    const sides = lastOf(episode_id)
    const [one, two] = sides === null ? [null, null] : [sides.a, sides.b]
    const next = headOf(live.get(episode_id) ?? []).next_at ?? instant(episode.first_at)
    ctx.emit({
      kind: `clash.${kind}`,
      site_id,
      subject: { kind: 'clash_episode', id: episode_id, label: rule?.name ?? 'Clash' },
      payload: {
        episode_id,
        rule_key: rule?.system_key ?? null,
        severity: episode.severity,
        first_at: instant(episode.first_at),
        ...{ a_kind: one?.kind ?? null, b_kind: two?.kind ?? null },
        ...{ a_contractor_id: one?.contractor_id ?? episode.contractors[0], b_contractor_id: two?.contractor_id ?? episode.contractors[1] },
        hours_ahead: Math.max(0, Math.round(((ms(next) - ms(ctx.now)) / HOUR) * 100) / 100),
        end_reason: kind === 'ended' ? reason : null,
      },
      contractor_ids: episode.contractors.flatMap(id => id ?? []),
    })
  }
  await addHappened(ctx.db, site_id, happened, ctx.now)
}
