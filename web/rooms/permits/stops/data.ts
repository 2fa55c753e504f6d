import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'

/** An area stop. */
export type AreaStop = Schemas['AreaStop']

const AGAIN_MS = 60_000

/** The area stops that are active or whose permits still have to be revalidated; with `lifted`, those that are over, too. */
export const useStops = (site_id: string, lifted: boolean) =>
  useQuery({
    queryKey: ['stops', site_id, lifted],
    queryFn: () =>
      ask(client.GET('/permits/stops', { params: { query: { site_id, ...(lifted ? { state: ['active', 'lifted'] } : {}) } } })),
    refetchInterval: AGAIN_MS,
    meta: { keep: true },
  })

/** Lifts an area stop. */
export async function liftStop({ id }: Pick<AreaStop, 'id'>, note: string): Promise<void> {
  await ask(client.POST('/permits/stops/{stop_id}/lift', { params: { path: { stop_id: id } }, body: { note }, headers: freshKey() }))
  await Promise.all(['stops', 'alerts', 'permits', 'permit', 'wallet'].map(key => queries.invalidateQueries({ queryKey: [key] })))
}
