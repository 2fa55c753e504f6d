// What is on the map for a time, as a layer of a file for other programs (`map.md` §12).
import { fieldsIn, textIn, textOrNull } from '../../../../shared/narrow.ts'
import type { Instant } from '../../../../shared/time.ts'
import { sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row, TableName } from '../../../base/rows.ts'
import type { ExportFeature, ExportLayerName, Wanted } from '../../exports/domain.ts'
import { type ExportLayer, inBatches } from '../../exports/door.ts'
import { readAreal } from '../../geometry/door.ts'
import type { Resource } from '../../resource/door.ts'
import { aliveAt, aliveDuring } from '../queries.ts'
import { columnsIn, shapeOf } from './columns.ts'
import type { There } from './there.ts'

/** Columns that other programs don’t need, and ids of people. */
const LEFT_OUT = [
  'id',
  'site_id',
  'bounds',
  'lon',
  'lat',
  'version',
  'created_at',
  'created_by',
  'updated_by',
  'decided_by',
  'deleted_at',
  'start_at',
  'end_at',
  'from_at',
  'to_at',
  'version_from',
  'fill_stale',
]

/** The queries of an area whose records have versions: how they were at an instant, and each version during a period with the time `from_at`, `to_at` for which it was so. */
export type Versions = {
  as_then(site_id: Id, at: Instant): ReturnType<typeof aliveAt>
  during(site_id: Id, from: Instant, to: Instant): ReturnType<typeof aliveAt>
}

/** Makes the layer of an area. `without`: fields that never leave the service, such as names of people. */
export function exportedOf<T extends TableName>(
  layer: ExportLayerName,
  area: Resource<T>,
  without: readonly string[],
  there: There<Row<T>> | undefined,
  versions: Versions | undefined,
): ExportLayer {
  const gone = new Set([...LEFT_OUT, ...without])
  const featureOf = (shown: Record<string, unknown>, row: Row<T>): ExportFeature[] => {
    const { geometry: left, from_at, to_at } = fieldsIn(row)
    const geometry = versions === undefined ? shapeOf(columnsIn(row).place) : readAreal(left, 'geometry', [])
    if (geometry === null) return []
    return [
      {
        id: textIn(shown.id),
        geometry,
        start_at: textOrNull(from_at) ?? textIn(shown.start_at),
        end_at: textOrNull(to_at ?? shown.end_at),
        properties: Object.fromEntries(Object.entries(shown).filter(([name]) => !gone.has(name))),
      },
    ]
  }
  return {
    layer,
    features(ctx, site_id, wanted) {
      const { from, to } = wanted
      const when = to === null ? aliveAt(from) : aliveDuring(from, to)
      const moment: Instant = to === null ? from : ctx.now
      const source = to === null ? versions?.as_then(site_id, from) : versions?.during(site_id, from, to)
      return inBatches<Row<T>, readonly [string, number]>(
        (after, limit) =>
          area.list.whole({ ...ctx, now: moment }, site_id, filtersOf(wanted), {
            also: [
              when,
              ...(there === undefined ? [] : [there.where(to === null ? from : null, ctx.now)]),
              ...(after === null ? [] : [afterOf(after, versions !== undefined)]),
            ],
            order: versions === undefined ? ['id'] : ['id', 'version_number'],
            most: limit,
            ...(source === undefined ? {} : { from: source }),
          }),
        row => [textIn(fieldsIn(row).id), Number(fieldsIn(row).version_number ?? 0)],
        async rows => {
          const shown = await area.showBare(ctx, rows, moment)
          return rows.flatMap((row, i) => featureOf(shown[i] ?? {}, row))
        },
      )
    },
  }
}

/** Returns the condition for what comes after a record, or after a version of it. */
const afterOf = ([id, number]: readonly [string, number], versioned: boolean) =>
  versioned ? sql`(t.id, t.version_number) > (${id}::uuid, ${number}::int)` : sql`t.id > ${id}::uuid`

/** Returns what is wanted as the filters of a list. */
const filtersOf = ({ level_index, building_id, contractor_id, bbox }: Wanted): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ level_index, building_id, contractor_id, bbox }).filter(([, value]) => value !== undefined))
