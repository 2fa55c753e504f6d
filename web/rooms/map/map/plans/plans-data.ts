// Site maps and floor plans: their lists, where their tiles are, and the calls that change them.
import { useQueries, useQuery } from '@tanstack/react-query'
import { ask, askWhole, client, fetchFile, freshKey, ifMatch, nextOf, type Schemas, sendForm } from '../../../../base/api.ts'
import { queries } from '../../../../base/query.ts'
import { viewedAt } from '../data.ts'
import { AGAIN_MS, isFollowed, untilLooked } from '../followed.ts'
import type { Spot } from '../model.ts'

/** A picture of the whole site. */
export type SiteMap = Schemas['SiteMap']
/** The drawing of a level. */
export type FloorPlan = Schemas['FloorPlan']
/** What a DXF drawing contains. */
export type Drawing = Schemas['InspectedDrawing']

const SOON_MS = 1500
const AT_ONCE = 200

type Worked = Pick<SiteMap | FloorPlan, 'status' | 'content_version' | 'outdated' | 'status_reason'>

/** Returns whether a job still works on a plan. */
export const isBusy = ({ status, content_version, outdated, status_reason }: Worked): boolean =>
  status === 'processing' || status === 'tiling' || (status === 'ready' && (content_version === 0 || (outdated && status_reason === null)))

const soon = ({ state: { data } }: { state: { data?: readonly Worked[] | undefined } }) =>
  data?.some(isBusy) === true ? SOON_MS : untilLooked()

/** The site maps of a site, newest first. */
export const useSiteMaps = (site_id: string, enabled = true) =>
  useQuery({
    queryKey: ['map', 'site-maps', site_id],
    queryFn: () => ask(client.GET('/site-maps/sites/{site_id}/maps', { params: { path: { site_id }, query: { limit: AT_ONCE } } })),
    enabled,
    // No event says that a picture was uploaded or calibrated.
    refetchInterval: query => Math.min(soon(query), AGAIN_MS),
  })

/** A site map with its calibrations. */
export const useSiteMap = (site_map_id: string | null) =>
  useQuery({
    queryKey: ['map', 'site-map', site_map_id],
    queryFn: () => ask(client.GET('/site-maps/{site_map_id}', { params: { path: { site_map_id: site_map_id ?? '' } } })),
    enabled: site_map_id !== null,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isBusy(data) ? SOON_MS : false),
  })

/** The site map in use at an instant (null: now). */
export const useActiveMap = (site_id: string, at: string | null) =>
  useQuery({
    ...viewedAt(at, ['site_map']),
    queryKey: ['map', 'active-map', site_id, at],
    queryFn: () =>
      ask(client.GET('/site-maps/sites/{site_id}/active-at-time', { params: { path: { site_id }, query: at === null ? {} : { at } } })),
  })

const plansMoved = (): Promise<unknown> =>
  Promise.all(['active-map', 'plans-at', 'every-plan'].map(word => queries.invalidateQueries({ queryKey: ['map', word] })))

/** Asks each minute whether plans have changed, where nothing else asks: no event says that another person has hidden, moved or removed one. */
export const useRevision = (site_id: string, live: boolean) =>
  useQuery({
    queryKey: ['map-revision', site_id],
    queryFn: async () => {
      const { layers } = await ask(client.GET('/sites/{site_id}/snapshot-revision', { params: { path: { site_id } } }))
      const before = queries.getQueryData<typeof layers>(['map-revision', site_id])
      if (before !== undefined && (before.plans !== layers.plans || before.site_map !== layers.site_map)) void plansMoved()
      return layers
    },
    enabled: () => live && isFollowed(),
    refetchInterval: AGAIN_MS,
  })

/** When which site map was in use, newest first. */
export const useActivations = (site_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['map', 'activations', site_id],
    queryFn: () => ask(client.GET('/site-maps/sites/{site_id}/activation-history', { params: { path: { site_id } } })),
    enabled,
  })

