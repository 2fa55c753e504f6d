import type { Ctx } from './ctx.ts'
import type { Db } from './db.ts'
import type { Id } from './ids.ts'

/** How the edge finds the record of a path and checks whether the caller can see it. The kernel `records` makes these. */
export type Findable<Row> = {
  name: string
  /** Name of its id in paths: `permit_id`. */
  param: string
  /** Returns the row, locked for writing if `lock` is set; null if it doesn't exist. */
  find(ctx: Ctx, site_id: Id, id: Id, lock: boolean): Promise<Row | null>
  /** Returns whether the caller can see it. A record that they can't see doesn't exist for them. */
  sees(ctx: Ctx, row: Row): boolean | Promise<boolean>
  /** Returns the site of an id, for records that are not in the directory of records. */
  locate?(db: Db, id: Id): Promise<Id | null>
  /** Returns whether every site has this id (standard records): the query or body then contains the site. */
  shared?(id: Id): boolean
}
