// Compares what is stored with what a sweep found (`conflict-and-planning.md` §4.3 point 2 and 5, §4.4): what is over stays as it was found, what is going on is cut
// now when its facts change, and what is ahead is replaced. Pure.
import type { Clash } from './clashes.ts'
import { assignerOf, type EndReason, type Episode, type EpisodeEvent, type Kept, retold } from './episodes.ts'

/** What a fold compares. */
export type FoldInput = {
  /** Stored clashes that aren’t over: all of the sides that were swept, and all others of their episodes. */
  stored: readonly Kept[]
  /** What the sweep found. */
  fresh: readonly Clash[]
  /** The episodes of the stored clashes, and those with the keys of the found ones that are open or ended in the last 72 h. */
  episodes: readonly Episode[]
  now: number
  /** Whether a stored clash was swept again; one that wasn’t stays as it is. */
  isSwept(clash: Kept): boolean
  /** Why a stored clash is no longer found. */
  reasonOf(clash: Kept): EndReason
  /** Makes the ids of new clashes and episodes. */
  newId(): string
}

/** A stored clash that ended. `cut_at`: it had begun, and stays until then; null: it hadn’t begun, and is removed. */
export type Ended = { clash: Kept; reason: EndReason; cut_at: number | null }

/** What to write, and what to say. */
export type Folded = {
  inserted: Kept[]
  /** Stored clashes with their new facts, or cut now because their facts changed while they were going on. */
  changed: Kept[]
  ended: Ended[]
  /** Every episode that is new or different. */
  episodes: Episode[]
  events: EpisodeEvent[]
}

const matchKey = ({ origin_id, a, b }: Clash): string => (a.id < b.id ? `${origin_id} ${a.id} ${b.id}` : `${origin_id} ${b.id} ${a.id}`)

/** What people see of a clash apart from its time: when it changes, the elapsed part keeps what was reported. */
const factsOf = ({ severity, a, b, distance_m, level_gap, nearest, reasons }: Clash): string =>
  JSON.stringify([severity, a, b, distance_m, level_gap, nearest, reasons])

const isSame = (x: Clash, y: Clash): boolean =>
  x.from === y.from && x.to === y.to && x.rule_id === y.rule_id && x.rule_version === y.rule_version && factsOf(x) === factsOf(y)

/** Compares, and returns what changed. */
export function foldClashes(input: FoldInput): Folded {
  const { now } = input
  const folded: Folded = { inserted: [], changed: [], ended: [], episodes: [], events: [] }
  const live: Kept[] = []
  const waiting: Clash[] = []
  const open = Map.groupBy(
    input.stored.filter(clash => clash.to > now && input.isSwept(clash)),
    matchKey,
  )
  live.push(...input.stored.filter(clash => clash.to > now && !input.isSwept(clash)))
  for (const clash of input.fresh.toSorted((x, y) => x.from - y.from)) {
    if (clash.to <= now) continue // what is over stays as it was found
    const candidates = open.get(matchKey(clash)) ?? []
    const at = candidates.findIndex(one => isContinued(one, clash, now))
    const match = candidates[at]
    if (match === undefined) waiting.push(from(clash, now))
    else {
      candidates.splice(at, 1)
      continueClash(match, clash, now, { live, waiting, folded })
    }
  }
  for (const clash of [...open.values()].flat()) {
    const cut_at = clash.from < now ? now : null
    folded.ended.push({ clash, reason: input.reasonOf(clash), cut_at })
  }
  assignAndRetell(input, waiting, live, folded)
  return folded
}

/** A clash that is found while it goes on is reported from now on. */
const from = (clash: Clash, now: number): Clash => (clash.from < now ? { ...clash, from: now } : clash)

/** Returns whether a found clash is a stored one: they share time, and one that is going on still does. */
const isContinued = (stored: Kept, found: Clash, now: number): boolean =>
  stored.from < now ? found.from <= now : found.from < stored.to && stored.from < found.to

type Lists = { live: Kept[]; waiting: Clash[]; folded: Folded }

function continueClash(stored: Kept, found: Clash, now: number, { live, waiting, folded }: Lists): void {
  const begun = stored.from < now
  if (begun && factsOf(stored) !== factsOf(found)) {
    folded.changed.push({ ...stored, to: now })
    waiting.push(from(found, now))
    return
  }
  const next: Kept = {
    ...from(found, now),
    from: begun ? stored.from : Math.max(found.from, now),
    id: stored.id,
    episode_id: stored.episode_id,
  }
  live.push(next)
  if (!isSame(stored, next)) folded.changed.push(next)
}

function assignAndRetell(input: FoldInput, waiting: Clash[], live: Kept[], folded: Folded): void {
  const { now, newId, episodes } = input
  const assigner = assignerOf(episodes, now, newId)
  for (const clash of waiting.sort((x, y) => x.from - y.from))
    folded.inserted.push({ ...clash, id: newId(), episode_id: assigner.assign(clash) })
  live.push(...folded.inserted)
  const byEpisode = <T>(list: readonly T[], of: (one: T) => string) => Map.groupBy(list, of)
  const [lives, inserted, ended] = [
    byEpisode(live, one => one.episode_id),
    byEpisode(folded.inserted, one => one.episode_id),
    byEpisode(folded.ended, one => one.clash.episode_id),
  ]
  const made = new Set(assigner.made)
  for (const episode of [...episodes, ...assigner.made]) {
    const gone = ended.get(episode.id) ?? []
    const tally = {
      inserted: inserted.get(episode.id)?.length ?? 0,
      removed: gone.filter(one => one.cut_at === null).length,
      reasons: gone.map(one => one.reason),
    }
    const { episode: next, events } = retold(episode, lives.get(episode.id) ?? [], tally, now, made.has(episode))
    if (made.has(episode) || JSON.stringify(next) !== JSON.stringify(episode) || next.last_at !== episode.last_at)
      folded.episodes.push(next)
    folded.events.push(...events)
  }
}