/** The floor plans that are active at an instant (null: now). */
export const usePlansAt = (site_id: string, at: string | null) =>
  useQuery({
    ...viewedAt(at, ['floor_plan']),
    queryKey: ['map', 'plans-at', site_id, at],
    queryFn: () => ask(client.GET('/floor-plans/at-time', { params: { query: { site_id, ...(at === null ? {} : { at }) } } })),
    ...(at === null ? { refetchInterval: soon } : {}),
  })

async function everyPlan(site_id: string): Promise<FloorPlan[]> {
  const rows: FloorPlan[] = []
  let cursor: string | null = null
  do {
    const query = { site_id, limit: AT_ONCE, ...(cursor === null ? {} : { cursor }) }
    const { data, headers }: { data: FloorPlan[]; headers: Headers } = await askWhole(
      client.GET('/floor-plans/by-site', { params: { query } }),
    )
    rows.push(...data)
    cursor = nextOf(headers)
  } while (cursor !== null)
  return rows
}

/** Every version of every floor plan, by feature, level and start. */
export const useEveryPlan = (site_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['map', 'every-plan', site_id],
    queryFn: () => everyPlan(site_id),
    enabled,
    refetchInterval: soon,
  })

/** A picture with tiles: its id, which content it has, and whether it is a site map. */
export type Tiled = Pick<SiteMap | FloorPlan, 'id' | 'content_version'> & { is_map: boolean }

/** Where the tiles of pictures are. */
export const useTiles = (pictures: readonly Tiled[]) =>
  useQueries({
    queries: pictures.map(({ id, content_version, is_map }) => ({
      queryKey: ['map', 'tiles-of', id, content_version],
      queryFn: () =>
        ask(
          is_map
            ? client.GET('/tiles/raster/{site_map_id}/tilejson.json', { params: { path: { site_map_id: id } } })
            : client.GET('/tiles/floor-plan/{floor_plan_id}/tilejson.json', { params: { path: { floor_plan_id: id } } }),
        ),
      staleTime: Number.POSITIVE_INFINITY,
      meta: { keep: true },
    })),
  })

/** The picture of a plan, small enough for a screen. */
export const usePicture = (path: string | null) =>
  useQuery({
    queryKey: ['map', 'picture', path],
    queryFn: async () => createImageBitmap(await fetchFile(`${path}?variant=preview`)),
    enabled: path !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['map'] })

const formOf = (fields: Record<string, string>, file: File): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.append(name, value)
  form.append('file', file, file.name)
  return form
}

/** Uploads a file. Empty fields are left out. */
export async function uploadMap(fields: Record<string, string>, file: File): Promise<SiteMap> {
  const made = await sendForm<SiteMap>('/site-maps/upload', formOf(fields, file))
  await changed()
  return made
}

/** Uploads a page of a PDF or a picture as a floor plan. Empty fields are left out. */
export async function uploadPlan(fields: Record<string, string>, file: File, is_pdf: boolean): Promise<FloorPlan> {
  const made = await sendForm<FloorPlan>(is_pdf ? '/floor-plans/upload' : '/floor-plans/upload-image', formOf(fields, file))
  await changed()
  return made
}

/** Reads what a DXF drawing contains. */
export const inspectDrawing = (site_id: string, file: File): Promise<Drawing> =>
  sendForm<Drawing>('/floor-plans/import-dxf/inspect', formOf({ site_id }, file))

/** Makes a floor plan of a drawing that was inspected. */
export async function importDrawing(body: Schemas['ImportDrawing']): Promise<FloorPlan> {
  const made = await ask(client.POST('/floor-plans/import-dxf', { body, headers: freshKey() }))
  await changed()
  return made
}

/** When a site map was, is or will be in use. */
export type Activation = Schemas['SiteMapActivation']

