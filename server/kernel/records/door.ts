import type { Instant } from '../../../shared/time.ts'
import type { Ctx } from '../../base/ctx.ts'
import type { Db } from '../../base/db.ts'
import { conflict, refuse } from '../../base/errors.ts'
import type { Findable } from '../../base/findable.ts'
import type { Id } from '../../base/ids.ts'
import { once } from '../../base/memo.ts'
import type { AnyRow, RevertClass } from './domain.ts'
import { countUses, directoryEntry, keepRow, keysUsed, lockForDeletion, rowOf } from './queries.ts'

export type { AnyRow, RevertClass } from './domain.ts'
export { directoryEntry, forgetRecords, hold, rowAsJson, rowFrom, rowOf, share, tableRow } from './queries.ts'

/** A kind of record: how it is found, who can see it, what it is called, and how its history is shown. */
export type Kind<Row = AnyRow> = Findable<Row> & {
  table: string
  /** The current name of the record: "PTW-000123". Each audit entry stores the name at its time. */
  label(row: Row): string
  /** The record that it is part of. */
  parent(row: Row): { kind: string; id: Id } | null
  /** Columns that never reach the audit log. */
  secret: readonly string[]
  /** Fields with person data (`safety.md` §0.3): the audit log has them encrypted with a key of the record, so that they can be erased from it. */
  personal: readonly string[]
  /** Computed columns, whose changes are not listed. */
  derived: readonly string[]
  /** Columns with a geometry: the audit log stores its digest and area. */
  geometry: readonly string[]
  revert: RevertClass
  /** How a change is reverted; without this it can't be. */
  undo: Undo<Row>
  /** Returns which of these records the caller can see, for long lists; leaves out ids that no longer exist. */
  sees_many?(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Map<Id, boolean>>
  /** Returns whether the caller can see all of these records that their owners share with anybody, so that nothing has to be asked about each of them. */
  sees_all?(ctx: Ctx, site_id: Id): Promise<boolean>
  /** Lists the fields that this record's history shows to the caller as changed, without values. */
  hides(ctx: Ctx, row: Row): readonly string[] | Promise<readonly string[]>
  /** Every active member can see all of them. */
  open: boolean
  /** The permission with which a person can see all of them, and is notified of those that are deleted. */
  seen_with?: string
  /** The columns of a record that decide who sees it, if they can change: people who no longer see a record are notified that their lists have changed. */
  sight: readonly string[]
  /** The kind of the records that are written together with one of these: people who see one of them, but not this, are notified that their lists have changed. */
  brings?: string
  /** Belongs to the platform, not to a site. */
  platform: boolean
  /** Its records can hold evidence, which other records can adopt (`flow-of-work.md` §0.2). */
  holds_evidence: boolean
  /** Its records are issued to people outside the team, such as the client: a file that one of them has adopted is no longer internal. */
  publishes: boolean
}

/**
 * How a change is reverted (`site-and-people.md` §15, Revert): a new write through the room's own function, with its refusals and events, and with the
 * permission that it needs today.
 */
export type Undo<Row> = {
  /** Restores the earlier values of fields. */
  fields?: {
    needs: string
    put(ctx: Ctx, row: Row, fields: Record<string, unknown>): Promise<unknown>
    /** The record in the form of the audit log, if that differs from its row. */
    now?(ctx: Ctx, row: Row): Promise<Record<string, unknown>>
  }
  /** Removes a record that was created; `id` is the id in the entry. */
  create?: { needs: string; take_away(ctx: Ctx, row: Row, id: Id): Promise<unknown> }
  /** Restores a deleted record with its old id. */
  delete?: { needs: string; bring_back(ctx: Ctx, row: Row): Promise<unknown> }
}

/** What a room declares for a kind; everything else has defaults. */
export type GivenKind<Row> = {
  name: string
  table?: string
  param?: string
  label: (row: Row) => string
  parent?: (row: Row) => { kind: string; id: Id } | null
  /** Who sees a record; left out if `seen_with` says it of all of them. */
  sees?: (ctx: Ctx, row: Row) => boolean | Promise<boolean>
  find?: (ctx: Ctx, site_id: Id, id: Id, lock: boolean) => Promise<Row | null>
  shared?: (id: Id) => boolean
  secret?: readonly string[]
  personal?: readonly string[]
  derived?: readonly string[]
  geometry?: readonly string[]
  revert?: RevertClass
  undo?: Undo<Row>
  hides?: (ctx: Ctx, row: Row) => readonly string[] | Promise<readonly string[]>
  seen_with?: string
  sight?: readonly string[]
  brings?: string
  sees_many?: (ctx: Ctx, site_id: Id, ids: readonly Id[]) => Promise<Map<Id, boolean>>
  sees_all?: (ctx: Ctx, site_id: Id) => Promise<boolean>
  platform?: boolean
  holds_evidence?: boolean
  publishes?: boolean
}

/**
 * Makes a kind of record. Defaults: table and path parameter by its name, found by site and id, visible to every active member; for the platform, found
 * by id and visible to superadmins.
 */
export function kind<Row = AnyRow>(given: GivenKind<Row>): Kind<Row> {
  if (given.sees !== undefined && given.seen_with !== undefined)
    throw new Error(`Either a permission is enough to see ${given.name}, or it isn’t.`)
  const table = given.table ?? given.name
  return {
    name: given.name,
    table,
    param: given.param ?? `${given.name}_id`,
    label: given.label,
    parent: given.parent ?? (() => null),
    // Tables of the platform have no site. The table's row is what `Row` describes.
    find:
      given.find ??
      (async (ctx, site_id, id, lock) => (await rowOf(ctx.db, table, given.platform === true ? null : site_id, id, lock)) as Row | null),
    // A site's members can see its records, and the edge has checked that the caller is one; a record without a site has no members.
    sees:
      given.sees ??
      (ctx => (given.seen_with === undefined ? given.platform !== true || ctx.actor.is_superadmin : ctx.actor.can(given.seen_with))),
    ...(given.shared === undefined ? {} : { shared: given.shared }),
    secret: given.secret ?? [],
    personal: given.personal ?? [],
    derived: given.derived ?? [],
    geometry: given.geometry ?? [],
    revert: given.revert ?? 'fields',
    undo: given.undo ?? {},
    hides: given.hides ?? (() => []),
    ...(given.seen_with === undefined ? {} : { seen_with: given.seen_with }),
    ...(given.sees_many === undefined ? {} : { sees_many: given.sees_many }),
    ...(given.sees_all === undefined ? {} : { sees_all: given.sees_all }),
    open: given.sees === undefined && given.seen_with === undefined && given.platform !== true,
    sight: given.sight ?? [],
    ...(given.brings === undefined ? {} : { brings: given.brings }),
    platform: given.platform ?? false,
    holds_evidence: given.holds_evidence ?? false,
    publishes: given.publishes ?? false,
  }
}

const byTable = new Map<string, Kind<AnyRow>>()
const byName = new Map<string, Kind<AnyRow>>()

/** Registers the kinds of all rooms, once, at startup. */
export function plugKinds(kinds: readonly Kind[]): void {
  byTable.clear()
  byName.clear()
  for (const one of kinds) {
    if (byTable.has(one.table)) throw new Error(`Two kinds use the table ${one.table}.`)
    if (byName.has(one.name)) throw new Error(`Two kinds are called ${one.name}.`)
    byTable.set(one.table, one)
    byName.set(one.name, one)
  }
}

/** Returns the kind whose records are in a table. */
export const kindOfTable = (table: string): Kind<AnyRow> | undefined => byTable.get(table)
/** Returns the kind with this name. */
export const kindNamed = (name: string): Kind<AnyRow> | undefined => byName.get(name)
function knownKind(of: string): Kind<AnyRow> {
  const known = kindNamed(of)
  if (known === undefined) throw new Error(`No room has records of the kind ${of}.`)
  return known
}

/** Lists every kind. */
export const allKinds = (): Kind<AnyRow>[] => [...byName.values()]

const places = new Map<Id, Id>()

/** Returns the site of a record, by its id alone. A record never moves to another site, so the result is remembered. */
export async function siteOfRecord(db: Db, id: Id): Promise<Id | null> {
  const known = places.get(id)
  if (known !== undefined) return known
  const entry = await directoryEntry(db, id)
  if (entry === null) return null
  if (places.size >= 200_000) places.clear()
  places.set(id, entry.site_id)
  return entry.site_id
}

/**
 * Limits a count of uses. `from`: at or after this instant instead of now; `levels`: only uses that refer to one of these levels of a building; `there`: only
 * uses by records that aren't deleted; `but`: not by these.
 */
export type UseScope = { from?: Instant; levels?: readonly number[]; there?: boolean; but?: readonly Id[] }

/**
 * How one area uses records of another: an `ever` use prevents deletion (`in_use`), `ahead` counts future uses, `now` is shown as a count.
 */
export type Use = {
  of: string
  name: string
  when: 'ever' | 'ahead' | 'now'
  count(ctx: Ctx, site_id: Id, ids: readonly Id[], scope: UseScope): Promise<Map<Id, number>>
  /** Table and column of a foreign key, if that is the whole use: `usedAmong` then asks all such uses in one statement. */
  key?: { table: string; column: string }
}

/** Returns how a table uses records by a foreign key; with `status`, only by its rows with one of these. `kept`: its deleted rows stay in it. */
export const rowUse = (
  use: Pick<Use, 'of' | 'name' | 'when'>,
  table: string,
  column: string,
  status: readonly string[] | null = null,
  kept = false,
): Use => ({
  ...use,
  ...(status === null ? { key: { table, column } } : {}),
  count: (ctx, site_id, ids, { there = false, but = [] }) =>
    countUses(ctx.db, table, column, site_id, ids, { status, there: there && kept, but }),
})

const uses: Use[] = []

/** Registers which rooms use which records, once, at startup. */
export function plugUses(all: readonly Use[]): void {
  uses.splice(0, uses.length, ...all)
}

/** Returns how often each of these records is used, by area; areas that don't use one are left out. */
export async function usesOf(
  ctx: Ctx,
  of: string,
  when: Use['when'],
  site_id: Id,
  ids: readonly Id[],
  scope: UseScope = {},
): Promise<Map<Id, Record<string, number>>> {
  const out = new Map<Id, Record<string, number>>(ids.map(id => [id, {}]))
  if (ids.length === 0) return out
  for (const use of uses) {
    if (use.of !== of || use.when !== when) continue
    for (const [id, n] of await use.count(ctx, site_id, ids, scope)) {
      const counts = out.get(id)
      if (counts !== undefined && n > 0) counts[use.name] = n
    }
  }
  return out
}

/** Counts what uses records that are about to be deleted, and keeps new references away from them until the end of the transaction (decision 1130). */
export async function usesBeforeDeletion(
  ctx: Ctx,
  of: string,
  site_id: Id,
  ids: readonly Id[],
  scope: UseScope = {},
): Promise<Map<Id, Record<string, number>>> {
  if (!uses.some(use => use.of === of && use.when === 'ever')) return new Map()
  await lockForDeletion(ctx.db, knownKind(of).table, site_id, ids)
  return usesOf(ctx, of, 'ever', site_id, ids, scope)
}

type Labelled = { id: Id; label: string }

/**
 * Refuses to delete records that others refer to (`in_use`). Records that are deleted together can refer to each other. `kept`: they stay in their table, so a
 * deleted record can refer to them, too.
 */
export async function refuseUsed(ctx: Ctx, of: string, site_id: Id, records: readonly Labelled[], kept: boolean): Promise<void> {
  const all = records.map(({ id }) => id)
  const found = await usesBeforeDeletion(ctx, of, site_id, all, { there: kept, but: all })
  for (const { id, label } of records) {
    const in_use = found.get(id) ?? {}
    const detail = `${label} is used by other records, so it can’t be deleted. Remove it from those records first.`
    if (Object.keys(in_use).length > 0) refuse(conflict('in_use', detail, { in_use }))
  }
}

/** Returns which of these records are used at all (`ever`), so that they can't be deleted: for lists, without counting. */
export async function usedAmong(ctx: Ctx, of: string, site_id: Id, ids: readonly Id[]): Promise<ReadonlySet<Id>> {
  const all = uses.filter(use => use.of === of && use.when === 'ever')
  const used = new Set(
    await keysUsed(
      ctx.db,
      site_id,
      all.flatMap(({ key }) => key ?? []),
      ids,
    ),
  )
  for (const { key, count } of all) if (key === undefined) for (const [id, n] of await count(ctx, site_id, ids, {})) if (n > 0) used.add(id)
  return used
}

/**
 * Returns whether a site has a record of this kind that the caller can see: for ids in a body. One that they can't see doesn't exist for them, and in a
 * body it is a fault of the field. Until the end of the transaction it isn't deleted, either: what refers to it is written then, or the deletion is refused.
 */
export const onSite = (ctx: Ctx, site_id: Id, of: string, id: Id): Promise<boolean> =>
  // Once in a transaction: the occurrences of a schedule refer to the same few records.
  once(ctx, `on site ${site_id} ${of} ${id}`, async () => {
    const known = knownKind(of)
    await keepRow(ctx.db, known.table, site_id, id)
    const row = await known.find(ctx, site_id, id, false)
    return row !== null && (await known.sees(ctx, row))
  })
