// Requests for cuts of active areas and of the site frame.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../../base/api.ts'
import { frameMoved } from '../data.ts'
import { tokensMoved } from '../tokens-data.ts'
import type { CutTarget } from './cuts.ts'

/** What the service knows of the cuts of a feature: every step, and what a person should decide. */
export function useCuts({ id }: CutTarget) {
  const params = { path: { feature_id: id } }
  const steps = useQuery({
    queryKey: ['map', 'cut-steps', id],
    queryFn: () => ask(client.GET('/geometry/history/{feature_id}', { params })),
  })
  const pending = useQuery({
    queryKey: ['map', 'cuts-pending', id],
    queryFn: () => ask(client.GET('/geometry/pending-cuts/{feature_id}', { params })),
  })
  return {
    steps: steps.data,
    pending: pending.data,
    error: steps.error ?? pending.error,
    refetch: () => void Promise.all([steps.refetch(), pending.refetch()]),
  }
}

async function changed(site_id: string): Promise<void> {
  frameMoved(site_id)
  await tokensMoved()
}

/** What is cut out: a drawn shape, or something on the map. */
export type Cutting = { polygon: Schemas['CutHoleFreeform']['polygon'] } | { cutter_id: string }

type Asked = { site_id: string; target: CutTarget; allow_split: boolean; future: boolean; buffer_m: number }

/** Cuts a shape out of a feature. */
export async function cutOut(
  cutting: Cutting,
  { site_id, target, allow_split, future, buffer_m }: Asked,
): Promise<Schemas['GeometryCutDone']> {
  const common = { site_id, target_id: target.id, buffer_m, allow_split, ...(future ? { scope: 'future' as const } : {}) }
  const headers = { ...freshKey(), ...ifMatch(target.version) }
  const done = await ask(
    'polygon' in cutting
      ? client.POST('/geometry/cut-hole-freeform', { body: { ...common, ...cutting }, headers })
      : client.POST('/geometry/cut-hole', { body: { ...common, ...cutting }, headers }),
  )
  await changed(site_id)
  return done
}

/** Gives a feature back what a cut took out. */
export async function undoCut(site_id: string, history_id: string): Promise<void> {
  await ask(client.POST('/geometry/undo-cut/{history_id}', { params: { path: { history_id } }, headers: freshKey() }))
  await changed(site_id)
}

/** Applies a cut again. */
export async function reapplyCut(site_id: string, history_id: string): Promise<void> {
  await ask(client.POST('/geometry/reapply-cut/{history_id}', { params: { path: { history_id } }, body: {}, headers: freshKey() }))
  await changed(site_id)
}
