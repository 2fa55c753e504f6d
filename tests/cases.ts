// The cases of all rooms, collected: what the matrices run over. A room adds its own by its file `cases.ts`.
import { globSync } from 'node:fs'
import type { Role } from '../server/base/actor.ts'
import type { Route } from '../server/base/http.ts'
import { groups, routes } from '../server/groups.ts'
import type { Case, Making, RoomCases } from './calls.ts'

const at = new URL('..', import.meta.url)
const files = new Set(globSync('server/rooms/*/*/cases.ts', { cwd: at }))

/** Each room's cases, in the order of the rooms. */
export const ROOM_CASES: readonly (RoomCases & { room: string; group: string })[] = await Promise.all(
  groups.flatMap(group =>
    group.rooms
      .map(room => ({ room: room.name, group: group.name, file: `server/rooms/${group.name}/${room.name}/cases.ts` }))
      .filter(({ file }) => files.has(file))
      .map(async ({ file, ...where }) => ({ ...where, ...(await import(new URL(file, at).href)).cases })),
  ),
)

/** What is known about every endpoint, by its name. */
export const CASES: ReadonlyMap<string, Case> = new Map(ROOM_CASES.flatMap(({ routes }) => Object.entries(routes)))

/** Which roles have each permission, as the specification says; a superadmin has every one. */
export const HELD: ReadonlyMap<string, readonly Role[]> = new Map(ROOM_CASES.flatMap(({ held = {} }) => Object.entries(held)))

/** A call that succeeds, for every endpoint that has one, in the order of the rooms. */
export const CALLS: ReadonlyMap<string, Making> = new Map(
  [...CASES].flatMap(([name, { call }]): [string, Making][] => (call === undefined ? [] : [[name, call]])),
)

/** Endpoints that would end the site. */
export const ENDINGS: readonly string[] = [...CASES].flatMap(([name, { ends_site }]) => (ends_site ? [name] : []))

const rooms = process.env.WALKDOWN_TEST_ROOMS?.split(' ')
const told = new Set(
  ROOM_CASES.filter(({ room, group }) => rooms === undefined || rooms.includes(`${group}/${room}`)).flatMap(({ routes }) =>
    Object.keys(routes),
  ),
)

/** Returns whether this run asks about an endpoint: about all of them, or, after a change, about those of the rooms that it concerns. */
export const asked = ({ name }: { name: string }): boolean => rooms === undefined || told.has(name)

/** Returns the endpoint with this name. */
export function routeNamed(name: string): Route {
  const route = routes.find(r => r.name === name)
  if (route === undefined) throw new Error(`There is no endpoint ${name}.`)
  return route
}
