// Copying what was on the map in one week to another: which days, and what comes along.
import { daysBetween, mondayOf, plusDays, weekdayOf } from '../../../../../shared/time.ts'
import type { Schemas } from '../../../../base/api.ts'

/** What can be copied. */
export const COPIED = ['workers', 'plant', 'active_areas'] as const
/** A kind of thing that can be copied. */
export type CopiedKind = (typeof COPIED)[number]

/** The days that are copied, and the day on which the first lands. */
export type CopyDays = { from_date: string; to_date: string; target_date: string }

const THURSDAY = 4

/** Returns the week to copy: from Thursday on, this week to the next one, because that is what people plan then; before, last week to this one. */
export function weekFor(today: string): CopyDays {
  const monday = mondayOf(today)
  const from_date = weekdayOf(today) >= THURSDAY ? monday : plusDays(monday, -7)
  return { from_date, to_date: plusDays(from_date, 6), target_date: plusDays(from_date, 7) }
}

/** Returns whether these days can be copied: in order, at most 31, and not onto themselves. */
export const daysFit = ({ from_date, to_date, target_date }: CopyDays): boolean =>
  from_date !== '' && target_date > to_date && daysBetween(from_date, to_date) >= 0 && daysBetween(from_date, to_date) < 31

/** The copies of a kind; null if there is nothing on these days. */
export type Copies = Schemas['CopiedFromRange'] | null

/** Returns lines of names with how often each is there, the most frequent first. */
export function namesIn(copies: readonly { copied_from_id: string }[], names: ReadonlyMap<string, string>): { name: string; n: number }[] {
  const counts = new Map<string, number>()
  for (const { copied_from_id } of copies) {
    const name = names.get(copied_from_id) ?? '?'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, n]) => ({ name, n })).sort((a, b) => b.n - a.n || a.name.localeCompare(b.name))
}
