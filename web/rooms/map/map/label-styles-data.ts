// Requests for a site's label styles, without the other requests of the map: the board imports the door, and would load them all.
import { useQuery } from '@tanstack/react-query'
import { ask, client, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'

const AGAIN_MS = 60_000

/** A site's label styles; also for its settings. */
export const useLabelStyles = (site_id: string) =>
  useQuery({
    queryKey: ['map', 'label-styles', site_id],
    queryFn: () => ask(client.GET('/sites/{site_id}/label-styles', { params: { path: { site_id } } })),
    staleTime: AGAIN_MS,
    meta: { keep: true },
  })

/** Shows a site's label styles as they were saved, on maps and in settings. */
export const labelStylesSaved = (saved: Schemas['LabelStyles']): void =>
  void queries.setQueryData(['map', 'label-styles', saved.site_id], saved)
