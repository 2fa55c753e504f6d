// Which permits cover the work on the map (`map.md` §0.8). Rooms with things on the map and the room of permits don't know each other: both plug in here.
import type { Instant } from '../../../shared/time.ts'
import type { Ctx } from '../../base/ctx.ts'
import type { sql } from '../../base/db.ts'
import { notFound, refuse } from '../../base/errors.ts'
import type { Id } from '../../base/ids.ts'
import type { Coverage, Covered, LinkedPermit } from './domain.ts'

export type { Coverage, Covered, LinkedPermit } from './domain.ts'
export { isLinked, isUncovered, isUncoveredOn, isUnlinked, linkOf } from './queries.ts'

/** A kind of thing that permits can cover: workers, plant, deliveries. */
export type TokenKind = {
  kind: string
  /** Returns the things with these ids, and the occurrences of these schedules; those that don't exist are left out. */
  load(ctx: Ctx, site_id: Id, ids: readonly Id[], group_ids: readonly Id[]): Promise<Token[]>
  /** Returns the same things, locked in the order of their ids, so that none of them is deleted while it is linked. */
  lock(ctx: Ctx, site_id: Id, ids: readonly Id[], group_ids: readonly Id[]): Promise<Token[]>
  /** Refuses the caller who can't change one of these things, which are locked. */
  mayChange(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<void>
  /** The condition for which rows `t` of its table are there at an instant, besides their time. */
  there(at: Instant, now: Instant): ReturnType<typeof sql>
  /** The end of a row `t` that people see. */
  end_at(now: Instant): ReturnType<typeof sql>
}

/** One of them, as permits show it. */
export type Token = Covered & {
  kind: string
  label: string
  contractor_id: Id | null
  schedule_group_id: Id | null
  occurrence_date: string | null
  place: { building_id: Id | null; level_index: number | null; zone_id: Id | null; point?: unknown; polygon?: unknown }
}

/** The types of the permits that count, the states of all, and whether one is live. */
export type PermitFacts = Record<'permit_types' | 'permit_statuses' | 'has_live_permit', ReturnType<typeof sql>>

/** How the room of permits keeps the links. */
export type CoverageKeeper = {
  /** Returns what covers things at an instant. */
  read(ctx: Ctx, site_id: Id, things: readonly Covered[], at: Instant): Promise<Map<Id, Coverage>>
  /**
   * Links things to a permit and returns those outside its window. With `only_inside`, those are not linked. Refuses a permit that the caller doesn't see (404), or
   * that is over (409).
   */
  link(ctx: Ctx, site_id: Id, permit_id: Id, kind: string, things: readonly Covered[], only_inside: boolean): Promise<Id[]>
  /** Removes every link of things that no longer exist, and writes into the history why, thing by thing. */
  drop(ctx: Ctx, site_id: Id, why: ReadonlyMap<Id, string>): Promise<void>
  /** Returns the permits of things, seen or not. */
  permitsOf(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<(LinkedPermit & { entity_id: Id })[]>
  sees(ctx: Ctx, site_id: Id, permit_id: Id): Promise<boolean>
  /** Returns what conditions can ask about the permits of a row `t`: those that the caller sees, or with `whole` all of them. */
  facts(ctx: Ctx, site_id: Id, whole: boolean): Promise<PermitFacts>
  /** Returns whether the site’s coverage policy requires a permit. */
  required(ctx: Ctx, site_id: Id): Promise<boolean>
}

let keeper: CoverageKeeper | null = null
const kinds = new Map<string, TokenKind>()

/** Registers the keeper of the links and the kinds of things that permits can cover, once, at startup. */
export function plugCoverage(keepers: readonly CoverageKeeper[], tokens: readonly TokenKind[]): void {
  if (keepers.length > 1) throw new Error('Two rooms keep the links between permits and the map.')
  keeper = keepers[0] ?? null
  kinds.clear()
  for (const token of tokens) kinds.set(token.kind, token)
}

/** Returns the keeper of the links. */
export function coverage(): CoverageKeeper {
  if (keeper === null) throw new Error('No room keeps the links between permits and the map.')
  return keeper
}

/** Returns a kind of thing that permits can cover; refuses another one. */
export const tokenKind = (kind: string): TokenKind => kinds.get(kind) ?? refuse(notFound())

/** Returns every kind of thing that permits can cover. */
export const tokenKinds = (): TokenKind[] => [...kinds.values()]
