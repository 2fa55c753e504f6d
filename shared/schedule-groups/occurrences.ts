// What can be said and done about the occurrences of a schedule group by the clock alone (`map.md` §0.5 rule 5 and its table).
import { dateOn, type Instant, later, plusDays, type WorkDate } from '../time.ts'
import { type Expansion, expand, type Occurrence, occurrenceOn } from './expand.ts'
import { type Fault, hasDate, listDates, type Pattern } from './pattern.ts'

/** An occurrence that is stored; `edited` means that it no longer follows its group. If its area allows it, an edited occurrence can be open-ended. */
export type StoredOccurrence = { id: string; occurrence_date: WorkDate; start_at: Instant; end_at: Instant | null; edited: boolean }

/** A group as the rules see it: its pattern, and the dates whose occurrences a person has deleted. */
export type Group = { pattern: Pattern; removed_dates: readonly WorkDate[] }

/** The bands that write on the map, by how far back they can. */
export type Band = 'contribute' | 'coordinate'

/** Where an occurrence is in time. */
export type OccurrenceState = 'past' | 'running' | 'future'

const FARTHEST_BACK = 31

/** Returns the state of an occurrence from the clock only: half-open, so that it is past at its end and running at its start. */
export function stateOf(occurrence: { start_at: Instant; end_at: Instant | null }, now: Instant): OccurrenceState {
  if (occurrence.end_at !== null && occurrence.end_at <= now) return 'past'
  return occurrence.start_at > now ? 'future' : 'running'
}

/** Returns the counts that a group shows, and the start of its next occurrence. */
export function countStates(occurrences: readonly StoredOccurrence[], now: Instant) {
  const counts = { past: 0, running: 0, future: 0, edited: 0 }
  let next_start_at: Instant | null = null
  for (const occurrence of occurrences) {
    counts[stateOf(occurrence, now)]++
    if (occurrence.edited) counts.edited++
    if (occurrence.start_at > now && (next_start_at === null || occurrence.start_at < next_start_at)) next_start_at = occurrence.start_at
  }
  return { counts, next_start_at }
}

/** Returns the first site day on which a band can create an occurrence: today (a start earlier today is allowed), or 31 days ago. */
export const earliestDate = (band: Band, now: Instant, timezone: string): WorkDate =>
  plusDays(dateOn(timezone, now), band === 'coordinate' ? -FARTHEST_BACK : 0)

/** Returns the fault of occurrences on dates that a band can't write. */
function earlyFaults(occurrences: readonly Occurrence[], band: Band, now: Instant, timezone: string): Fault[] {
  const earliest = earliestDate(band, now, timezone)
  const early = occurrences.filter(o => o.occurrence_date < earliest).map(o => o.occurrence_date)
  if (early.length === 0) return []
  const message = `has dates before ${earliest}, the first one that you can plan: ${listDates(early)}. Choose a later start or leave them out.`
  return [{ path: 'pattern', message }]
}

/** Returns the occurrences of a new group, or why a person of this band can't create it. */
export function planSchedule(pattern: Pattern, timezone: string, band: Band, now: Instant): Expansion {
  const expansion = expand(pattern, timezone)
  const faults = earlyFaults(expansion.occurrences, band, now, timezone)
  return faults.length > 0 ? { occurrences: [], warnings: [], faults } : expansion
}

/** How a single entity becomes the occurrence of its site day, and which others are created. */
export type Conversion = Expansion & { kept: { occurrence_date: WorkDate; edited: boolean } | null }

/**
 * Converts a single entity to a group: it becomes the occurrence of its site day as it is, `edited` if the pattern gives that day other times. The
 * entity can be older than what its band can write, because it is already there; the other occurrences can't.
 */
export function convertToSchedule(
  entity: { start_at: Instant; end_at: Instant | null },
  pattern: Pattern,
  timezone: string,
  band: Band,
  now: Instant,
): Conversion {
  const refuse = (faults: Fault[]): Conversion => ({ occurrences: [], warnings: [], faults, kept: null })
  const expansion = expand(pattern, timezone)
  if (expansion.faults.length > 0) return refuse(expansion.faults)
  const occurrence_date = dateOn(timezone, entity.start_at)
  if (!hasDate(pattern, occurrence_date))
    return refuse([{ path: 'pattern', message: `has no occurrence on ${occurrence_date}, the day of this entry. Include that day.` }])
  const same = expansion.occurrences.find(o => o.occurrence_date === occurrence_date)
  const occurrences = expansion.occurrences.filter(o => o !== same)
  const faults = earlyFaults(occurrences, band, now, timezone)
  if (faults.length > 0) return refuse(faults)
  const edited = same?.start_at !== entity.start_at || same.end_at !== entity.end_at
  return { ...expansion, occurrences, kept: { occurrence_date, edited } }
}

/** Returns the occurrences that get new template fields: future ones, and with `include_running` the running one, unless they are edited. */
export const followers = <O extends StoredOccurrence>(occurrences: readonly O[], include_running: boolean, now: Instant): O[] =>
  occurrences.filter(o => {
    const state = stateOf(o, now)
    return !o.edited && (state === 'future' || (include_running && state === 'running'))
  })

