// What a person sees of a delivery, by each area's own rule: of the records as they are, of those that were deleted, and of those that were moved out of their sight.
import type { Actor } from '../../../base/actor.ts'
import { type Ctx, type House, reading } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { remembered } from '../../../base/memo.ts'
import { lastState } from '../../audit/door.ts'
import type { AnyRow, Kind } from '../../records/door.ts'
import { sightsWritten } from '../queries.ts'
import type { News, Told } from './news.ts'

/** Returns whether a person sees every record of a kind, or none, where that doesn't depend on the record; null where it does. */
function seesAll(actor: Actor, kind: Kind | undefined): boolean | null {
  // An event without a record of its own is sent to those who can see the site's audit log.
  if (kind === undefined) return actor.can('audit_view')
  if (kind.open) return true
  return kind.seen_with === undefined ? null : actor.can(kind.seen_with)
}

/** Records that are read once for all people of a delivery. */
type Rows = {
  /** Returns a record that exists; null if it doesn't. */
  present(ctx: Ctx, kind: Kind, id: Id): Promise<AnyRow | null>
  /** Returns the last state of a record that was deleted; null if nothing is known of it. */
  last(ctx: Ctx, kind: Kind, id: Id): Promise<AnyRow | null>
  /** Returns what decides who sees the records of a kind that a request has written, now and before. */
  written(ctx: Ctx, kind: Kind, request_id: string): Promise<readonly AnyRow[]>
}

function rowsOn(site_id: Id): Rows {
  const present = new Map<Id, Promise<AnyRow | null>>()
  const last = new Map<Id, Promise<AnyRow | null>>()
  const written = new Map<string, Promise<readonly AnyRow[]>>()
  return {
    present: (ctx, kind, id) => remembered(present, id, () => kind.find(ctx, site_id, id, false)),
    last: (ctx, kind, id) => remembered(last, id, () => lastState(ctx, kind, site_id, id)),
    written: (ctx, kind, request_id) =>
      remembered(written, request_id, async () => {
        const unknown = Object.fromEntries(kind.sight.map(column => [column, null]))
        const sights = await sightsWritten(ctx.db, kind, site_id, request_id)
        // Which record it is decides nothing.
        return sights.map(facts => ({ ...unknown, ...facts, id: site_id, site_id }))
      }),
  }
}

/**
 * Returns a function that says what a person receives about each event of a delivery. `singly`: whether each record is read once for everyone, instead of each person’s
 * records in one statement.
 */
export function seeing(house: House, site_id: Id, news: News, singly: boolean): (actor: Actor) => Promise<Told> {
  const rows = rowsOn(site_id)

  /** Returns which of these records the person sees; for one that was deleted, whether they saw it until then. */
  async function seenAmong(ctx: Ctx, kind: Kind, ids: readonly Id[]): Promise<Set<Id>> {
    const known = singly ? undefined : await kind.sees_many?.(ctx, site_id, ids)
    const seen = new Set<Id>()
    for (const id of ids) {
      const there = known?.get(id)
      const row = there === undefined ? await stateOf(ctx, kind, id, known !== undefined) : null
      if (there === true || (row !== null && (await kind.sees(ctx, row)))) seen.add(id)
    }
    return seen
  }

  /** Returns a record as it is, or as it was until it was deleted. */
  const stateOf = async (ctx: Ctx, kind: Kind, id: Id, gone: boolean): Promise<AnyRow | null> =>
    (gone ? null : await rows.present(ctx, kind, id)) ?? (await rows.last(ctx, kind, id))

  /** Returns whether the person saw a record that they don't see until this event moved it out of their sight. */
  async function sawBefore(ctx: Ctx, kind: Kind, id: Id, before: Readonly<Record<string, unknown>>): Promise<boolean> {
    const row = await stateOf(ctx, kind, id, false)
    return row !== null && (await kind.sees(ctx, { ...row, ...before }))
  }

  const seesAny = async (ctx: Ctx, kind: Kind, some: readonly AnyRow[]): Promise<boolean> => {
    for (const row of some) if (await kind.sees(ctx, row)) return true
    return false
  }

  return async actor => {
    const ctx = reading(house, { actor, cause: 'live' })
    const seen = new Set<Id>()
    for (const { kind, ids } of news.subjects) {
      const all = seesAll(actor, kind)
      if (all === true) for (const id of ids) seen.add(id)
      if (all === null && kind !== undefined) for (const id of await seenAmong(ctx, kind, ids)) seen.add(id)
    }
    const lost = new Set<number>()
    for (const { kind, event_no, subject_id, before } of news.moved)
      if (!seen.has(subject_id) && (await sawBefore(ctx, kind, subject_id, before))) lost.add(event_no)
    for (const { kind, event_no, subject_id, request_id } of news.brought)
      if (!seen.has(subject_id) && (await seesAny(ctx, kind, await rows.written(ctx, kind, request_id)))) lost.add(event_no)
    return ({ event_no, subject_id }) => (seen.has(subject_id) ? 'event' : lost.has(event_no) ? 'changed' : null)
  }
}
