import type { Ctx } from '../../../base/ctx.ts'
import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import {
  onSite,
  type RuleContent,
  type RuleRow,
  ruleRow,
  type Shipped,
  shippedById,
  sitesAmong,
  sitesOfShipped,
} from '../../../kernel/notices/door.ts'
import { kind } from '../../../kernel/records/door.ts'

/** A rule on a site: one of its own, or a standard one with the site's settings. */
export type SiteRule = RuleContent & {
  site_id: Id
  id: Id
  /** The version of its content: each change makes the next one. */
  version: number
  source: 'shipped' | 'site'
  locked: boolean
  based_on_id: Id | null
  author_id: Id | null
  created_at: string | null
  updated_at: string | null
  shipped: Shipped | null
}

/** Returns a rule of the database as people see it. */
export function ruleOf(site_id: Id, row: RuleRow | null, shipped: Shipped | undefined): SiteRule | null {
  if (shipped !== undefined) {
    const { number, ...rest } = onSite(shipped, site_id, row)
    return { ...rest, site_id, version: number, based_on_id: null, created_at: null, updated_at: row?.updated_at ?? null, shipped }
  }
  if (row === null) return null
  const { number, created_by, ...rest } = row
  return { ...rest, version: number, locked: false, author_id: created_by, shipped: null }
}

/** A rule as a parameter of a path. */
export const rule = {
  ...kind<SiteRule>({
    name: 'notification_rule',
    param: 'rule_id',
    label: row => row.name,
    find: async (ctx: Ctx, site_id: Id, id: Id, lock: boolean) =>
      ruleOf(site_id, await ruleRow(ctx.db, site_id, id, lock), shippedById(site_id, id)),
    seen_with: 'notification_rule_view',
    derived: ['name_key', 'number'],
    revert: 'ledger',
  }),
  /** A standard rule has no row of its own: its id contains the site's. */
  locate: async (db: Db, id: Id) => (await sitesAmong(db, sitesOfShipped(id)))[0] ?? null,
}
