// Requests for text labels.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import type { TextLabel } from './signs.ts'

const AGAIN_MS = 60_000
const labelPath = ({ id }: Pick<TextLabel, 'id'>) => ({ path: { label_id: id } })

const labelsChanged = (site_id: string): Promise<void> => queries.invalidateQueries({ queryKey: ['map', 'words', site_id] })

/** What the caller can do with a text label; undefined until the service has said so. The list at a point in time doesn't say it. */
export const useLabelFlags = (label: TextLabel | undefined) =>
  useQuery({
    queryKey: ['map', 'label-flags', label?.id, label?.version],
    enabled: label !== undefined,
    queryFn: async () => {
      if (label === undefined) return null
      const { site_id, id } = label
      const [found] = await ask(client.GET('/text-labels', { params: { query: { site_id, id: [id] } } }))
      return found?.permissions ?? null
    },
    staleTime: AGAIN_MS,
  }).data ?? undefined

/** Adds a text label. */
export async function addLabel(body: Schemas['NewTextLabel']): Promise<void> {
  await ask(client.POST('/text-labels', { body, headers: freshKey() }))
  await labelsChanged(body.site_id)
}

/** Changes a text label. */
export async function changeLabel(label: TextLabel, body: Schemas['TextLabelChange']): Promise<void> {
  await ask(client.PATCH('/text-labels/{label_id}', { params: labelPath(label), body, headers: ifMatch(label.version) }))
  await labelsChanged(label.site_id)
}

/** Removes a text label that is still ahead, and ends one that is there now. */
export async function removeLabel(label: TextLabel): Promise<void> {
  await ask(client.DELETE('/text-labels/{label_id}', { params: labelPath(label), headers: ifMatch(label.version) }))
  await labelsChanged(label.site_id)
}
