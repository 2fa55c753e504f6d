// A site with one of everything that a path can refer to, and the calls of all rooms on it (cases.ts).
import type { Route } from '../server/base/http.ts'
import { type Id, ids } from '../server/base/ids.ts'
import type { Call, Tour } from './calls.ts'
import { ROOM_CASES } from './cases.ts'
import { permitWorld, permitWorldOf } from './permits.ts'
import type { PermitFacts } from './stock.ts'
import { type Caller, claimsOf, type Reply, type TestHouse } from './world.ts'

let counter = 0

/** Sets up such a site, or returns the one that was kept in the database of this house (toured.ts). */
export async function tour(house: TestHouse): Promise<Tour> {
  const kept = await keptTour(house)
  if (kept !== null) return kept
  const w = await permitWorld(house)
  const t: Tour = { ...w, house, params: { site_id: w.site_id }, fresh: () => ++counter }
  for (const { records } of ROOM_CASES) Object.assign(t.params, await records?.(t))
  return t
}

/** What is needed to go on with such a site in another process. */
type TourFacts = PermitFacts & { params: Record<string, string>; fresh: number; clock: string }

/** Keeps a site in the database of its house, in a schema that nothing else sees. */
export async function keepTour(house: TestHouse, t: Tour): Promise<void> {
  const { issuer, receiver, acme, types, params } = t
  const facts: TourFacts = {
    ...t.facts,
    ...{ issuer: claimsOf(issuer), receiver: claimsOf(receiver), acme, params, fresh: counter, clock: house.house.clock.now() },
    types: Object.entries(types).map(([code, type]) => ({ code, ...type })),
  }
  await house.rows('create schema kept_tour')
  await house.rows('create table kept_tour.tour as select $1::jsonb as facts', [JSON.stringify(facts)])
}

/** Takes the site that was kept in the database of this house, once; null if there is none. */
async function keptTour(house: TestHouse): Promise<Tour | null> {
  const [{ there }] = await house.rows(`select to_regclass('kept_tour.tour') is not null as there`)
  if (!there) return null
  const [kept] = await house.rows('select facts from kept_tour.tour')
  const facts: TourFacts = kept.facts
  await house.rows('drop schema kept_tour cascade')
  counter = Math.max(counter, facts.fresh)
  house.clock(facts.clock)
  return { ...(await permitWorldOf(house, facts)), house, params: facts.params, fresh: () => ++counter }
}

/**
 * Returns the values for the paths of a route. Two areas can have a parameter of the same name (`/workers/schedule-group/:group_id` and `/plant/…`): its value for
 * one of them has the area before its name (`plant/group_id`).
 */
export function paramsOf(route: Route, params: Record<string, string>): Record<string, string> {
  // The one with the longest path comes last, so that it wins.
  const own = Object.entries(params)
    .filter(([name]) => name.includes('/') && route.path.startsWith(`/${name.slice(0, name.lastIndexOf('/'))}/`))
    .sort(([a], [b]) => a.length - b.length)
  return { ...params, ...Object.fromEntries(own.map(([name, value]) => [name.slice(name.lastIndexOf('/') + 1), value])) }
}

/** Returns the path of a route with these values. */
export function pathOf(route: Route, params: Record<string, string>): string {
  return route.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`No cases.ts makes a record for :${name} of ${route.method} ${route.path}.`)
    return value
  })
}

/** Makes a call of a room; `more` replaces its body, adds headers, or sets another caller. */
export function makeCall(
  t: Tour,
  route: Route,
  call: Call,
  more: { other?: boolean; headers?: Record<string, string>; by?: Caller } = {},
): Promise<Reply> {
  const by = more.by ?? call.by
  const path = `${pathOf(route, { ...paramsOf(route, t.params), ...call.params })}${call.query === undefined ? '' : `?${call.query}`}`
  const parts = more.other ? call.others : call.parts
  // Fields of a form are sent together.
  const fields = call.body === undefined ? [] : [{ name: 'data', value: JSON.stringify(call.body) }]
  if (parts !== undefined) return by.send(route.method, path, [...fields, ...parts], more.headers)
  const body = more.other ? (call.other ?? { site_id: t.site_id }) : call.body
  if (route.method === 'POST') return by.post(path, body, more.headers)
  if (route.method === 'PUT') return by.put(path, body, more.headers)
  if (route.method === 'PATCH') return by.patch(path, body, more.headers)
  return by.del(path, body, more.headers)
}

/** An id that belongs to nothing. */
export const nothing = (): Id => ids.next()
