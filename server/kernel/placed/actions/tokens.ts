// What permits need to know about the records of an area that they can cover (`map.md` §0.8).
import { fieldsIn, textIn, textOrNull } from '../../../../shared/narrow.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { TableName } from '../../../base/rows.ts'
import type { TokenKind } from '../../covers/door.ts'
import type { Resource } from '../../resource/door.ts'
import type { Many } from './many.ts'
import type { There } from './there.ts'

/** Returns the ids of the occurrences of schedules. */
export type Occurrences = (ctx: Ctx, site_id: Id, group_ids: readonly Id[]) => Promise<Id[]>

/** Makes it for an area. Without `occurrences`, its records don't repeat. */
export function tokensOf<T extends TableName>(
  table: T,
  area: Resource<T>,
  lock: Many<T>['lock'],
  occurrences: Occurrences | undefined,
  there: There<never> | undefined,
): TokenKind {
  const rows = async (ctx: Ctx, site_id: Id, ids: readonly Id[], group_ids: readonly Id[]) => {
    const all = [...new Set([...ids, ...((await occurrences?.(ctx, site_id, group_ids)) ?? [])])]
    const found = await lock(ctx, site_id, all)
    return found.filter(row => fieldsIn(row).deleted_at === null)
  }
  return {
    kind: table,
    there: (at, now) => there?.where(at, now) ?? sql`true`,
    end_at: now => there?.end_at?.(now) ?? sql`t.end_at`,
    async load(ctx, site_id, ids, group_ids) {
      return (await rows(ctx, site_id, ids, group_ids)).map(row => {
        const { id, start_at, end_at, name, contractor_id, schedule_group_id, occurrence_date, building_id, level_index, zone_id, place } =
          fieldsIn(row)
        const { point, polygon } = fieldsIn(place)
        return {
          ...{ kind: table, id: textIn(id), start_at: textIn(start_at), end_at: textOrNull(end_at), label: textIn(name) },
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
      })
    },
    async mayChange(ctx, site_id, ids) {
      for (const row of await rows(ctx, site_id, ids, [])) await area.mayChange(ctx, row)
    },
  }
}
