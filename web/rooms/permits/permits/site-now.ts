// The site now, in numbers; each number is that of a list of the board.
import { useQuery } from '@tanstack/react-query'
import { ask, askWhole, client, type Schemas } from '../../../base/api.ts'
import { boardQuery } from './board-query.ts'
import type { Filters } from './model.ts'
import { WITH_IMPORTED } from './tiles.ts'

/** Returns how many records a list has; null if there are more than the service counts. */
function totalOf(headers: Headers): number | null {
  const total = headers.get('x-total-count')
  return total === null ? null : Number(total)
}

/** The numbers of a site, all from one moment. */
export const useSiteNow = (site_id: string, last_visit: string | null) =>
  useQuery({
    queryKey: ['permits', 'now', site_id, last_visit],
    queryFn: () => {
      const query = { site_id, ...(last_visit === null ? {} : { updated_since: last_visit }) }
      return ask(client.GET('/permits/counts', { params: { query } }))
    },
    refetchInterval: 60_000,
    placeholderData: before => before,
    meta: { keep: true },
  })

/** Returns whether the site has imported permits that are not over, which a board doesn't show until they are included. */
export const useHasImported = (site_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['permits', 'imported', site_id],
    queryFn: async () => {
      const query = { ...boardQuery(site_id, { imported: 'only' }), limit: 1 }
      return (await ask(client.GET('/permits', { params: { query } }))).length > 0
    },
    enabled,
  })

/** The first permits of a list, imported ones included, with the number of all of them. */
export const useFirstOf = (site_id: string, filters: Filters, limit: number) =>
  useQuery({
    queryKey: ['permits', 'first-of', site_id, filters],
    queryFn: async (): Promise<{ rows: Schemas['PermitCard'][]; total: number | null }> => {
      const query = { ...boardQuery(site_id, { ...filters, ...WITH_IMPORTED }), limit }
      const { data, headers } = await askWhole(client.GET('/permits', { params: { query } }))
      return { rows: data, total: totalOf(headers) }
    },
    refetchInterval: 60_000,
    meta: { keep: true },
  })
