import type { Schemas } from '../../base/api.ts'
import { type Standing, standingOf, waitsForMe } from './standing.ts'

type Card = Schemas['PermitCard']

/** What the address of the board says, by its names. */
export type Filters = Readonly<Record<string, string | undefined>>

/** Order of the board, from what begins to what ends. */
export const ORDER: readonly Standing[] = [
  'draft',
  'corrections_requested',
  'requested',
  'endorsed',
  'approved',
  'awaiting_countersign',
  'issued',
  'window_ended',
  'handed_back',
  'expired',
  'closed',
  'rejected',
  'withdrawn',
]

/** Permits as columns of the board; a column without one is left out. */
export function columnsOf(rows: readonly Card[], now = Date.now()): { standing: Standing; rows: Card[] }[] {
  const groups = Map.groupBy(rows, row => standingOf(row, now))
  return ORDER.flatMap(standing => {
    const own = groups.get(standing)
    return own === undefined ? [] : [{ standing, rows: own }]
  })
}

const textOf = (permit: Card): string =>
  `${permit.permit_number ?? ''} ${permit.title ?? ''} ${permit.contractor?.name ?? ''} ${permit.location ?? ''} ${permit.categories.join(' ')}`.toLowerCase()

const texts = new WeakMap<readonly Card[], string[]>()

/** What is searched of each permit; written down once of a list, for ten thousand are looked through at every stroke. */
function textsOf(rows: readonly Card[]): readonly string[] {
  const known = texts.get(rows) ?? rows.map(textOf)
  texts.set(rows, known)
  return known
}

function hasAll(text: string | undefined, words: readonly string[]): boolean {
  for (const word of words) if (text?.includes(word) !== true) return false
  return true
}

const NONE: readonly Card[] = []

/**
 * What is shown: of what is here, every word that is typed, somewhere, at once; beside it what the service has `found` for the same text, in what no
 * card carries.
 */
export function shownOf(rows: readonly Card[], typed: string, mine: boolean, found: readonly Card[] = NONE): readonly Card[] {
  if (typed === '' && !mine) return rows
  const words = typed.toLowerCase().split(/\s+/)
  const own = textsOf(rows)
  const ids = found.length === 0 ? null : new Set(found.map(row => row.id))
  const here = rows.filter((row, i) => ((ids?.delete(row.id) ?? false) || hasAll(own[i], words)) && (!mine || waitsForMe(row)))
  // Found before its own page is here.
  return ids === null || ids.size === 0 ? here : [...here, ...found.filter(row => ids.has(row.id) && (!mine || waitsForMe(row)))]
}

/** Names that narrow the board; the rest of its address is how it is shown. */
export const NARROWING = [
  'q',
  'type',
  'contractor',
  'receiver',
  'from',
  'to',
  'soon',
  'countersign',
  'handed_back',
  'imported',
  'mine',
] as const

/** How many filters are set. */
export const narrowedBy = (filters: Filters): number => NARROWING.filter(name => filters[name] !== undefined).length
