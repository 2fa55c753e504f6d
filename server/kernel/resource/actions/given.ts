// What an area declares so that the mechanism can run it, and what the mechanism returns.
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { FieldFault, Verdict } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import type { ColumnName, Row, TableName } from '../../../base/rows.ts'
import type { EventKind } from '../../events/door.ts'
import type { EvidenceHolder } from '../../evidence/kit.ts'
import type { GivenLife, Needs } from '../../lifecycle/door.ts'
import type { Listing, ListPage, listing } from '../../listing/door.ts'
import type { Kind, Use } from '../../records/door.ts'
import type { Shaped, shapesOf } from '../domain.ts'

/** The declaration of a plain area. */
export type GivenResource<T extends TableName> = Omit<Shaped, 'lifecycle' | 'evidence'> & {
  /** Name of the kind of record, which is also the name of its table and the first part of its events: `gate`. */
  kind: T
  /** Leaves out the endpoint that returns one record. */
  without_show?: true
  /** Leaves out the endpoint that deletes a record, because the area has its own. */
  without_remove?: true
  /** Parameter of its paths; default `gate_id`. */
  param?: string
  /** The record in a sentence: `gate`. */
  noun: string
  /** Name of a record in audit log, tasks and events. Default: its number, or its name. */
  label?: (row: Row<T>) => string
  /** Whether the caller sees a record, if not everyone who has the permission to view does; the list has the same rule in `list.sees`. */
  sees?(ctx: Ctx, row: Row<T>): boolean | Promise<boolean>
  /** The columns that decide, with `sees`, who sees a record, if they can change. */
  sight?: readonly ColumnName<T>[]
  /** Columns that no two records of the site share, whatever the case. */
  unique?: readonly ColumnName<T>[]
  /** Order, filters and search of the list. */
  list: Parameters<typeof listing<T>>[1]
  access: { view: string; create: Needs; change: Needs; remove: Needs; restore?: string }
  /** Its states and steps; the table has a column `status`. */
  lifecycle?: GivenLife<Row<T>>
  /**
   * Lets its records hold files: who can attach them, and the permission to remove those of other people. A record in a final state keeps its files.
   */
  evidence?: { add: Needs; remove: string }
  /** Why a record of this state can’t be changed or deleted, besides permissions; the flags say the same. */
  limits?: {
    change?(ctx: Ctx, row: Row<T>): Verdict
    remove?(ctx: Ctx, row: Row<T>): Verdict
    /** Why some of these records can’t be deleted, by their id, because others rely on them: for a whole page with one query. */
    relied_on?(ctx: Ctx, rows: readonly Row<T>[]): Promise<ReadonlyMap<Id, Verdict>>
  }
  /** Publishes a write itself, instead of the events of the area. `row` is the record as it is now, or as it was before it was deleted. */
  tell?(ctx: Ctx, verb: string, row: Row<T>, before: Row<T> | null): void
  /** Columns that follow from others: the history doesn’t list them. */
  derived?: readonly string[]
  /** Fields with person data, which the audit log has encrypted with a key of the record. */
  personal?: readonly ColumnName<T>[]
  /** Fields whose values the history doesn’t show to the caller. */
  hides?(ctx: Ctx, row: Row<T>): Promise<readonly string[]>
  hooks?: Hooks<T>
}

/** The four hooks by which an area can differ from the standard one. */
export type Hooks<T extends TableName> = {
  /** Returns what would be wrong with the record if it were saved; `before` is null at creation. */
  faults?(ctx: Ctx, next: Row<T>, before: Row<T> | null): readonly FieldFault[] | Promise<readonly FieldFault[]>
  /** Columns that follow from others. */
  derive?(ctx: Ctx, next: Row<T>, before: Row<T> | null): Partial<Row<T>> | Promise<Partial<Row<T>>>
  /** The computed fields of the response, for several records at once, as they are at an instant. */
  shown?(ctx: Ctx, rows: readonly Row<T>[], at: Instant): Promise<readonly Record<string, unknown>[]> | readonly Record<string, unknown>[]
  /** What else follows from a write: events, tasks, other records. `row` is null after a deletion. */
  after?(ctx: Ctx, row: Row<T> | null, before: Row<T> | null): void | Promise<void>
}

/** The columns that the mechanism itself works with. */
export type Plain = {
  site_id: Id
  id: Id
  version: number
  created_by: Id | null
  contractor_id?: Id | null
  status?: string
  deleted_at?: string | null
  [column: string]: unknown
}

/** A plain area, as its room uses it. `room.ts` takes `kind`, `events` and `uses`; `routes.ts` makes its endpoints with `routesOf`. */
export type Resource<T extends TableName> = {
  given: GivenResource<T>
  shapes: ReturnType<typeof shapesOf>
  kind: Kind<Row<T>>
  /** Deleted records, for the route that restores them. */
  binned: Kind<Row<T>>
  list: Listing<T>
  events: EventKind[]
  uses: Use[]
  page(ctx: Ctx, site_id: Id, query: Record<string, unknown>): Promise<Omit<ListPage<T>, 'rows'> & { rows: Record<string, unknown>[] }>
  show(ctx: Ctx, row: Row<T>): Promise<Record<string, unknown>>
  showAll(ctx: Ctx, rows: readonly Row<T>[]): Promise<Record<string, unknown>[]>
  /** Returns the caller’s flags on records. */
  flagsOf(ctx: Ctx, rows: readonly Row<T>[]): Promise<Record<string, unknown>[]>
  /** Returns records without the caller’s flags, for long responses; `at`: what is computed is as it is then, by default now. */
  showBare(ctx: Ctx, rows: readonly Row<T>[], at?: Instant): Promise<Record<string, unknown>[]>
  create(ctx: Ctx, site_id: Id, body: Record<string, unknown>): Promise<Record<string, unknown>>
  change(ctx: Ctx, row: Row<T>, body: Record<string, unknown>): Promise<Record<string, unknown>>
  remove(ctx: Ctx, row: Row<T>): Promise<void>
  /** Refuses the caller who can’t delete this record. */
  mayRemove(ctx: Ctx, row: Row<T>): Promise<void>
  /** Checks a record as it would be saved; returns it with the columns that follow from its fields. For areas that write several at once. */
  checked(ctx: Ctx, next: Row<T>, before: Row<T> | null): Promise<Row<T>>
  /** Refuses the caller who can’t change this record. */
  mayChange(ctx: Ctx, row: Row<T>): Promise<void>
  /** Returns a new record before it is checked: its fields, and null for those that are left out. */
  blank(site_id: Id, body: Record<string, unknown>): Row<T>
  /** Writes columns, as a change does, without its permission: for steps of the area’s own. */
  put(ctx: Ctx, row: Row<T>, set: Readonly<Record<string, unknown>>): Promise<Row<T>>
  restore(ctx: Ctx, row: Row<T>): Promise<Record<string, unknown>>
  /** Takes a step of its lifecycle. */
  step(ctx: Ctx, row: Row<T>, action: string, body: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Takes a step for several records, with a result for each. */
  stepAll(ctx: Ctx, site_id: Id, ids: readonly Id[], action: string, body: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Attaches, adopts, changes and removes the files of its records; null if they can't have files. */
  evidence: Pick<EvidenceHolder<Row<T>>, 'owner' | 'attach' | 'adopt' | 'change' | 'remove'> | null
}
