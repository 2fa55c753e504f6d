// Clashes and episodes as the engine has them, and as rows: the engine counts milliseconds, and an open end is Infinity; rows have instants, and an open end is null. Pure.
import type { Clash, ClashSide, Reason } from '../../../../../shared/conflicts/clashes.ts'
import type { EndReason, Episode, Kept } from '../../../../../shared/conflicts/episodes.ts'
import type { Severity } from '../../../../../shared/conflicts/rules.ts'
import type { Position } from '../../../../../shared/geometry/plane.ts'
import { type Instant, instant, ms } from '../../../../../shared/time.ts'
import type { Id } from '../../../../base/ids.ts'

/** Returns a time as rows have it. */
export const instantOrNull = (at: number): Instant | null => (Number.isFinite(at) ? instant(at) : null)
const endOf = (at: Instant | null): number => (at === null ? Number.POSITIVE_INFINITY : ms(at))

/** A side as it is stored: as the engine shows it, and the types of a permit, which those who don’t see the permit are shown. */
export type StoredSide = ClashSide & { types: readonly string[] }

/** Where a clash or an episode is: of the two sides, the first place that is known. */
export type StoredPlace = { building_id: Id | null; level_index: number | null; zone_id: Id | null }

/** A clash as it is stored. */
export type ClashRow = {
  id: Id
  episode_id: Id
  rule_id: Id
  rule_version: number
  origin_id: Id
  severity: Severity
  from_at: Instant
  to_at: Instant | null
  a: StoredSide
  b: StoredSide
  distance_m: number
  level_gap: number
  nearest: [Position, Position]
  reasons: Reason[]
  building_ids: Id[]
  level_indexes: number[]
  zone_ids: Id[]
  detected_at: Instant
}

/** An episode as it is stored, without what is only shown. */
export type EpisodeRow = {
  id: Id
  version: number
  origin_id: Id
  lineage_a: Id
  lineage_b: Id
  contractor_a: Id | null
  contractor_b: Id | null
  status: 'open' | 'ended'
  severity: Severity
  peak_severity: Severity
  least_distance_m: number
  first_at: Instant
  last_at: Instant | null
  clash_count: number
  opened_at: Instant
  ended_at: Instant | null
  end_reason: EndReason | null
  reopened_count: number
  next_at: Instant | null
  look_at: Instant | null
}

// Objects are made with the keys in the order of the engine, because it compares what people see of a clash as text.
const sideOf = ({ id, kind, label, lineage_id, contractor_id, basis }: StoredSide): ClashSide => ({
  ...{ id, kind, label, lineage_id, contractor_id, basis },
})
const reasonOf = ({ severity, distance_m, types, cell, within_m }: Reason): Reason => ({ severity, distance_m, types, cell, within_m })

/** A stored clash without what only lists need. */
export type ComparedRow = Omit<ClashRow, keyof Whereabouts | 'detected_at'>

/** Returns a stored clash as the engine has it. */
export const keptOf = (row: ComparedRow): Kept => ({
  ...{ id: row.id, episode_id: row.episode_id, rule_id: row.rule_id, rule_version: row.rule_version, origin_id: row.origin_id },
  ...{ severity: row.severity, distance_m: row.distance_m, level_gap: row.level_gap, nearest: row.nearest },
  from: ms(row.from_at),
  to: endOf(row.to_at),
  a: sideOf(row.a),
  b: sideOf(row.b),
  reasons: row.reasons.map(reasonOf),
})

/** Returns a stored episode as the engine has it. */
export const episodeOf = (row: EpisodeRow): Episode => ({
  ...{ id: row.id, origin_id: row.origin_id, status: row.status, severity: row.severity, peak_severity: row.peak_severity },
  lineages: [row.lineage_a, row.lineage_b],
  contractors: [row.contractor_a, row.contractor_b],
  ...{ least_distance_m: row.least_distance_m, clash_count: row.clash_count, end_reason: row.end_reason },
  first_at: ms(row.first_at),
  last_at: endOf(row.last_at),
  opened_at: ms(row.opened_at),
  ended_at: row.ended_at === null ? null : ms(row.ended_at),
  reopened_count: row.reopened_count,
})

/** Where the sides of a clash are. */
export type Whereabouts = { building_ids: Id[]; level_indexes: number[]; zone_ids: Id[] }

/** Returns a clash as it is stored. `types` and `where` come from its sides. */
export const clashRow = (
  clash: Kept,
  types: (side: ClashSide) => readonly string[],
  where: (clash: Clash) => Whereabouts,
  now: Instant,
): ClashRow => ({
  ...{ id: clash.id, episode_id: clash.episode_id, rule_id: clash.rule_id, rule_version: clash.rule_version, origin_id: clash.origin_id },
  severity: clash.severity,
  from_at: instant(clash.from),
  to_at: instantOrNull(clash.to),
  a: { ...clash.a, types: types(clash.a) },
  b: { ...clash.b, types: types(clash.b) },
  ...{ distance_m: clash.distance_m, level_gap: clash.level_gap, nearest: [...clash.nearest], reasons: [...clash.reasons] },
  ...where(clash),
  detected_at: now,
})

/** Returns an episode as it is stored. */
export const episodeRow = (episode: Episode, version: number): Omit<EpisodeRow, 'next_at' | 'look_at'> => {
  const { id, origin_id, lineages, contractors, status, severity, peak_severity, least_distance_m, clash_count, end_reason } = episode
  return {
    ...{ id, version, origin_id, status, severity, peak_severity, least_distance_m, clash_count, end_reason },
    ...{ lineage_a: lineages[0], lineage_b: lineages[1], contractor_a: contractors[0], contractor_b: contractors[1] },
    first_at: instant(episode.first_at),
    last_at: instantOrNull(episode.last_at),
    opened_at: instant(episode.opened_at),
    ended_at: episode.ended_at === null ? null : instant(episode.ended_at),
    reopened_count: episode.reopened_count,
  }
}

/** Returns what the list of an episode shows: its clash that is current or next, when that starts, and when the clock has to look again. */
export function headOf(live: readonly Kept[]): { head: Kept | null; next_at: Instant | null; look_at: Instant | null } {
  const [head = null] = live.toSorted((x, y) => x.from - y.from || x.to - y.to || (x.id < y.id ? -1 : 1))
  return {
    head,
    next_at: head === null ? null : instant(head.from),
    look_at: instantOrNull(live.reduce((least, clash) => Math.min(least, clash.to), Number.POSITIVE_INFINITY)),
  }
}
