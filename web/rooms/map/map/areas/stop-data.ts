// Requests of the tool that stops work.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, type Schemas } from '../../../../base/api.ts'
import { queries } from '../../../../base/query.ts'
import type { StopWhere } from './stopping.ts'

/** What a stop of this place would stop; the answer to the last place stays until the next one is there. */
export const useStopPreview = (site_id: string, where: StopWhere | null) =>
  useQuery({
    queryKey: ['stops', 'preview', site_id, where],
    queryFn: () => ask(client.POST('/permits/stops/preview', { body: { site_id, ...where, place: where?.place ?? {} } })),
    enabled: where !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Stops work at a place. */
export async function stopWork(body: Schemas['NewAreaStop']): Promise<Schemas['AreaStop']> {
  const made = await ask(client.POST('/permits/stops', { body, headers: freshKey() }))
  await Promise.all(['stops', 'alerts', 'permits', 'permit', 'wallet'].map(key => queries.invalidateQueries({ queryKey: [key] })))
  return made
}
