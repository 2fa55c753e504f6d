// On which site a request works, and for which person: read from its path, its query or its body.

import type { FastifyRequest } from 'fastify'
import { fieldsIn } from '../../shared/narrow.ts'
import { linkActor, NOBODY } from './actor.ts'
import type { Ctx } from './ctx.ts'
import type { EdgeOptions, EdgeSteps } from './edge-options.ts'
import { invalidField, notFound, REPEATED, refuse } from './errors.ts'
import type { Route } from './http.ts'
import { type Id, isId, PLATFORM } from './ids.ts'
import { loose } from './schema.ts'

/** Sent with reads of a site: an app that subscribes to the site from this number on (`/api/ws`) misses nothing that has happened since. */
export const SITE_CURSOR = 'x-site-cursor'

/** What is known about a request so far: its token, its person, its site. */
export type Place = NonNullable<FastifyRequest['walkdown']>

/** A request of a route, with the parameters of its path. */
export type Arrived = FastifyRequest<{ Params: Record<string, string> }>

/** Returns an id as it is compared: written with capitals or with spaces around it, it is the same. */
const idText = (text: string): string => text.trim().toLowerCase()

/** Returns the id of a site as a caller wrote it. The id under which the records of the installation are stored is no site. */
function siteNamed(text: string): Id {
  const id = idText(text)
  return id === PLATFORM ? refuse(notFound()) : id
}

/** Returns the site that the path itself contains: by `:site_id`, or by the id of a record. */
export async function siteOfPath(route: Route, request: Arrived, { house, steps }: EdgeOptions): Promise<Id | null> {
  const { params } = request
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id')) {
      if (!isId(value)) refuse(notFound())
      params[name] = value.toLowerCase()
    }
  }
  if (params.site_id !== undefined) return siteNamed(params.site_id)
  if (route.on === undefined || route.on.shared?.(params[route.on.param] ?? '')) return null
  const id = params[route.on.param] ?? ''
  const site_id = (await route.on.locate?.(house.database.db, id)) ?? (await steps.locate(id))
  if (site_id === null) refuse(notFound())
  return site_id
}

/** Finds the person and their membership (404), then checks the permission (403). */
export async function takePlace(route: Route, at: Place, site_id: Id | null, steps: EdgeSteps): Promise<void> {
  at.site_id = site_id
  const scoped = site_id === PLATFORM ? null : site_id
  if ('open' in route.access) {
    if (at.token !== null) at.actor = await steps.person(at.token, scoped).catch(() => NOBODY)
    else if (route.path.includes(':token') || loose(route.body).properties?.token !== undefined) at.actor = linkActor('invitation link')
    return
  }
  if (at.token === null && judgesStrangers(route)) return
  if (at.token === null) throw new Error('A route that requires a token was called without one.')
  at.actor = await steps.person(at.token, scoped)
  if (scoped !== null && at.actor.standing === null && !admitsOutsiders(route)) refuse(notFound())
  if (!('needs' in route.access)) return
  const refusal = at.actor.lacks(route.access.needs)
  if (refusal !== null) refuse(refusal)
}

/** Returns whether the record alone decides about people who aren’t on its site. */
const admitsOutsiders = (route: Route): boolean =>
  'signed_in' in route.access && route.access.or_outsider === true && route.on !== undefined

/** Returns whether the handler itself checks callers without a token. */
export const judgesStrangers = (route: Route) => 'needs' in route.access && route.access.or_stranger === true

/** Finds the site in the query or body; if both contain one, they must agree. */
export async function placeFromWords(
  route: Route,
  at: Place,
  query: Record<string, unknown>,
  body: unknown,
  steps: EdgeSteps,
): Promise<void> {
  const inBody = typeof body === 'object' && body !== null && 'site_id' in body ? body.site_id : undefined
  const inQuery = query.site_id
  const named = inQuery ?? inBody ?? undefined // null means no site
  if (Array.isArray(inQuery)) refuse(invalidField('site_id', REPEATED))
  if (typeof named === 'string' && isId(named.trim())) {
    if (typeof inQuery === 'string' && typeof inBody === 'string' && idText(inQuery) !== idText(inBody)) {
      refuse(invalidField('site_id', 'differs between the URL and the body. Send the same site in both, or in only one of them.'))
    }
    await takePlace(route, at, siteNamed(named), steps)
  } else if (named === undefined && !('needs' in route.access)) {
    await takePlace(route, at, null, steps)
  } else {
    refuse(invalidField('site_id', named === undefined ? 'is required.' : 'must be an id (UUID).'))
  }
}

/** Returns the record in the path of a request; 404 if there is none that the caller can see. */
export async function thingOf(route: Route, ctx: Ctx, at: Place, request: Arrived, lock: boolean): Promise<unknown> {
  const { on } = route
  if (on === undefined) return undefined
  const id = request.params[on.param] ?? ''
  const row = await on.find(ctx, at.site_id ?? PLATFORM, id, lock)
  if (row === null) refuse(notFound())
  if (!(await on.sees(ctx, row))) refuse(notFound())
  const named = fieldsIn(request.query).site_id ?? fieldsIn(request.body).site_id
  if (typeof named === 'string' && idText(named) !== at.site_id)
    refuse(invalidField('site_id', 'isn’t the site of this record. Send the record’s own site, or leave it out.'))
  return row
}
