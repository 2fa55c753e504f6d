import { useQuery } from '@tanstack/react-query'
import { ask, client } from './api.ts'
import type { Frame, Placed } from './place-name.ts'
import { useHere } from './site.tsx'

/** The current buildings, levels and zones of a site. */
export const useFrame = (site_id: string, enabled = true) =>
  useQuery({
    queryKey: ['frame', site_id],
    queryFn: () => ask(client.GET('/reference-features/features', { params: { query: { site_id, limit: 1000 } } })),
    staleTime: 300_000,
    enabled,
    meta: { keep: true },
  })

/** Returns the features that places of these permits refer to. They are requested only when one of them has a place and the person can see the map. */
export function useFrameOf(permits: readonly Pick<Placed, 'place'>[]): Frame {
  const { site_id, can } = useHere()
  return useFrame(site_id, can('map_view') && permits.some(permit => permit.place !== null)).data
}
