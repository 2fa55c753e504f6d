// When what is on the map changes (`site-and-people.md` §17).
import { sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { TableName } from '../../../base/rows.ts'
import type { ChangeKind } from '../../changes/domain.ts'
import { type ChangeSource, countChanges } from '../../changes/door.ts'
import { isUnlinked } from '../../covers/door.ts'
import type { Resource } from '../../resource/door.ts'
import { aliveDuring } from '../queries.ts'
import { type Facts, factsOf } from './members.ts'
import type { There } from './there.ts'

type Relation = ReturnType<typeof sql>

/** What an area tells about its changes. */
export type Changing = {
  /** The people of a row called `t`; none if it isn't given. */
  people?: Relation
  /** A query with the columns of the table and `from_at` and `to_at`, of how its records are during a period; for an area with versions. */
  during?(site_id: Id, from: string, to: string, now: string): Relation
}

/** Makes the source of changes of an area. */
export const changingOf = <T extends TableName>(
  kind: ChangeKind,
  table: T,
  area: Resource<T>,
  { covered, facts }: { covered: boolean; facts: Facts | undefined },
  { people = sql`0`, during }: Changing,
  there: There<never> | undefined,
): ChangeSource => ({
  kind,
  ...(facts === undefined ? {} : { subject: 'entity' as const }),
  async read(ctx, site_id, { from, to, by }, selected) {
    const where = [...(await area.list.where(ctx, site_id, by))]
    if (selected !== undefined && facts !== undefined) {
      const columns = await factsOf(ctx, site_id, { table, facts, covered }, from, false)
      where.push(sql<boolean>`exists (select 1 from (select ${columns}) m where ${selected.condition})`)
    }
    const alone = covered ? sql`(${isUnlinked})::int` : sql`0`
    const rows = during?.(site_id, from, to, ctx.now) ?? sql.table(table)
    const span = during === undefined ? sql`t.start_at as from_at, t.end_at as to_at` : sql`t.from_at, t.to_at`
    const spans = sql`select t.id, ${span}, ${people} as people, ${alone} as uncovered from ${rows} t
      where ${sql.join([sql`t.site_id = ${site_id}`, aliveDuring(from, to), ...(there === undefined ? [] : [there.where(null, ctx.now)]), ...where], sql` and `)}`
    return countChanges(ctx.db, spans, from, to)
  },
})
