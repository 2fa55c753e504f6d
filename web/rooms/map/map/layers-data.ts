// Layers of surveys: their list, their features around what the map shows, and the calls that change them.
import { useQueries, useQuery } from '@tanstack/react-query'
import { ask, client, fetchFile, ifMatch, type Schemas, sendForm } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import { saveFile } from '../../../base/save.ts'
import type { Box } from './model.ts'

/** A layer of a survey. */
export type SurveyLayer = Schemas['GeodataLayer']
/** Features of a layer, as the map library reads them. */
export type Features = Schemas['GeodataFeatures']

const AT_ONCE = 1000
const AGAIN_MS = 60_000

/** The layers of a site. */
export const useSurveyLayers = (site_id: string) =>
  useQuery({
    queryKey: ['map', 'layers', site_id],
    queryFn: () => ask(client.GET('/geometadata/layers', { params: { query: { site_id, limit: AT_ONCE } } })),
    staleTime: AGAIN_MS,
    meta: { keep: true },
  })

/** What is loaded of layers: their features around a box, at most 1,000 of each. */
export const useSurveyFeatures = (layers: readonly SurveyLayer[], box: Box | null, simplify_m: number) =>
  useQueries({
    queries: layers.map(({ id, content_version }) => ({
      queryKey: ['map', 'layer', id, content_version, box, simplify_m],
      queryFn: () =>
        ask(
          client.GET('/geometadata/layers/{layer_id}/features', {
            params: { path: { layer_id: id }, query: { bbox: (box ?? []).join(','), limit: AT_ONCE, simplify_m } },
          }),
        ),
      enabled: box !== null,
      staleTime: 5 * AGAIN_MS,
    })),
  })

const changed = (site_id: string) => queries.invalidateQueries({ queryKey: ['map', 'layers', site_id] })

/** What is said about an upload. */
export type Said = { name: string; role: string; utility: string; quality_level: string; crs: string; source: string }

/** Uploads a layer. Empty fields are left out. */
export async function uploadLayer(site_id: string, file: File, said: Said, layer_id: string | null): Promise<SurveyLayer> {
  const form = new FormData()
  form.append('site_id', site_id)
  if (layer_id !== null) form.append('layer_id', layer_id)
  const services = said.role === 'utilities'
  for (const [name, value] of Object.entries(said)) {
    if (value === '' || (!services && (name === 'utility' || name === 'quality_level'))) continue
    if (layer_id === null || name !== 'role') form.append(name, value)
  }
  form.append('file', file, file.name)
  const made = await sendForm<SurveyLayer>('/geometadata/layers/upload', form)
  await changed(site_id)
  return made
}

/** Shows or hides a layer for everyone. */
export async function showLayer(layer: SurveyLayer, visible: boolean): Promise<void> {
  const params = { path: { layer_id: layer.id } }
  await ask(client.PATCH('/geometadata/layers/{layer_id}', { params, body: { visible }, headers: ifMatch(layer.version) }))
  await changed(layer.site_id)
}

/** Deletes a layer. */
export async function removeLayer(layer: SurveyLayer): Promise<void> {
  await ask(client.DELETE('/geometadata/layers/{layer_id}', { params: { path: { layer_id: layer.id } }, headers: ifMatch(layer.version) }))
  await changed(layer.site_id)
}

/** Saves the map at an instant (null: now) as GeoJSON on the device. */
export async function exportMap(site_id: string, site: string, at: string | null): Promise<void> {
  const moment = at ?? new Date().toISOString()
  const file = await fetchFile(`/exports/geojson?site_id=${site_id}&at=${encodeURIComponent(moment)}`)
  saveFile(`${site} ${moment.slice(0, 16).replace(':', '')}Z.geojson`, file)
}
