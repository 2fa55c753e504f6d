import type { Ctx } from '../../base/ctx.ts'
import type { Findable } from '../../base/http.ts'
import type { Id } from '../../base/ids.ts'

/** What a revert of a change to such a record is (`site-and-people.md` §15): put back field by field, a new version, or not possible. */
export type RevertClass = 'fields' | 'version' | 'transition' | 'ledger' | 'access' | 'import'

/** A row of any table, as far as every record is alike. */
export type AnyRow = { id: Id; version?: number } & Record<string, unknown>

/** A kind of record: how it is found, who sees it, what it is called, and how its history reads. */
export type Kind<Row = AnyRow> = Findable<Row> & {
  table: string
  /** The record in words, as it is now: "PTW-000123". Kept in each entry as it was. */
  label(row: Row): string
  /** The record that it is part of. */
  parent(row: Row): { kind: string; id: Id } | null
  /** Columns that never reach the trail. */
  secret: readonly string[]
  /** Columns that are computed from others, whose change is no change. */
  derived: readonly string[]
  /** Columns that hold a geometry: the trail keeps digest and area. */
  geometry: readonly string[]
  revert: RevertClass
  /** Puts fields back through the record's own function, with its permission and refusals; only with `revert: 'fields'`. */
  put_back?(ctx: Ctx, row: Row, fields: Record<string, unknown>): Promise<void>
  /** Belongs to the platform, not to a site. */
  platform: boolean
}

/** What a room says of a kind; the rest has defaults. */
export type GivenKind<Row> = {
  name: string
  table?: string
  param?: string
  label: (row: Row) => string
  parent?: (row: Row) => { kind: string; id: Id } | null
  sees?: (ctx: Ctx, row: Row) => boolean | Promise<boolean>
  find?: (ctx: Ctx, site_id: Id, id: Id, lock: boolean) => Promise<Row | null>
  hides_from_writes?: boolean
  secret?: readonly string[]
  derived?: readonly string[]
  geometry?: readonly string[]
  revert?: RevertClass
  put_back?: (ctx: Ctx, row: Row, fields: Record<string, unknown>) => Promise<void>
  platform?: boolean
}
