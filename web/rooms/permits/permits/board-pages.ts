// Pages of the board in the cache: changed permits are replaced in place, and unchanged ones stay the same objects, so that ten thousand
// cards are neither refetched nor redrawn because of one.
import type { InfiniteData } from '@tanstack/react-query'
import { isRecord, keysOf } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'

type Card = Schemas['PermitCard']

/** A page as the service returned it; `next` is the cursor of the next one. */
export type BoardPage = { rows: Card[]; next: string | null }
/** All loaded pages. */
export type BoardPages = InfiniteData<BoardPage, string>

/** Returns whether data of a query are pages of the board. */
export const isPages = (data: unknown): data is BoardPages => isRecord(data) && Array.isArray(data.pages)

/** How many pages of a long board are stored on the device: the phone opens with these and fetches the rest. */
const KEPT_PAGES = 2

/** The order of the service: permits without a window first, then by latest start, then by id. */
export function before(a: Card, b: Card): boolean {
  if (a.start_at !== b.start_at) {
    if (a.start_at === null || b.start_at === null) return a.start_at === null
    return a.start_at > b.start_at
  }
  return a.id > b.id
}

/**
 * Returns the pages after some permits were refetched: those in `fresh` still belong here, the others are removed. Newer versions that are already here stay.
 */
export function patchedPages(pages: BoardPages, ids: readonly string[], fresh: readonly Card[]): BoardPages {
  const asked = new Set(ids)
  const newer = new Map<string, Card>(fresh.map(card => [card.id, card]))
  for (const { rows } of pages.pages)
    for (const row of rows) {
      const now = newer.get(row.id)
      if (now !== undefined && now.version < row.version) newer.set(row.id, row)
    }
  const rest: BoardPage[] = pages.pages.map(page =>
    page.rows.some(row => asked.has(row.id)) ? { ...page, rows: page.rows.filter(row => !asked.has(row.id)) } : page,
  )
  for (const card of newer.values()) {
    const at = rest.findIndex(({ rows, next }) => {
      const last = rows.at(-1)
      return next === null || (last !== undefined && before(card, last))
    })
    const page = rest[at]
    // It comes after all loaded permits, so its own page will contain it.
    if (page === undefined) continue
    const place = page.rows.findIndex(row => before(card, row))
    const rows = [...page.rows]
    rows.splice(place === -1 ? rows.length : place, 0, card)
    rest[at] = { ...page, rows }
  }
  return { ...pages, pages: rest }
}

/** The area stops of a permit; a board that an older version of the app stored has none. */
const stopIds = ({ stopped }: Partial<Pick<Card, 'stopped'>>): string => (stopped ?? []).map(one => one.stop_id).join()

/** Returns whether two responses are the same for a permit as a board shows it. */
function same(a: Card, b: Card, flags: readonly (keyof Card['permissions'])[]): boolean {
  if (a.version !== b.version || a.updated_at !== b.updated_at || a.soon !== b.soon || a.contractor?.name !== b.contractor?.name)
    return false
  // An alert that stops work changes no permit, but what it shows.
  if (a.stopped_by_alert?.id !== b.stopped_by_alert?.id || stopIds(a) !== stopIds(b)) return false
  return flags.every(name => a.permissions[name] === b.permissions[name])
}

/** Returns new pages in which every unchanged permit is still the same object. */
export function sharedPages(old: BoardPages | undefined, now: BoardPages): BoardPages {
  if (old === undefined || old.pages.every(page => now.pages.includes(page))) return now
  const known = new Map(old.pages.flatMap(({ rows }) => rows.map(row => [row.id, row] as const)))
  const first = known.values().next().value
  if (first === undefined) return now
  const flags = keysOf(first.permissions).filter(name => name.startsWith('can_'))
  let kept = now.pages.length === old.pages.length
  const pages = now.pages.map((page, i) => {
    const rows = page.rows.map(row => {
      const was = known.get(row.id)
      return was !== undefined && same(was, row, flags) ? was : row
    })
    const own = old.pages[i]
    if (own?.next === page.next && own.rows.length === rows.length && own.rows.every((row, at) => row === rows[at])) return own
    kept = false
    return { ...page, rows }
  })
  return kept ? old : { ...now, pages }
}

/** Returns the part of a board that is stored on the device. */
export const keptPages = ({ pages, pageParams }: BoardPages): BoardPages => ({
  pages: pages.slice(0, KEPT_PAGES),
  pageParams: pageParams.slice(0, KEPT_PAGES),
})
