// Episodes: the run of clashes of one rule between the same two lineages that people decide on once (`conflict-and-planning.md` §0.1, §4.4). Pure.
import { HOUR, MINUTE } from '../time.ts'
import type { Clash } from './clashes.ts'
import { type Severity, weightOf } from './rules.ts'

/** Clashes with a longer gap are different episodes, and an episode that ended longer ago isn’t reopened. */
const GAP = 72 * HOUR

/** Why clashes or an episode ended (§4.4), the first one first if there are several. */
export const END_REASONS = [
  'closed_out',
  'removed',
  'rule_removed',
  'rule_off',
  'profile_switched',
  'rule_changed',
  'retimed',
  'separated',
  'elapsed',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** A clash as it is stored. */
export type Kept = Clash & { id: string; episode_id: string }

/** An episode as it is stored; instants in milliseconds, an open end is Infinity. */
export type Episode = {
  id: string
  origin_id: string
  /** The two lineages in the order of their ids, and the contractors of their sides. */
  lineages: readonly [string, string]
  contractors: readonly [string | null, string | null]
  status: 'open' | 'ended'
  severity: Severity
  peak_severity: Severity
  least_distance_m: number
  first_at: number
  last_at: number
  clash_count: number
  opened_at: number
  ended_at: number | null
  end_reason: EndReason | null
  reopened_count: number
}

/** What happened to an episode. */
export type EpisodeEvent = { kind: 'opened' | 'worsened' | 'eased' | 'reopened' | 'ended'; episode_id: string; reason: EndReason | null }

type Keyed = Pick<Clash, 'origin_id' | 'a' | 'b'>
type Lineages = readonly [string, string]

const isTurned = ({ a, b }: Keyed): boolean => a.lineage_id > b.lineage_id
const lineagesOf = (clash: Keyed): Lineages =>
  isTurned(clash) ? [clash.b.lineage_id, clash.a.lineage_id] : [clash.a.lineage_id, clash.b.lineage_id]
const contractorsOf = (clash: Keyed): Episode['contractors'] =>
  isTurned(clash) ? [clash.b.contractor_id, clash.a.contractor_id] : [clash.a.contractor_id, clash.b.contractor_id]

/** Returns the key of an episode: the origin of its rule, and its two lineages in the order of their ids. */
export const episodeKey = ({ origin_id, lineages }: { origin_id: string; lineages: Lineages }): string =>
  `${origin_id} ${lineages[0]} ${lineages[1]}`
/** Returns the key of the episodes that a clash can belong to. */
export const keyOfClash = (clash: Keyed): string => episodeKey({ origin_id: clash.origin_id, lineages: lineagesOf(clash) })

/** Finds the episode of each new clash, or makes one. */
export type Assigner = { assign(clash: Clash): string; made: readonly Episode[] }

type Span = { episode: Episode; from: number; to: number }

/**
 * Assigns new clashes, which must come in the order of their starts: to the open episode of their key within 72 h, else to one that ended at most 72 h ago, else to
 * a new one. Episodes never merge: each keeps the decision that was made about it.
 */
export function assignerOf(episodes: readonly Episode[], now: number, newId: () => string): Assigner {
  const spans = new Map<string, Span[]>()
  for (const episode of episodes) {
    const key = episodeKey(episode)
    const isLate = episode.status === 'ended' && now - (episode.ended_at ?? now) > GAP
    if (!isLate) spans.set(key, [...(spans.get(key) ?? []), { episode, from: episode.first_at, to: episode.last_at }])
  }
  const made: Episode[] = []
  return {
    made,
    assign(clash) {
      const key = keyOfClash(clash)
      const known = spans.get(key) ?? []
      const gap = (span: Span) => Math.max(0, clash.from - span.to, span.from - clash.to)
      const [best] = known
        .filter(span => gap(span) <= GAP)
        .toSorted(
          (x, y) =>
            Number(x.episode.status === 'ended') - Number(y.episode.status === 'ended') ||
            gap(x) - gap(y) ||
            x.episode.opened_at - y.episode.opened_at,
        )
      if (best !== undefined) {
        best.from = Math.min(best.from, clash.from)
        best.to = Math.max(best.to, clash.to)
        return best.episode.id
      }
      const episode = opened(clash, newId(), now)
      made.push(episode)
      spans.set(key, [...known, { episode, from: clash.from, to: clash.to }])
      return episode.id
    },
  }
}

const opened = (clash: Clash, id: string, now: number): Episode => ({
  id,
  origin_id: clash.origin_id,
  lineages: lineagesOf(clash),
  contractors: contractorsOf(clash),
  status: 'open',
  severity: clash.severity,
  peak_severity: clash.severity,
  least_distance_m: clash.distance_m,
  first_at: clash.from,
  last_at: clash.to,
  clash_count: 0,
  opened_at: now,
  ended_at: null,
  end_reason: null,
  reopened_count: 0,
})

const worse = (a: Severity, b: Severity): Severity => (weightOf(a) >= weightOf(b) ? a : b)

/** What a fold did to the clashes of one episode. */
export type Tally = { inserted: number; removed: number; reasons: readonly EndReason[] }

/**
 * Returns an episode after a change of its clashes, with what happened to it (§4.4). `live`: all its clashes that aren’t over. `isNew`: it was made in this fold.
 */
export function retold(
  episode: Episode,
  live: readonly Clash[],
  tally: Tally,
  now: number,
  isNew: boolean,
): { episode: Episode; events: EpisodeEvent[] } {
  const event = (kind: EpisodeEvent['kind'], reason: EndReason | null = null): EpisodeEvent => ({ kind, episode_id: episode.id, reason })
  const clash_count = episode.clash_count + tally.inserted - tally.removed
  const begun = !isNew && episode.first_at < now
  const [latest] = live.toSorted((a, b) => b.from - a.from)
  if (latest === undefined) {
    if (episode.status === 'ended') return { episode: { ...episode, clash_count }, events: [] }
    const end_reason = END_REASONS.find(reason => tally.reasons.includes(reason)) ?? 'elapsed'
    // An end that nobody noticed at once is still the end; what was cut ends now. What hadn’t begun keeps its time, so that it can be reopened.
    const last_at = begun ? Math.min(episode.last_at, now) : episode.last_at
    const ended_at = Math.min(now, end_reason === 'elapsed' ? last_at : now)
    return { episode: { ...episode, clash_count, status: 'ended', end_reason, ended_at, last_at }, events: [event('ended', end_reason)] }
  }
  const severity = live.reduce<Severity>((most, clash) => worse(most, clash.severity), 'amber')
  const next: Episode = {
    ...episode,
    contractors: contractorsOf(latest),
    status: 'open',
    severity,
    peak_severity: worse(episode.peak_severity, severity),
    least_distance_m: Math.min(...live.map(clash => clash.distance_m)),
    first_at: Math.min(...live.map(clash => clash.from), begun ? episode.first_at : Infinity),
    last_at: Math.max(...live.map(clash => clash.to)),
    clash_count,
    ended_at: null,
    end_reason: null,
  }
  if (isNew) return { episode: next, events: [event('opened')] }
  const moved = weightOf(severity) - weightOf(episode.severity)
  const events = moved > 0 ? [event('worsened')] : moved < 0 ? [event('eased')] : []
  if (episode.status === 'open') return { episode: next, events }
  return { episode: { ...next, reopened_count: episode.reopened_count + 1 }, events: [event('reopened'), ...events] }
}

/** Returns the minutes that have really passed in clash, counted once where clashes overlap (§4.1, `elapsed_minutes`). */
export function elapsedMinutes(clashes: readonly Pick<Clash, 'from' | 'to'>[], now: number): number {
  let [sum, until] = [0, -Infinity]
  for (const { from, to } of clashes.toSorted((a, b) => a.from - b.from)) {
    const end = Math.min(to, now)
    if (end > until && end > from) {
      sum += end - Math.max(from, until)
      until = end
    }
  }
  return sum / MINUTE
}