/** Returns what an occurrence is again when it stops being edited, or why the group has nothing to say about its date. */
export function revertOccurrence(
  group: Group,
  occurrence_date: WorkDate,
  timezone: string,
): { occurrence: Occurrence; fault: null } | { occurrence: null; fault: Fault } {
  const found = hasDate(group.pattern, occurrence_date) ? occurrenceOn(group.pattern, occurrence_date, timezone).occurrence : null
  if (found !== null) return { occurrence: found, fault: null }
  const message = `can’t be false: the schedule has no occurrence on ${occurrence_date}. Change the schedule first, or leave this occurrence edited.`
  return { occurrence: null, fault: { path: 'edited', message } }
}

/** What goes and what ends when occurrences are deleted. */
export type Deletion = { remove: string[]; end: { id: string; end_at: Instant }[] }

/**
 * Deletes a group: future occurrences are removed and the running one continues to its end. `finish_running` ends it now; `scope: 'all'` removes past
 * ones too, and then also the one that `finish_running` has just made past.
 */
export function deleteGroup(
  occurrences: readonly StoredOccurrence[],
  { scope, finish_running }: { scope: 'future' | 'all'; finish_running: boolean },
  now: Instant,
): Deletion {
  const deletion: Deletion = { remove: [], end: [] }
  for (const { id, ...occurrence } of occurrences) {
    const state = stateOf(occurrence, now)
    if (state === 'future' || (state === 'past' && scope === 'all')) deletion.remove.push(id)
    else if (state === 'running' && finish_running) {
      // One that starts at this instant would have no length.
      if (scope === 'all' || occurrence.start_at === now) deletion.remove.push(id)
      else deletion.end.push({ id, end_at: now })
    }
  }
  return deletion
}

/**
 * Deletes one occurrence: a running one ends now and stays as what happened; any other is removed, and its date is added to those that a person has
 * deleted, which are separate from the pattern so that a new pattern doesn't bring it back. Permissions decide about removing a past one.
 */
export function deleteOccurrence(
  group: Group,
  occurrence: StoredOccurrence,
  now: Instant,
): Deletion & { removed_dates: WorkDate[]; state: OccurrenceState } {
  const { id, occurrence_date, start_at } = occurrence
  const state = stateOf(occurrence, now)
  if (state === 'running' && start_at < now)
    return { remove: [], end: [{ id, end_at: now }], removed_dates: [...group.removed_dates], state }
  return { remove: [id], end: [], removed_dates: withDates(group.removed_dates, [occurrence_date]), state }
}

/** Returns dates with others added, sorted and without duplicates. */
export const withDates = (dates: readonly WorkDate[], added: readonly WorkDate[]): WorkDate[] => [...new Set([...dates, ...added])].sort()

/** Returns whether an occurrence is inside a permit's window; a group's link to a permit reaches only those (`map.md` §0.8 rule 1). */
export const isInWindow = (
  occurrence: { start_at: Instant; end_at: Instant | null },
  window: { start_at: Instant; end_at: Instant },
): boolean => occurrence.end_at !== null && occurrence.start_at >= window.start_at && occurrence.end_at <= window.end_at

/** A finish that is refused, or what it does. */
export type Finish =
  | { fault: Fault }
  | { fault: null; at: Instant; end: { id: string; end_at: Instant }[]; remove: string[]; removed_dates: WorkDate[] }

const DAY_BACK = -24 * 3_600_000

/**
 * Finishes a group early: the occurrence running at `at` ends there and counts as edited; all that start at or after `at` are removed, edited ones too,
 * because the work is done. Their dates count as deleted by a person, so that the same pattern doesn't bring them back. `at` is now if it is left
 * out (or the last end, when that is over), and repeating it changes nothing.
 */
export function finishEarly(
  group: Group,
  occurrences: readonly StoredOccurrence[],
  at: Instant | null,
  now: Instant,
  band: Band,
  timezone: string,
): Finish {
  const nothing = { fault: null, at: at ?? now, end: [], remove: [], removed_dates: [...group.removed_dates] }
  const first = occurrences.map(o => o.start_at).sort()[0]
  if (first === undefined) return nothing
  const refuse = (message: string): Finish => ({ fault: { path: 'at', message } })
  if (at !== null && band === 'contribute' && at < later(now, DAY_BACK))
    return refuse('is more than 24 hours ago. Choose a later time, or ask a coordinator.')
  // The pattern's own end counts as well: a group that finished early can be finished at the same time again.
  const ends = [...occurrences, ...expand(group.pattern, timezone).occurrences].map(o => o.end_at)
  const last = ends.includes(null) ? null : (ends.sort().at(-1) ?? null)
  const when = at ?? (last !== null && last < now ? last : now)
  if (when < first) return refuse('is before the first occurrence starts. Choose a later time, or delete the schedule.')
  if (last !== null && when > last) return refuse('is after the last occurrence ends. Choose an earlier time.')
  const removed = occurrences.filter(o => o.start_at >= when)
  const running = occurrences.filter(o => o.start_at < when && (o.end_at === null || o.end_at > when))
  return {
    ...nothing,
    at: when,
    end: running.map(o => ({ id: o.id, end_at: when })),
    remove: removed.map(o => o.id),
    removed_dates: withDates(
      group.removed_dates,
      removed.map(o => o.occurrence_date),
    ),
  }
}
