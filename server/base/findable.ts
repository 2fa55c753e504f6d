import type { Ctx } from './ctx.ts'
import type { Id } from './ids.ts'

/** How the edge finds the record of a path and judges whether the caller may see it. The kernel `records` makes these. */
export type Findable<Row> = {
  name: string
  /** Name of its id in paths: `permit_id`. */
  param: string
  /** The row, locked when writing; null when it is not there. */
  find(ctx: Ctx, site_id: Id, id: Id, lock: boolean): Promise<Row | null>
  /** Whether the caller may see it; a record that he may not see is not there. */
  sees(ctx: Ctx, row: Row): boolean | Promise<boolean>
  /** When false, a write by a member finds it although he may not see it: the handler refuses in words of its own (403). */
  hides_from_writes?: boolean
}
