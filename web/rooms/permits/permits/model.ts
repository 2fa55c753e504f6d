import type { Schemas } from '../../../base/api.ts'
import { type Frame, placeName, placeText } from '../../../base/place-name.ts'
import { type Standing, standingOf, waitsForMe } from './standing.ts'

type Card = Schemas['PermitCard']

/** The parameters of the board's URL. */
export type Filters = Readonly<Record<string, string | undefined>>

/** Order of the columns: urgent statuses come first, then what comes next, then what is over. */
export const ORDER: readonly Standing[] = [
  'stopped',
  'window_ended',
  'expired',
  'issued',
  'handed_back',
  'awaiting_countersign',
  'not_started',
  'approved',
  'endorsed',
  'requested',
  'corrections_requested',
  'draft',
  'closed',
  'rejected',
  'withdrawn',
]

/** Returns the next instant of a permit: its end once it is signed, its start before. */
const nextMoment = (card: Card): string => (card.status === 'issued' || card.status === 'expired' ? card.end_at : card.start_at) ?? '9'

/** Sorts permits soonest first, those without a window last. */
export const soonest = (a: Card, b: Card): number => {
  const [x, y] = [nextMoment(a), nextMoment(b)]
  return x < y ? -1 : x > y ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** The ways to group the columns of the board. */
export const GROUPS = ['status', 'contractor', 'place', 'day'] as const
/** The ways to group the columns of the board. */
export type Group = (typeof GROUPS)[number]
/** A column: `standing` when it is a status, otherwise its name. */
export type BoardColumn = { key: string; standing: Standing | null; name: string | null; rows: Card[] }

/** Groups permits into columns of the board, soonest first in each; empty columns are left out. `dayOf` and `placeOf` name the day and the place. */
export function columnsOf(
  rows: readonly Card[],
  now = Date.now(),
  group: Group = 'status',
  dayOf: (card: Card) => string | null = () => null,
  placeOf: (card: Card) => string | null = card => placeName(card, undefined),
): BoardColumn[] {
  if (group === 'status') {
    const groups = Map.groupBy(rows, row => standingOf(row, now))
    return ORDER.flatMap(standing => {
      const own = groups.get(standing)
      return own === undefined ? [] : [{ key: standing, standing, name: null, rows: own.sort(soonest) }]
    })
  }
  const nameOf = (card: Card): string | null =>
    group === 'contractor' ? (card.contractor?.name ?? null) : group === 'place' ? placeOf(card) : dayOf(card)
  const groups = Map.groupBy([...rows].sort(soonest), nameOf)
  const all = [...groups].map(([name, own]) => ({ key: name ?? '', standing: null, name, rows: own }))
  // Days in order, by the first permit of each; names in alphabetical order. The group without a name comes last.
  return all.sort((a, b) => {
    if (a.name === null || b.name === null) return Number(a.name === null) - Number(b.name === null)
    return group === 'day' ? (a.rows[0]?.start_at ?? '').localeCompare(b.rows[0]?.start_at ?? '') : a.name.localeCompare(b.name)
  })
}

const textOf = (permit: Card, frame: Frame): string =>
  `${permit.permit_number ?? ''} ${permit.title ?? ''} ${permit.contractor?.name ?? ''} ${placeText(permit, frame) ?? ''} ${permit.categories.join(' ')}`.toLowerCase()

/** The heading of the group of permits without a contractor, place or day. */
export const NAMELESS = {
  status: 'permit.untitled',
  contractor: 'permit.no_contractor',
  place: 'permit.no_place',
  day: 'board.group.no_day',
} as const

const texts = new WeakMap<readonly Card[], { frame: Frame; own: readonly string[] }>()

/** The searchable text of each permit, cached per list, because ten thousand are searched at every keystroke. */
function textsOf(rows: readonly Card[], frame: Frame): readonly string[] {
  const known = texts.get(rows)
  if (known !== undefined && known.frame === frame) return known.own
  const own = rows.map(row => textOf(row, frame))
  texts.set(rows, { frame, own })
  return own
}

function hasAll(text: string | undefined, words: readonly string[]): boolean {
  for (const word of words) if (text?.includes(word) !== true) return false
  return true
}

const NONE: readonly Card[] = []

/**
 * Returns the permits to show: those loaded that contain every typed word, immediately; together with those that the service has `found` for the same text in
 * fields that cards don't have.
 */
export function shownOf(rows: readonly Card[], typed: string, mine: boolean, frame: Frame, found: readonly Card[] = NONE): readonly Card[] {
  if (typed === '' && !mine) return rows
  const words = typed.toLowerCase().split(/\s+/)
  const own = textsOf(rows, frame)
  const ids = found.length === 0 ? null : new Set(found.map(row => row.id))
  const here = rows.filter((row, i) => ((ids?.delete(row.id) ?? false) || hasAll(own[i], words)) && (!mine || waitsForMe(row)))
  // Found before its own page was loaded.
  return ids === null || ids.size === 0 ? here : [...here, ...found.filter(row => ids.has(row.id) && (!mine || waitsForMe(row)))]
}

/** Parameters that filter the board; the other parameters of its URL are display options. */
const NARROWING = [
  'q',
  'type',
  'contractor',
  'receiver',
  'from',
  'to',
  'soon',
  'countersign',
  'handed_back',
  'stopped',
  'mine',
  'show',
  'since',
  'register',
] as const

/** Parameters of a saved view of the board: its filters, and how it is shown. */
export const VIEWED = [...NARROWING, 'imported', 'over', 'view', 'group'] as const

/** Returns how many filters are set. Imported permits are added by `imported=1`, which leaves nothing out, and shown alone by `imported=only`. */
export const narrowedBy = (filters: Filters): number =>
  NARROWING.filter(name => filters[name] !== undefined).length + Number(filters.imported === 'only')

/** Returns the change that removes all filters. */
export const unfiltered = (filters: Filters): Record<string, string | undefined> => ({
  ...Object.fromEntries(NARROWING.map(name => [name, undefined])),
  ...(filters.imported === 'only' ? { imported: undefined } : {}),
})
