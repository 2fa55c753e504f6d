// What a request says in its headers: the version (`If-Match`), its repetition (`Idempotency-Key`), and parameters that no URL should contain.
import type { FastifyRequest } from 'fastify'
import { fieldsIn } from '../../shared/narrow.ts'
import type { KeyScope } from './edge-options.ts'
import type { Place } from './edge-place.ts'
import { expectVersion, invalidField, refuse } from './errors.ts'
import type { Received } from './files.ts'
import type { Route } from './http.ts'
import { PLATFORM, sha256 } from './ids.ts'

/** Refuses the request if `If-Match` has another version than the record. */
export function ifMatch(request: FastifyRequest, thing: unknown): void {
  const wanted = request.headers['if-match']
  const version = typeof thing === 'object' && thing !== null && 'version' in thing ? thing.version : undefined
  if (typeof version !== 'number') return
  expectVersion(wanted, version)
}

/** Returns the scope of the request’s key, with a fingerprint of what was sent; null if it has no key. */
export function keyScope(request: FastifyRequest, at: Place, body: unknown, query: unknown, files: readonly Received[]): KeyScope | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || request.method !== 'POST') return null
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) refuse(invalidField('Idempotency-Key', 'must be 1 to 200 printable characters without spaces.'))
  const said = JSON.stringify([
    request.method,
    request.url.split('?')[0],
    query,
    body ?? null,
    files.map(f => [f.field, f.sha256]),
    at.bytes?.toString('base64') ?? null,
  ])
  return {
    site_id: at.site_id ?? PLATFORM,
    owner: at.actor.id ?? `open:${sha256(`${request.ip} ${request.url}`).slice(0, 32)}`,
    key,
    fingerprint: sha256(said),
  }
}

/** Returns the parameters of a query, with those that were sent in a header instead. */
export function parametersOf(route: Route, request: FastifyRequest): Record<string, unknown> {
  const query = { ...fieldsIn(request.query) }
  for (const [name, header] of Object.entries(route.in_header ?? {})) {
    const sent = request.headers[header.toLowerCase()]
    if (sent === undefined) continue
    if (query[name] !== undefined) refuse(invalidField(name, `is in the URL and in the header ${header}. Send it in the header only.`))
    query[name] = sent
  }
  return query
}