/** Makes a site map the one in use, now or from a time on; null: none. `seen`: when which one was in use, as the person sees it; refused if someone has changed it since. */
export async function activateMap(
  site_id: string,
  site_map_id: string | null,
  { accept_poor, from, seen }: { accept_poor: boolean; from: string | null; seen: readonly Activation[] },
): Promise<void> {
  const [newest] = seen
  const how = { ...(accept_poor ? { accept_poor } : {}), ...(from === null ? {} : { effective_at: from }) }
  try {
    await ask(
      client.PUT('/site-maps/sites/{site_id}/active-map', {
        params: { path: { site_id } },
        headers: newest === undefined ? {} : ifMatch(newest.version),
        body: { site_map_id, ...how },
      }),
    )
  } finally {
    await changed() // if someone was faster, the person sees their choice
  }
}

/** Calibrates a site map. */
export async function calibrateMap(site_map_id: string, version: number, body: Schemas['CalibrateSiteMap']): Promise<void> {
  const headers = { ...freshKey(), ...ifMatch(version) }
  await ask(client.POST('/site-maps/{site_map_id}/calibrate', { params: { path: { site_map_id } }, body, headers }))
  await changed()
}

const place = (floor_plan_id: string, body: Schemas['PlaceFloorPlan'], headers = {}): Promise<FloorPlan> =>
  ask(client.PATCH('/floor-plans/{floor_plan_id}/placement', { params: { path: { floor_plan_id } }, body, headers }))

/** Places a floor plan. */
export async function placePlan(floor_plan_id: string, version: number, body: Schemas['PlaceFloorPlan']): Promise<FloorPlan> {
  const placed = await place(floor_plan_id, body, ifMatch(version))
  await changed()
  return placed
}

/** A position that was converted, the grid that it was in, and how far it can be off, metres; null: less than a decimetre. */
export type Converted = { grid: string; accuracy_m: number | null; spot: Spot }

/** Converts a position in a grid to degrees. */
export async function inDegrees(site_id: string, epsg: number, point: { east: number; north: number }): Promise<Converted> {
  const { grid, accuracy_m, points } = await ask(client.POST('/geometry/convert', { body: { site_id, epsg, points: [point] } }))
  const [first] = points
  if (first === undefined) throw new Error('The service converted no point.')
  return { grid, accuracy_m, spot: [first.lon, first.lat] }
}

/** How a plan would lie if the service put it onto the outline of its building, zone or area; nothing is stored. */
export const useFitted = (floor_plan_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['map', 'fitted', floor_plan_id],
    queryFn: async () => (await place(floor_plan_id, { mode: 'fit', dry_run: true })).placement,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** How a drawing would lie in a grid; nothing is stored. Null: no grid was chosen yet. */
export const useOnGrid = (floor_plan_id: string, epsg: number | null) =>
  useQuery({
    queryKey: ['map', 'on_grid', floor_plan_id, epsg],
    queryFn: async () => (await place(floor_plan_id, { mode: 'grid', epsg: epsg ?? 0, dry_run: true })).placement,
    enabled: epsg !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Makes the tiles of a site map or a floor plan again, after the work on them was stopped. */
export async function redraw(plan: SiteMap | FloorPlan): Promise<void> {
  const headers = { ...freshKey(), ...ifMatch(plan.version) }
  if ('captured_on' in plan)
    await ask(client.POST('/site-maps/{site_map_id}/redraw', { params: { path: { site_map_id: plan.id } }, headers }))
  else await ask(client.POST('/floor-plans/{floor_plan_id}/redraw', { params: { path: { floor_plan_id: plan.id } }, headers }))
  await changed()
}

/** Shows or hides a floor plan for everyone. */
export async function showPlan(floor_plan_id: string, visible: boolean): Promise<void> {
  await ask(client.PATCH('/floor-plans/{floor_plan_id}/visibility', { params: { path: { floor_plan_id } }, body: { visible } }))
  await changed()
}

/** Ends a floor plan that is active, or removes one that isn't. */
export async function removePlan(floor_plan_id: string): Promise<void> {
  // In this path, the service takes the id of a plan for that of its feature.
  await ask(client.DELETE('/floor-plans/{feature_id}', { params: { path: { feature_id: floor_plan_id } } }))
  await changed()
}
