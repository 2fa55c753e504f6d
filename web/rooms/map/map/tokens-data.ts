// Requests for workers, gangs, plant and deliveries.
import { type Query, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { patchQuery, queries, refetch } from '../../../base/query.ts'
import { useHere, useMe } from '../../../base/site.tsx'
import { CONCERNED, LISTED } from './concerned.ts'
import { viewedAt } from './data.ts'
import { patchedList } from './patching.ts'
import type { Standing, Token } from './tokens.ts'

const AGAIN_MS = 60_000
const NONE: readonly Token[] = []
/** With more changes than this at once, the whole list is read again: their ids would make a long URL. */
const MOST_PATCHED = 100

/** Reads single things of what is there now again. What was there at another instant is read as a whole. */
export const patched =
  <T extends { id: string; start_at: string; version: number }>(read: (id: string[]) => Promise<T[]>) =>
  (query: Query, ids: readonly string[]): Promise<void> | null =>
    query.queryKey[3] !== null || ids.length > MOST_PATCHED
      ? null
      : patchQuery(
          query,
          () => read([...ids]),
          (here: T[], fresh) => patchedList(here, ids, fresh),
        )

/** The workers, gangs, plant and deliveries that are on the site at an instant; null: now. */
export function useTokens(site_id: string, at: string | null): { tokens: readonly Token[]; error: unknown; refetch(): void } {
  const query = { site_id, ...(at === null ? {} : { at }) }
  // A permit that starts or ends changes what is said of the work under it.
  const options = (kind: string) => viewedAt(at, [kind, 'permit'])
  const readWorkers = (id?: string[]) => ask(client.GET('/workers/at-time', { params: { query: { ...query, ...(id && { id }) } } }))
  const readPlant = (id?: string[]) => ask(client.GET('/plant/at-time', { params: { query: { ...query, ...(id && { id }) } } }))
  const readDeliveries = (id?: string[]) => ask(client.GET('/deliveries/at-time', { params: { query: { ...query, ...(id && { id }) } } }))
  const workers = useQuery({
    ...options('worker'),
    queryKey: ['tokens', 'workers', site_id, at],
    queryFn: () => readWorkers(),
    meta: { ...options('worker').meta, patch: patched(readWorkers) },
  })
  const plant = useQuery({
    ...options('plant'),
    queryKey: ['tokens', 'plant', site_id, at],
    queryFn: () => readPlant(),
    meta: { ...options('plant').meta, patch: patched(readPlant) },
  })
  const deliveries = useQuery({
    ...options('delivery'),
    queryKey: ['tokens', 'deliveries', site_id, at],
    queryFn: () => readDeliveries(),
    meta: { ...options('delivery').meta, patch: patched(readDeliveries) },
  })
  const tokens = useMemo<readonly Token[]>(() => {
    const all = [
      ...(workers.data ?? []).map(one => ({ token: 'worker' as const, ...one })),
      ...(plant.data ?? []).map(one => ({ token: 'plant' as const, ...one })),
      ...(deliveries.data ?? []).map(one => ({ token: 'delivery' as const, ...one })),
    ]
    return all.length === 0 ? NONE : all
  }, [workers.data, plant.data, deliveries.data])
  return {
    tokens,
    error: workers.error ?? plant.error ?? deliveries.error,
    refetch: () => {
      void workers.refetch()
      void plant.refetch()
      void deliveries.refetch()
    },
  }
}

/** Refetches what shows workers, gangs, plant, deliveries and areas, or one kind of them; `ids`: the only ones that have changed. */
export function tokensMoved(kind?: keyof typeof CONCERNED, ids?: readonly string[]): Promise<void> {
  if (kind === undefined) return queries.invalidateQueries({ queryKey: ['tokens'] })
  return refetch(new Map(CONCERNED[kind].map(word => [`tokens ${word}`, ids === undefined || word !== LISTED[kind] ? null : new Set(ids)])))
}

/** Trades that the site has used, for the form. */
export const useTrades = (site_id: string) =>
  useQuery({
    queryKey: ['tokens', 'trades', site_id],
    queryFn: async () => {
      const rows = await ask(client.GET('/workers', { params: { query: { site_id, limit: 500 } } }))
      return [...new Set(rows.map(({ trade }) => trade))].sort((a, b) => a.localeCompare(b))
    },
    staleTime: AGAIN_MS,
  })

/** When something repeats. */
export type Pattern = Schemas['SchedulePattern']

/** What the service warns of after something was saved; it is saved all the same. */
export type Warned = {
  /** The same gang is at another place, too. */
  twice: boolean
  /** Days of a schedule that its permit doesn’t cover as a whole. */
  uncovered: number
  /** Days on which the clocks change. */
  clocks: string[]
  /** The thorough examination of a machine has expired. */
  expired: boolean
}

type Made = { double_booked?: string[]; examination_state?: Schemas['Plant']['examination_state'] }
type MadeSchedule = { outside_permit_window: string[]; warnings: { date: string }[] }

const warnedOf = (made: readonly Made[], schedule?: MadeSchedule): Warned => ({
  twice: made.some(({ double_booked = [] }) => double_booked.length > 0),
  uncovered: schedule?.outside_permit_window.length ?? 0,
  clocks: [...new Set(schedule?.warnings.map(({ date }) => date) ?? [])],
  expired: made.some(({ examination_state }) => examination_state === 'expired'),
})

/** Puts a new worker or gang on the map: once, or by a schedule. */
export async function addWorker({ start_at, end_at, ...body }: Schemas['NewWorker'], pattern: Pattern | null): Promise<Warned> {
  const { site_id, permit_id, ...template } = body
  const permit = permit_id === undefined ? {} : { permit_id }
  if (pattern === null) {
    const one = { ...body, end_at, ...(start_at === undefined ? {} : { start_at }) }
    const made = await ask(client.POST('/workers', { body: one, headers: freshKey() }))
    await tokensMoved('worker', [made.id])
    return warnedOf([made])
  }
  const made = await ask(client.POST('/workers/create-schedule', { body: { site_id, template, pattern, ...permit }, headers: freshKey() }))
  await tokensMoved('worker')
  return warnedOf(made.occurrences, made)
}

/** Puts a new machine on the map: once, or by a schedule. */
export async function addPlant({ start_at, end_at, ...body }: Schemas['NewPlant'], pattern: Pattern | null): Promise<Warned> {
  const { site_id, permit_id, source_plant_id: _source, end_previous: _previous, ...template } = body
  const permit = permit_id === undefined ? {} : { permit_id }
  if (pattern === null) {
    const one = { ...body, ...(end_at === undefined ? {} : { end_at }), ...(start_at === undefined ? {} : { start_at }) }
    const made = await ask(client.POST('/plant', { body: one, headers: freshKey() }))
    await tokensMoved('plant', [made.id])
    return warnedOf([made])
  }
  const made = await ask(client.POST('/plant/create-schedule', { body: { site_id, template, pattern, ...permit }, headers: freshKey() }))
  await tokensMoved('plant')
  return warnedOf(made.occurrences, made)
}

/** Changes a worker or gang. */
export async function changeWorker({ id, version }: Token, body: Schemas['WorkerChange']): Promise<Warned> {
  const made = await ask(client.PATCH('/workers/{worker_id}', { params: { path: { worker_id: id } }, body, headers: ifMatch(version) }))
  await tokensMoved('worker', [id])
  return warnedOf([made])
}

/** Changes a machine. */
export async function changePlant({ id, version }: Token, body: Schemas['PlantChange']): Promise<Warned> {
  const made = await ask(client.PATCH('/plant/{plant_id}', { params: { path: { plant_id: id } }, body, headers: ifMatch(version) }))
  await tokensMoved('plant', [id])
  return warnedOf([made])
}

/** Gives a worker, a gang or a machine another end; returns its version then. Null: it stays, which only a machine can. */
export async function endToken({ token, id, version, end_at: was }: Standing, end_at: string | null): Promise<number> {
  const headers = ifMatch(version)
  const ended =
    token === 'plant'
      ? await ask(client.PATCH('/plant/{plant_id}', { params: { path: { plant_id: id } }, body: { end_at }, headers }))
      : await ask(client.PATCH('/workers/{worker_id}', { params: { path: { worker_id: id } }, body: { end_at: end_at ?? was }, headers }))
  await tokensMoved(token, [id])
  return ended.version
}

/** A schedule as the person saw it. */
type Seen = { id: string; version: number }

const ahead = <Body extends object>({ id, version }: Seen, body: Body) => ({
  params: { path: { group_id: id } },
  body: { ...body, include_running: true },
  headers: ifMatch(version),
})

/** Changes a gang on all days ahead of its schedule, and where it is now. */
export async function changeWorkers(schedule: Seen, body: Schemas['WorkerScheduleChange']): Promise<Warned> {
  const made = await ask(client.PATCH('/workers/schedule-group/{group_id}', ahead(schedule, body)))
  await tokensMoved()
  return warnedOf([made])
}

/** Changes a machine on all days ahead of its schedule, and where it is now. */
export async function changeMachines(schedule: Seen, body: Schemas['PlantScheduleChange']): Promise<Warned> {
  const { id, site_id } = await ask(client.PATCH('/plant/schedule-group/{group_id}', ahead(schedule, body)))
  const query = { site_id, schedule_group_id: [id], from: new Date().toISOString() }
  const made = await ask(client.GET('/plant', { params: { query } }))
  await tokensMoved()
  return warnedOf(made)
}

/** Removes what is still ahead, and ends what is there now. */
export async function removeToken(token: Token): Promise<void> {
  const headers = ifMatch(token.version)
  if (token.token === 'worker') await ask(client.DELETE('/workers/{worker_id}', { params: { path: { worker_id: token.id } }, headers }))
  else if (token.token === 'plant') await ask(client.DELETE('/plant/{plant_id}', { params: { path: { plant_id: token.id } }, headers }))
  await tokensMoved(token.token, [token.id])
}

/** Moves a machine now: where it was until now stays on the map of before. */
export async function movePlant(plant: Extract<Token, { token: 'plant' }>, place: Schemas['GivenPlace']): Promise<void> {
  const { site_id, name, category, end_at } = plant
  const source_plant_id = plant.source_plant_id ?? plant.id
  const body = { site_id, name, category, place, end_at, source_plant_id, end_previous: true }
  const { id } = await ask(client.POST('/plant', { body, headers: freshKey() }))
  await tokensMoved('plant', [plant.id, id])
}

/**
 * Whether the caller can add photos of a token: coordinators of any, others of what belongs to their contractor. That is known without a connection; what
 * belongs to a contractor that theirs oversees is not.
 */
export function useCanAddPhotos(token: Token): boolean {
  const { site_id, canChange } = useHere()
  const { data: me } = useMe()
  const oversees = useCanChange(token)
  const own = me?.memberships.find(one => one.site_id === site_id)?.contractor_id ?? null
  if (canChange('map_entity_edit_any')) return true
  return canChange('map_entity_edit') && (oversees || (own !== null && own === token.contractor_id))
}

/** Whether the caller can change a token; false until the service has said so. The lists at a point in time don't say it. */
export function useCanChange(token: Token | undefined): boolean {
  const { data = false } = useQuery({
    queryKey: ['tokens', 'flags', token?.id, token?.version],
    enabled: token !== undefined,
    queryFn: async () => {
      if (token === undefined) return false
      const { site_id, id } = token
      const query = { site_id, id: [id] }
      const rows =
        token.token === 'delivery'
          ? await ask(client.GET('/deliveries', { params: { query } }))
          : token.token === 'worker'
            ? await ask(client.GET('/workers', { params: { query } }))
            : await ask(client.GET('/plant', { params: { query } }))
      return rows[0]?.permissions?.can_change === true
    },
    staleTime: AGAIN_MS,
  })
  return data
}
