// The site now, in numbers; each number is that of a list of the board, counted by the same filters.
import { useQuery } from '@tanstack/react-query'
import { askWhole, client, type Schemas } from '../../../base/api.ts'
import type { GlyphName } from '../../../base/kit/glyph.tsx'
import { boardQuery } from './board-query.ts'
import type { Filters } from './model.ts'

/** A number of the site: the filters of its list, and how it looks when it isn't zero. */
export type Tile = { name: TileName; filters: Filters; tone: 'safe' | 'warn' | 'stop' | 'act' | ''; glyph: GlyphName }
type TileName = 'live' | 'soon' | 'countersign' | 'review' | 'expired' | 'handed_back' | 'changed'

/** Returns the numbers of a site; the last one only for people who have been here before. */
export const tilesOf = (last_visit: string | null): Tile[] => [
  { name: 'live', filters: { show: 'live' }, tone: 'safe', glyph: 'ok' },
  { name: 'soon', filters: { soon: '1' }, tone: 'warn', glyph: 'clock' },
  { name: 'countersign', filters: { countersign: '1' }, tone: 'act', glyph: 'hand' },
  { name: 'review', filters: { show: 'review' }, tone: '', glyph: 'tasks' },
  { name: 'expired', filters: { show: 'expired' }, tone: 'stop', glyph: 'stop' },
  { name: 'handed_back', filters: { handed_back: '1' }, tone: 'warn', glyph: 'back' },
  ...(last_visit === null ? [] : [{ name: 'changed', filters: { since: last_visit }, tone: '', glyph: 'bell' } as const]),
]

/** Returns how many records a list has; null if there are more than the service counts. */
function totalOf(headers: Headers): number | null {
  const total = headers.get('x-total-count')
  return total === null ? null : Number(total)
}

/** Returns how many permits a list has; null if there are more than the service counts. */
async function countOf(site_id: string, { name, filters }: Tile): Promise<number | null> {
  const now = Date.now()
  // As on the board, a live permit is inside its window, which includes its first instant.
  const window = name === 'live' ? { from: new Date(now).toISOString(), to: new Date(now + 1).toISOString() } : {}
  const query = { ...boardQuery(site_id, filters), ...window, limit: 1 }
  const { headers } = await askWhole(client.GET('/permits', { params: { query } }))
  return totalOf(headers)
}

/** The numbers of a site, all from one moment. */
export const useSiteNow = (site_id: string, last_visit: string | null) =>
  useQuery({
    queryKey: ['permits', 'now', site_id, last_visit],
    queryFn: async () => {
      const tiles = tilesOf(last_visit)
      const counts = await Promise.all(tiles.map(tile => countOf(site_id, tile)))
      return Object.fromEntries(tiles.map((tile, i) => [tile.name, counts[i] ?? null]))
    },
    refetchInterval: 60_000,
    placeholderData: before => before,
    meta: { keep: true },
  })

/** Returns whether the site has any permit that is not over. */
export const useHasPermits = (site_id: string) =>
  useQuery({
    queryKey: ['permits', 'any', site_id],
    queryFn: async () => {
      const { data } = await askWhole(client.GET('/permits', { params: { query: { ...boardQuery(site_id, {}), limit: 1 } } }))
      return data.length > 0
    },
    meta: { keep: true },
  })

/** The first permits of a list, with the number of all of them. */
export const useFirstOf = (site_id: string, filters: Filters, limit: number) =>
  useQuery({
    queryKey: ['permits', 'first-of', site_id, filters],
    queryFn: async (): Promise<{ rows: Schemas['PermitCard'][]; total: number | null }> => {
      const query = { ...boardQuery(site_id, filters), limit }
      const { data, headers } = await askWhole(client.GET('/permits', { params: { query } }))
      return { rows: data, total: totalOf(headers) }
    },
    refetchInterval: 60_000,
    meta: { keep: true },
  })
