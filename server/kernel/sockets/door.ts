// How a room plugs into the house: its manifest is data, and this is the one place that hands the parts of all rooms to the kernels.
import type { Route } from '../../base/http.ts'
import { plugPermissions } from '../access/door.ts'
import type { Holder } from '../access/domain.ts'
import { type EventKind, plugEvents } from '../events/door.ts'
import { plugJobs } from '../jobs/door.ts'
import type { JobKind, Schedule } from '../jobs/domain.ts'
import { plugTasks, type TaskKind } from '../tasks/door.ts'
import { type Kind, plugKinds } from '../records/door.ts'
import { type Hold, type Liveness, plugSite, type Seed, type Setting } from '../site/door.ts'

/** A room's manifest. */
export type Room = {
  name: string
  routes?: readonly Route[]
  kinds?: readonly Kind<never>[]
  permissions?: Record<string, Holder>
  seeds?: readonly Seed[]
  holds?: readonly Hold[]
  settings?: readonly Setting[]
  liveness?: Liveness
  jobs?: readonly JobKind[]
  schedules?: readonly Schedule[]
  events?: readonly EventKind[]
  tasks?: readonly TaskKind[]
}

/** Says what a room is; nothing happens yet. */
export const defineRoom = (room: Room): Room => room

/** Plugs all rooms in. Called once at start, by app.ts. */
export function plugRooms(rooms: readonly Room[]): void {
  plugPermissions(rooms.flatMap(room => Object.entries(room.permissions ?? {})))
  plugKinds(rooms.flatMap(room => room.kinds ?? []))
  plugEvents(rooms.flatMap(room => room.events ?? []))
  plugTasks(rooms.flatMap(room => room.tasks ?? []))
  plugJobs(
    rooms.flatMap(room => room.jobs ?? []),
    rooms.flatMap(room => room.schedules ?? []),
  )
  const liveness = rooms.find(room => room.liveness !== undefined)?.liveness
  plugSite({
    seeds: rooms.flatMap(room => room.seeds ?? []),
    holds: rooms.flatMap(room => room.holds ?? []),
    settings: rooms.flatMap(room => room.settings ?? []),
    ...(liveness === undefined ? {} : { liveness }),
  })
}
