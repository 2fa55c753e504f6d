import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../base/api.ts'

/** The current buildings, levels and zones of a site. */
export const useFrame = (site_id: string) =>
  useQuery({
    queryKey: ['frame', site_id],
    queryFn: () => ask(client.GET('/reference-features/features', { params: { query: { site_id, limit: 1000 } } })),
    staleTime: 300_000,
    meta: { keep: true },
  })
