// What permits need to know about the records of an area that they can cover (`map.md` §0.8).
import { fieldsIn, textIn, textOrNull } from '../../../../shared/narrow.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { TableName } from '../../../base/rows.ts'
import type { Token, TokenKind } from '../../covers/door.ts'
import type { Resource } from '../../resource/door.ts'
import type { Many } from './many.ts'
import type { There } from './there.ts'

/** Returns the ids of the occurrences of schedules. */
export type Occurrences = (ctx: Ctx, site_id: Id, group_ids: readonly Id[]) => Promise<Id[]>

/** Returns a record as permits show it. */
function tokenOf(kind: string, row: Record<string, unknown>): Token {
  const { id, start_at, end_at, name, contractor_id, schedule_group_id, occurrence_date, building_id, level_index, zone_id, place } = row
  const { point, polygon } = fieldsIn(place)
  return {
    ...{ kind, id: textIn(id), start_at: textIn(start_at), end_at: textOrNull(end_at), label: textIn(name) },
    ...{
      contractor_id: textOrNull(contractor_id),
      schedule_group_id: textOrNull(schedule_group_id),
      occurrence_date: textOrNull(occurrence_date),
    },
    place: {
      ...{
        building_id: textOrNull(building_id),
        level_index: typeof level_index === 'number' ? level_index : null,
        zone_id: textOrNull(zone_id),
      },
      ...(point === undefined ? {} : { point }),
      ...(polygon === undefined ? {} : { polygon }),
    },
  }
}

/** Makes it for an area. Without `occurrences`, its records don't repeat. */
export function tokensOf<T extends TableName>(
  table: T,
  area: Resource<T>,
  { read, lock }: Pick<Many<T>, 'read' | 'lock'>,
  occurrences: Occurrences | undefined,
  there: There<never> | undefined,
): TokenKind {
  const rows = async (ctx: Ctx, site_id: Id, ids: readonly Id[], group_ids: readonly Id[], how: Many<T>['lock']) => {
    const all = [...new Set([...ids, ...((await occurrences?.(ctx, site_id, group_ids)) ?? [])])]
    return (await how(ctx, site_id, all)).filter(row => fieldsIn(row).deleted_at === null)
  }
  return {
    kind: table,
    there: (at, now) => there?.where(at, now) ?? sql`true`,
    end_at: now => there?.end_at?.(now) ?? sql`t.end_at`,
    load: async (ctx, site_id, ids, group_ids) =>
      (await rows(ctx, site_id, ids, group_ids, read)).map(row => tokenOf(table, fieldsIn(row))),
    lock: async (ctx, site_id, ids, group_ids) =>
      (await rows(ctx, site_id, ids, group_ids, lock)).map(row => tokenOf(table, fieldsIn(row))),
    async mayChange(ctx, site_id, ids) {
      for (const row of await rows(ctx, site_id, ids, [], read)) await area.mayChange(ctx, row)
    },
  }
}
