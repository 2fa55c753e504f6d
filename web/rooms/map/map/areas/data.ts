// Requests for active areas and fills.
import { type Query, useQuery } from '@tanstack/react-query'
import { fieldsIn, itemsIn } from '../../../../../shared/narrow.ts'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../../base/api.ts'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { viewedAt } from '../data.ts'
import type { Saved } from '../drawing.ts'
import type { Schedule } from '../schedule/schedules.ts'
import { type Pattern, patched, tokensMoved } from '../tokens-data.ts'
import type { Area } from './areas.ts'
import { t } from './says.ts'

const NONE: readonly Area[] = []

/** Whether a list contains areas of a fill: any area that changes can make them out of date, so the list is read as a whole. */
const hasFills = ({ state: { data } }: Query): boolean => itemsIn(data).some(area => (fieldsIn(area).fill_group_id ?? null) !== null)

const AGAIN_MS = 60_000

/** The active areas of a site at an instant, as they were then; null: now. */
export function useAreas(site_id: string, at: string | null): { areas: readonly Area[]; error: unknown; refetch(): void } {
  const query = { site_id, ...(at === null ? {} : { at }) }
  const options = viewedAt(at, ['active_area'])
  const read = (id?: string[]) => ask(client.GET('/active-areas/at-time', { params: { query: { ...query, ...(id && { id }) } } }))
  const asked = useQuery({
    ...options,
    queryKey: ['tokens', 'areas', site_id, at],
    queryFn: () => read(),
    meta: { ...options.meta, patch: (areas, ids) => (hasFills(areas) ? null : patched(read)(areas, ids)) },
  })
  return { areas: asked.data ?? NONE, error: asked.error, refetch: () => void asked.refetch() }
}

/** What the caller can do with an active area; undefined until the service has said so. */
export const useAreaFlags = ({ id, version }: Area) =>
  useQuery({
    queryKey: ['tokens', 'area-flags', id, version],
    queryFn: async () => (await ask(client.GET('/active-areas/{area_id}', { params: { path: { area_id: id } } }))).permissions ?? null,
    staleTime: AGAIN_MS,
  }).data ?? undefined

const areaPath = ({ id }: Pick<Area, 'id'>) => ({ path: { area_id: id } })

/** Undoes a change, and reports it. */
const undoing = (name: string, back: () => Promise<unknown>) => () => {
  back()
    .then(() => toast(t('area.undone', { name })))
    .catch(toastFault)
    .finally(() => void tokensMoved('active_area'))
}

const saidOf = (made: Area, back: (() => Promise<unknown>) | null): Saved => ({
  id: made.id,
  overlaps: made.overlap_warnings ?? [],
  unplaced: 0,
  outside: 0,
  undo: back === null ? null : undoing(made.name, back),
})

/** Adds an active area: once, or by a schedule. */
export async function addArea({ start_at, end_at, ...body }: Schemas['NewActiveArea'], pattern: Pattern | null): Promise<Saved> {
  const { site_id, ...template } = body
  let added: string[] | undefined
  try {
    if (pattern === null) {
      const times = { ...(start_at === undefined ? {} : { start_at }), ...(end_at === undefined ? {} : { end_at }) }
      const made = await ask(client.POST('/active-areas', { body: { ...body, ...times }, headers: freshKey() }))
      added = [made.id]
      return saidOf(made, () => ask(client.DELETE('/active-areas/{area_id}', { params: areaPath(made), headers: ifMatch(made.version) })))
    }
    const { group, occurrences } = await ask(
      client.POST('/active-areas/schedule', { body: { site_id, template, pattern }, headers: freshKey() }),
    )
    const params = { path: { group_id: group.id }, query: { finish_running: true } }
    return {
      ...{ id: occurrences[0]?.id ?? null, overlaps: [], unplaced: 0, outside: 0 },
      undo: undoing(group.name, () =>
        ask(client.DELETE('/active-areas/schedule-group/{group_id}', { params, headers: ifMatch(group.version) })),
      ),
    }
  } finally {
    await tokensMoved('active_area', added)
  }
}

