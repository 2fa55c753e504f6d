// Requests for schedules. Workers, plant and active areas have the same ones, each under a path of its own.
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../../base/api.ts'
import { queries } from '../../../../base/query.ts'
import { type Pattern, tokensMoved } from '../tokens-data.ts'
import type { Outcome, Schedule, ScheduledKind } from './schedules.ts'

const AGAIN_MS = 60_000

/** Something that repeats: its kind, and its schedule. */
export type ScheduleKey = { kind: ScheduledKind; group_id: string }

function read({ kind, group_id }: ScheduleKey): Promise<Schedule> {
  const given = { params: { path: { group_id } } }
  if (kind === 'worker') return ask(client.GET('/workers/schedule-group/{group_id}', given))
  if (kind === 'plant') return ask(client.GET('/plant/schedule-group/{group_id}', given))
  return ask(client.GET('/active-areas/schedule-group/{group_id}', given))
}

function put({ kind, group_id }: ScheduleKey, version: number, body: Schemas['ReconcileSchedule']): Promise<Outcome> {
  const given = { params: { path: { group_id } }, body, headers: ifMatch(version) }
  if (kind === 'worker') return ask(client.PUT('/workers/schedule-group/{group_id}/reconcile', given))
  if (kind === 'plant') return ask(client.PUT('/plant/schedule-group/{group_id}/reconcile', given))
  return ask(client.PUT('/active-areas/schedule-group/{group_id}/reconcile', given))
}

/** A schedule as it is now. */
export const useSchedule = (key: ScheduleKey) =>
  useQuery({ queryKey: ['tokens', 'schedule', key.kind, key.group_id], queryFn: () => read(key), staleTime: AGAIN_MS })

/**
 * Reads a schedule once, when a form is opened; what is returned waits for it. The form sends the version of then, so that what someone else has changed since is
 * refused, and not overwritten (decision 1082). Null: the form is of nothing that repeats.
 */
export function useSeenSchedule(key: ScheduleKey | null): () => Promise<Schedule> {
  const form = useId()
  // Not below `tokens`: what is there is read again with every change on the map.
  const options = {
    queryKey: ['schedule-seen', key, form],
    queryFn: () => (key === null ? null : read(key)),
    staleTime: Number.POSITIVE_INFINITY,
  }
  useQuery({ ...options, gcTime: 0 })
  return async () => (await queries.fetchQuery(options)) ?? Promise.reject(new Error('Nothing repeats here.'))
}

type Change = { pattern: Pattern; restore_dates: string[] }

/** What a change of a schedule would do, asked of the service; null: nothing is asked. */
export const useRehearsal = (key: ScheduleKey, version: number, change: Change | null) =>
  useQuery({
    queryKey: ['tokens', 'schedule-rehearsal', key.kind, key.group_id, version, change],
    queryFn: () => (change === null ? null : put(key, version, { ...change, dry_run: true })),
    enabled: change !== null,
    retry: false,
  })

/** Makes what is ahead of a schedule follow another pattern. */
export async function reconcile(key: ScheduleKey, version: number, change: Change): Promise<void> {
  await put(key, version, change)
  await tokensMoved()
}

/** Finishes a schedule now: its work is done. */
export async function finishSchedule({ kind, group_id }: ScheduleKey, version: number): Promise<void> {
  const given = { params: { path: { group_id } }, body: {}, headers: { ...freshKey(), ...ifMatch(version) } }
  if (kind === 'worker') await ask(client.POST('/workers/schedule-group/{group_id}/finish-early', given))
  else if (kind === 'plant') await ask(client.POST('/plant/schedule-group/{group_id}/finish-early', given))
  else await ask(client.POST('/active-areas/schedule-group/{group_id}/finish-early', given))
  await tokensMoved()
}

/** Deletes a schedule that hasn’t begun. */
export async function deleteSchedule({ kind, group_id }: ScheduleKey, version: number): Promise<void> {
  const given = { params: { path: { group_id } }, headers: ifMatch(version) }
  if (kind === 'worker') await ask(client.DELETE('/workers/schedule-group/{group_id}', given))
  else if (kind === 'plant') await ask(client.DELETE('/plant/schedule-group/{group_id}', given))
  else await ask(client.DELETE('/active-areas/schedule-group/{group_id}', given))
  await tokensMoved()
}

/** Makes something that is on the map once repeat. It becomes the day of the schedule on which it starts. */
export async function repeat(kind: 'worker' | 'plant', { id, version }: { id: string; version: number }, pattern: Pattern): Promise<void> {
  const given = { body: { pattern }, headers: { ...freshKey(), ...ifMatch(version) } }
  if (kind === 'worker')
    await ask(client.POST('/workers/{worker_id}/convert-to-schedule', { params: { path: { worker_id: id } }, ...given }))
  else await ask(client.POST('/plant/{plant_id}/convert-to-schedule', { params: { path: { plant_id: id } }, ...given }))
  await tokensMoved()
}
