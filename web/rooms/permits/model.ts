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
  'handed_back',
  'expired',
  'closed',
  'rejected',
  'withdrawn',
]

/** Permits as columns of the board; a column without one is left out. */
export function columnsOf(rows: readonly Card[]): { standing: Standing; rows: Card[] }[] {
  const groups = Map.groupBy(rows, standingOf)
  return ORDER.flatMap(standing => {
    const own = groups.get(standing)
    return own === undefined ? [] : [{ standing, rows: own }]
  })
}

const texts = new WeakMap<Card, string>()

/** What is searched of a permit; made once of each, for ten thousand are looked through at every stroke. */
function textOf(permit: Card): string {
  const known = texts.get(permit)
  if (known !== undefined) return known
  const text =
    `${permit.permit_number ?? ''} ${permit.title ?? ''} ${permit.contractor?.name ?? ''} ${permit.location ?? ''} ${permit.categories.join(' ')}`.toLowerCase()
  texts.set(permit, text)
  return text
}

/** What is shown of what is here: every word that is typed, somewhere. It narrows at once, until the service has answered. */
export function shownOf(rows: readonly Card[], typed: string, mine: boolean): Card[] {
  if (typed === '' && !mine) return rows as Card[]
  const words = typed.toLowerCase().split(/\s+/)
  return rows.filter(row => (!mine || waitsForMe(row)) && words.every(word => textOf(row).includes(word)))
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
