// The audit log as people read it.
import { plusDays, startOfDay } from '../../../../shared/time.ts'

/** The filters in the URL, as the service takes them. */
export type Filter = { actor_id?: string; entity_type?: string[]; action?: Action[]; q?: string; from?: string; to?: string }

/** What can be done to a record. */
export const ACTIONS = [
  'create',
  'update',
  'delete',
  'restore',
  'transition',
  'sign',
  'link',
  'unlink',
  'import',
  'revert',
  'read',
] as const
export type Action = (typeof ACTIONS)[number]

/** Returns the filter of a URL; a day is a day of the site. */
export function filterOf(place: Readonly<Record<string, string | undefined>>, zone: string): Filter {
  const { who, kind, done, q, day } = place
  const action = ACTIONS.find(one => one === done)
  return {
    ...(who === undefined ? {} : { actor_id: who }),
    ...(kind === undefined ? {} : { entity_type: [kind] }),
    ...(action === undefined ? {} : { action: [action] }),
    ...(q === undefined ? {} : { q }),
    ...(day === undefined ? {} : { from: startOfDay(zone, day), to: startOfDay(zone, plusDays(day, 1)) }),
  }
}

/** Returns a filter as query parameters. */
export function queryText(filter: Filter & { format?: 'csv' }): string {
  const pairs = Object.entries(filter).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map(one => [name, String(one)]))
  return new URLSearchParams(pairs).toString()
}

/** The result of walking the chain: how far it got, where it is broken, and whether a head that was noted before is still there. */
export type Chain = { checked: number; broken: number | null; noted: 'holds' | 'differs' | null; head: string | null }

/** Returns how many entries a log has that was verified down to its first one: the number of its newest. Those that this person can’t see are verified, too. */
export const lengthOf = ({ head }: Pick<Chain, 'head'>): number => Number((head ?? '0').split(';')[0])

/** Adds one more page to the result so far. */
export function chainOf(before: Chain, said: string, head: string | null, rows: number): Chain {
  const words = said.split(', ')
  const broken = words.map(word => /^broken;seq=(\d+)$/.exec(word)?.[1]).find(seq => seq !== undefined)
  return {
    checked: before.checked + rows,
    broken: broken === undefined ? before.broken : Number(broken),
    noted: words.includes('differs') ? 'differs' : words.includes('holds') ? 'holds' : before.noted,
    head: head ?? before.head,
  }
}

const LONG = 400

const UNSEEN = ['hidden', 'erased', 'unreadable'] as const

/** Returns why the caller doesn’t see a value, if the service says so in place of it; otherwise null. */
export const unseenBecause = (value: unknown): (typeof UNSEEN)[number] | null => UNSEEN.find(why => value === `[${why}]`) ?? null

/** Returns a value of a field in readable form; null if there is none. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text
}
