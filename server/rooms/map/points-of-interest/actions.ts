import { textIn, textOrNull } from '../../../../shared/narrow.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import { conflict, enforce, refuse } from '../../../base/errors.ts'
import { positionIn, slice } from '../../../base/paging.ts'
import type { Row } from '../../../base/rows.ts'
import { flag, optional } from '../../../base/schema.ts'
import { readNear } from '../../../kernel/geometry/door.ts'
import { filters } from '../../../kernel/listing/door.ts'
import { stateAt } from '../../../kernel/placed/domain.ts'
import { placed, refuseBackwards, type StoredPlace } from '../../../kernel/placed/door.ts'
import { hold } from '../../../kernel/records/door.ts'
import { byDistance, concernsPeople, isEmergency, POI_KINDS, signOf } from './domain.ts'
import { otherAssemblyPoints, positionsOf } from './queries.ts'
import { computed, fields, near } from './schema.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'poi.place': StoredPlace
  }
}

type Poi = Row<'poi'>

const EMERGENCY_KINDS = POI_KINDS.filter(isEmergency)

/** Publishes a change of a point that people rely on in an emergency. */
function told(ctx: Ctx, row: Poi | null, before: Poi | null): void {
  const concerned = [row, before].find(one => one !== null && isEmergency(one.poi_kind) && concernsPeople(one, ctx.now))
  const of = row ?? before
  if (concerned == null || of === null) return
  ctx.emit({
    kind: 'poi.emergency_changed',
    site_id: of.site_id,
    subject: { kind: 'poi', id: of.id, label: of.name },
    payload: {
      poi_kind: of.poi_kind,
      change: row === null ? 'removed' : before === null ? 'added' : stateAt(row, ctx.now) === 'past' ? 'ended' : 'changed',
    },
  })
}

const area = placed({
  kind: 'poi',
  path: '/pois/',
  without_show: true,
  noun: 'point of interest',
  shape: 'Poi',
  says: 'A point of interest on the map',
  fields,
  computed,
  layer: 'annotations',
  drawn: 'point',
  list: {
    order: ['poi_kind', 'name'],
    search: ['name'],
    filters: {
      poi_kind: filters.oneOf(POI_KINDS, 'Kinds'),
      emergency: {
        schema: optional(flag('Whether they help in an emergency')),
        column: 'poi_kind',
        where: (column, wanted) => sql`(${column} = any(${EMERGENCY_KINDS}::text[])) = ${wanted}`,
      },
      near: { schema: near, column: 'id', where: column => sql`${column} is not null` },
    },
  },
  access: { view: 'map_view', create: 'map_entity_edit_any', change: 'map_entity_edit_any', remove: 'map_entity_edit_any' },
  told,
  hooks: {
    faults: (ctx, next, before) =>
      before !== null && before.poi_kind !== next.poi_kind && stateAt(before, ctx.now) !== 'future'
        ? [
            {
              path: 'poi_kind',
              message: 'can no longer be changed, because this point is already on the map. End it and add another one.',
            },
          ]
        : [],
    shown: (_ctx, rows) => rows.map(row => ({ emergency: isEmergency(row.poi_kind), iso_7010: signOf(row.poi_kind) })),
  },
})

/** Refuses to leave a site without an assembly point, unless force is sent by someone who can. */
async function keepAssemblyPoint(ctx: Ctx, row: Poi, force: boolean): Promise<void> {
  if (row.poi_kind !== 'assembly_point' || stateAt(row, ctx.now) !== 'running') return
  // Two people who each remove one of the last two can’t both succeed.
  await hold(ctx, 'assembly points', row.site_id)
  if (await otherAssemblyPoints(ctx.db, row.site_id, row.id, ctx.now)) return
  if (force) return enforce([ctx.actor.lacks('map_entity_purge')])
  refuse(conflict('last_assembly_point', `${row.name} is the only assembly point of this site. Add another one first.`))
}

const MOST = 20_000

/** The points of interest of a site. */
export const pois: typeof area = {
  ...area,
  async page(ctx, site_id, query) {
    if (query.near === undefined) return area.page(ctx, site_id, query)
    const from = readNear(textIn(query.near))
    const limit = typeof query.limit === 'number' ? query.limit : 200
    const begin = positionIn(query.cursor)
    if (query.include_deleted === true) enforce([ctx.actor.lacks('map_entity_edit_any')])
    refuseBackwards(query)
    const asked = { ...query, include_deleted: query.include_deleted === true }
    // All points of a kind are compared, but only those of the page are read with all that they have.
    const ordered = byDistance(await positionsOf(ctx.db, site_id, await area.list.where(ctx, site_id, asked), MOST + 1), from)
    const { rows: near, next } = slice(
      ordered.map(({ row: { id }, distance_m }) => ({ id, distance_m })),
      begin,
      limit,
    )
    const found = await area.list.whole(ctx, site_id, { ...asked, id: near.map(({ id }) => id) }, { also: [], order: ['id'], most: limit })
    const row_of = new Map(found.map(row => [row.id, row]))
    // A point that was removed between the two reads is left out.
    const page = near.flatMap(({ id, distance_m }) => {
      const row = row_of.get(id)
      return row === undefined ? [] : [{ row, distance_m }]
    })
    const shown = await area.showAll(
      ctx,
      page.map(({ row }) => row),
    )
    return {
      rows: shown.map((row, i) => ({ ...row, distance_m: page[i]?.distance_m ?? 0 })),
      next,
      total: ordered.length,
    }
  },
  async change(ctx, row, body) {
    const start_at = textOrNull(body.start_at) ?? row.start_at
    const end_at = body.end_at === undefined ? row.end_at : textOrNull(body.end_at)
    if (stateAt({ start_at, end_at }, ctx.now) !== 'running') await keepAssemblyPoint(ctx, row, false)
    return area.change(ctx, row, body)
  },
}

/** Removes a point that is ahead, or ends one that is there. */
export async function removePoi(ctx: Ctx, row: Poi, force: boolean): Promise<void> {
  await area.mayRemove(ctx, row)
  await keepAssemblyPoint(ctx, row, force)
  await area.remove(ctx, row)
}