/** Returns what a record had in the fields of a change: the change that undoes it. */
const wasIn = (record: object, change: object): Record<string, unknown> => {
  const before: Record<string, unknown> = { ...record }
  return Object.fromEntries(Object.keys(change).map(field => [field, before[field] ?? null]))
}

/**
 * Changes an active area, and lets it repeat if it has a pattern now. These are two requests: `onChanged` gets the area that the first has saved, so that
 * the second can be corrected and sent again.
 */
export async function changeArea(
  area: Area,
  body: Schemas['ActiveAreaChange'],
  pattern: Pattern | null,
  onChanged: (area: Area) => void,
): Promise<Saved> {
  const params = areaPath(area)
  const changes = Object.keys(body).length > 0
  try {
    const made = changes ? await ask(client.PATCH('/active-areas/{area_id}', { params, body, headers: ifMatch(area.version) })) : area
    const headers = ifMatch(made.version)
    if (pattern !== null) {
      onChanged(made)
      await ask(
        client.POST('/active-areas/{area_id}/convert-to-schedule', { params, body: { pattern }, headers: { ...freshKey(), ...headers } }),
      )
    }
    // A schedule can’t become a single area again.
    const back = () => ask(client.PATCH('/active-areas/{area_id}', { params, body: wasIn(area, body), headers }))
    return saidOf(made, pattern === null && changes ? back : null)
  } finally {
    await tokensMoved('active_area', pattern === null ? [area.id] : undefined)
  }
}

/** What an area overlaps that a coordinator should know. */
async function overlapsOf({ site_id, id, start_at, end_at }: Area): Promise<Saved['overlaps']> {
  const body = { site_id, feature_id: id, start_at, ...(end_at === null ? {} : { end_at }) }
  return (await ask(client.POST('/geometry/check-overlaps', { body }))).filter(({ verdict }) => verdict !== 'allow')
}

/** Changes an area on all days ahead of its schedule as the person saw it, and where it is now; never its times. Undoing gives them again what the schedule had. */
export async function changeAreas(
  area: Area,
  { id: group_id, version: seen, template }: Schedule,
  { start_at: _start, end_at: _end, ...body }: Schemas['ActiveAreaChange'],
): Promise<Saved> {
  const { id, name } = area
  const params = { path: { group_id } }
  const put = (change: Schemas['ActiveAreaScheduleChange'], as_of: number) =>
    ask(
      client.PATCH('/active-areas/schedule-group/{group_id}', {
        params,
        body: { ...change, include_running: true },
        headers: ifMatch(as_of),
      }),
    )
  try {
    const { version } = await put(body, seen)
    const overlaps = body.place === undefined ? [] : await overlapsOf(area)
    return { id, overlaps, unplaced: 0, outside: 0, undo: undoing(name, () => put(wasIn(template, body), version)) }
  } finally {
    await tokensMoved()
  }
}

/** Removes an area that is still ahead, and ends one that is there now. */
export async function removeArea(area: Area): Promise<void> {
  await ask(client.DELETE('/active-areas/{area_id}', { params: areaPath(area), headers: ifMatch(area.version) }))
  await tokensMoved('active_area', [area.id])
}

/** Fills the rest of a place. */
export async function fillRest(body: Schemas['NewFill']): Promise<Schemas['FillCreated']> {
  const made = await ask(client.POST('/active-areas/fill', { body, headers: freshKey() }))
  await tokensMoved('active_area')
  return made
}

/** Computes a fill again, from now on. */
export async function fillAgain(group_id: string): Promise<Schemas['FillRegenerated']> {
  const made = await ask(client.POST('/active-areas/fill/{group_id}/regenerate', { params: { path: { group_id } }, headers: freshKey() }))
  await tokensMoved('active_area')
  return made
}

/** Removes a fill: what is still ahead goes, and what is there now ends. */
export async function removeFill(group_id: string): Promise<void> {
  await ask(client.DELETE('/active-areas/fill/{group_id}', { params: { path: { group_id } } }))
  await tokensMoved('active_area')
}
