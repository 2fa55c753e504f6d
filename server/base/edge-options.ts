// What the edge is built from: the routes, and the steps that the kernels do for it.
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Actor } from './actor.ts'
import type { Ctx, House } from './ctx.ts'
import type { Kept } from './deliver.ts'
import type { Route } from './http.ts'
import type { Id } from './ids.ts'

/** The content of a verified token: issuer and subject, and the claims about a person. */
export type Verified = {
  issuer: string
  subject: string
  /** The token itself, with which the provider can be asked about the person. */
  bearer: string
  claims: Record<string, unknown>
}

/** The scope of a key: each person has their own keys on each site. */
export type KeyScope = { site_id: Id; owner: string; key: string; fingerprint: string }

/** What the kernels do for the edge; passed in by app.ts. */
export type EdgeSteps = {
  /** Verifies a token. Throws 401 with its reason, or 503 while no key of the provider has ever been loaded. */
  verify(authorization: string | undefined): Promise<Verified>
  /** Returns the content of a token that was verified before and is still valid; null if it must be verified. */
  proven(authorization: string | undefined): Verified | null
  /** Returns the site of a record, by its id alone; null if there is no such record. */
  locate(id: Id): Promise<Id | null>
  /** Returns the person of a token, with their membership of a site. `standing` is null if they can't know that the site exists. */
  person(token: Verified, site_id: Id | null): Promise<Actor>
  /** Takes the shared lock on the site row; refuses on a locked site. */
  enter(ctx: Ctx, site_id: Id, how: { passes_lock: boolean; alone: boolean }): Promise<void>
  /** Returns the first response under this key, if there is one by now; claims nothing. */
  recall(scope: KeyScope): Promise<Kept | null>
  /** Returns the first response under this key, if there is one; claims the key otherwise. */
  replay(ctx: Ctx, scope: KeyScope): Promise<Kept | null>
  keep(ctx: Ctx, scope: KeyScope, kept: Kept): Promise<void>
}

/** What `buildEdge` is given. */
export type EdgeOptions = {
  house: House
  routes: readonly Route[]
  steps: EdgeSteps
  /** Check each response against its schema, including unknown fields: in tests. */
  strict_replies?: boolean
  /** Adds more to the same server: the sign-in pages, the web app. */
  mount?: (app: FastifyInstance, registry: Registry) => Promise<void>
}
