import { isDeepStrictEqual } from 'node:util'
import { areaOf } from '../../../../../shared/geometry/plane.ts'
import { fieldsIn, textIn, textOrNull } from '../../../../../shared/narrow.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'
import { type CutterKind, type GroundKind, type OnGround, openedAt } from '../../../../kernel/geometry/door.ts'
import { filters } from '../../../../kernel/listing/door.ts'
import { MAP_ANY, stateAt } from '../../../../kernel/placed/domain.ts'
import { isPlaceOf } from '../../../../kernel/placed/door.ts'
import { tableRow } from '../../../../kernel/records/door.ts'
import { namesOfPeople } from '../../../../kernel/tasks/door.ts'
import { checkOverlaps } from '../../geometry/door.ts'
import { scheduled } from '../../kit/actions/scheduled.ts'
import { AREA_KINDS, cantDraw, fieldsChanged, heightFaults, isExclusive, validity, versionFrom } from '../domain/areas.ts'
import { areasAround, areasThen, facts, keepVersion, versionsOf } from '../queries/areas.ts'
import { staleAmong } from '../queries/fills.ts'
import { computed, fields } from '../schema/areas.ts'

type Area = Row<'active_area'>

const writing = { own: 'map_entity_edit', any: MAP_ANY }
/** Columns that say which version it is, or when it was written. */
const BOOKKEEPING = ['version', 'updated_at', 'updated_by', 'version_from', 'version_number']
const content = (row: Area) => Object.fromEntries(Object.entries(row).filter(([column]) => !BOOKKEEPING.includes(column)))

const drawing = (ctx: Ctx, area_kind: unknown) => cantDraw(area_kind, ctx.actor.can(MAP_ANY))

/** Returns the columns that follow from others: what is left of the polygon after cuts, and since when the area is so. Every way to write an area leads here, so the kinds that only coordinators draw are refused here. */
async function derive(ctx: Ctx, next: Area, before: Area | null): Promise<Partial<Area>> {
  if (next.area_kind !== before?.area_kind) enforce([drawing(ctx, next.area_kind)])
  const drawn = next.place.polygon
  const redrawn = before === null || !isDeepStrictEqual(drawn, before.place.polygon)
  const cut = before !== null && !isDeepStrictEqual(next.geometry, before.geometry)
  const geometry = redrawn && !cut && drawn !== undefined ? await openedAt(ctx, next, drawn, ctx.now) : next.geometry
  const exclusive = next.exclusive ?? isExclusive(next.area_kind)
  const whole = { ...next, geometry, exclusive, area_m2: Math.round(areaOf(geometry) * 1000) / 1000 }
  if (before === null) return { ...whole, version_number: 1, version_from: null }
  if (isDeepStrictEqual(content(whole), content(before))) return {}
  return { ...whole, version_number: before.version_number + 1, version_from: versionFrom(before, ctx.now) }
}

const made = scheduled({
  kind: 'active_area',
  schedule: 'active_area_schedule',
  skips: 'fill_group_id',
  path: '/active-areas/',
  param: 'area_id',
  noun: 'active area',
  shape: 'ActiveArea',
  says: 'A patch of ground that someone has for a time',
  fields,
  defaults: { area_kind: 'work', exclusive: undefined, fill_group_id: null },
  computed,
  layer: 'areas',
  drawn: 'polygon',
  as_then: areasThen,
  facts,
  list: {
    order: ['start_at'],
    search: ['name'],
    filters: { area_kind: filters.oneOf(AREA_KINDS, 'Kinds'), fill_group_id: filters.among('Fills') },
  },
  access: { view: 'map_view', create: writing, change: writing, remove: writing },
  limits: { change: (ctx, row) => drawing(ctx, row.area_kind), remove: (ctx, row) => drawing(ctx, row.area_kind) },
  bars: (ctx, { area_kind }) => drawing(ctx, area_kind),
  hooks: {
    faults: (_ctx, next) => heightFaults(next),
    derive,
    async shown(ctx, rows) {
      const fills = [...new Set(rows.flatMap(row => row.fill_group_id ?? []))]
      const stale = await staleAmong(ctx.db, rows[0]?.site_id ?? '', fills)
      return rows.map(({ fill_group_id }) => (fill_group_id === null ? {} : { fill_stale: stale.has(fill_group_id) }))
    },
    async after(ctx, row, before) {
      if (row !== null && before !== null && row.version_number !== before.version_number)
        await keepVersion(ctx.db, before, validity(before, ctx.now))
    },
  },
})

/** Returns an area as it is shown after a write, with what it overlaps: a warning, never a refusal. */
async function warned(ctx: Ctx, site_id: Id, shown: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { id, start_at, end_at } = shown
  const asked = { feature_id: textIn(id), start_at: textIn(start_at), end_at: textOrNull(end_at) }
  const overlaps = await checkOverlaps(ctx, site_id, asked)
  return { ...shown, overlap_warnings: overlaps.filter(overlap => fieldsIn(overlap).verdict !== 'allow') }
}

/** Active areas, with their schedules. */
export const areas: typeof made = {
  ...made,
  area: {
    ...made.area,
    create: async (ctx, site_id, body) => warned(ctx, site_id, await made.area.create(ctx, site_id, body)),
    async change(ctx, row, body) {
      // Another shape or time takes a member out of its fill; name, contractor and notes stay through the next computation.
      const { place = row.place, start_at = row.start_at, end_at = row.end_at } = body
      const leaves = row.fill_group_id !== null && (!isPlaceOf(row, place) || start_at !== row.start_at || end_at !== row.end_at)
      const shown = await made.area.change(ctx, row, leaves ? { ...body, fill_group_id: null } : body)
      return ['place', 'start_at', 'end_at', 'edited'].some(field => field in body) ? warned(ctx, row.site_id, shown) : shown
    },
  },
}

/** Removes an area that is ahead, or ends one that is there. One that has ended says who had which ground, so it isn’t deleted by mistake. */
export async function removeArea(ctx: Ctx, row: Area, whole: boolean): Promise<void> {
  await areas.area.mayRemove(ctx, row)
  if (!whole && stateAt(made.area.life(row), ctx.now) === 'past')
    refuse(conflict('is_a_record', `${row.name} has ended, and stays on the map of that time. To delete it there as well, send scope=all.`))
  await areas.area.remove(ctx, row)
}

/** Fields whose changes the list of versions names. */
const SHOWN = [
  'name',
  'area_kind',
  'exclusive',
  'base_m',
  'top_m',
  'contractor_id',
  'start_at',
  'end_at',
  'place',
  'geometry',
  'colour',
  'notes',
]

/** Lists the versions of an area, newest first. */
export async function showVersions(ctx: Ctx, row: Area): Promise<Record<string, unknown>[]> {
  const older = await versionsOf(ctx.db, row.site_id, row.id)
  const now = { content: fieldsIn(row), number: row.version_number, valid_from: row.version_from ?? row.start_at, valid_to: row.end_at }
  const all = [now, ...older]
  const names = await namesOfPeople(
    ctx.db,
    all.flatMap(({ content }) => textOrNull(content.updated_by) ?? []),
  )
  return all.map(({ content: shown, number, valid_from, valid_to }, i) => {
    const before = all[i + 1]
    const { updated_at, updated_by } = shown
    return {
      ...{ ...shown, number, valid_from, valid_to, written_at: updated_at, written_by: updated_by },
      written_by_name: names.get(textOrNull(updated_by) ?? '') ?? null,
      changed: before === undefined ? [] : fieldsChanged(before.content, shown, SHOWN),
    }
  })
}

const onGround = (row: Area): OnGround => ({
  ...{ kind: 'active_area', id: row.id, name: row.name, geometry: row.geometry, from: row.start_at, to: row.end_at },
  levels: { building_id: row.building_id, from: row.level_index, to: row.level_index },
  ...{ indexes: [], zone_type: null, contractor_id: row.contractor_id, exclusive: row.exclusive, base_m: row.base_m, top_m: row.top_m },
})

const isThere = (row: Area, at: Instant): boolean =>
  row.deleted_at === null && row.start_at <= at && (row.end_at === null || row.end_at > at)

const ground: GroundKind = {
  kinds: ['active_area'],
  async find(ctx, site_id, id, at) {
    const row = await tableRow(ctx.db, 'active_area', site_id, id, false)
    return row !== null && isThere(row, at) ? onGround(row) : null
  },
  around: async (ctx, site_id, _kinds, box, from, to) => (await areasAround(ctx.db, site_id, box, from, to)).map(onGround),
}

const cutter: CutterKind = {
  kind: 'active_area',
  async find(ctx, site_id, id, at) {
    const row = await tableRow(ctx.db, 'active_area', site_id, id, false)
    if (row === null || row.deleted_at !== null) return null
    const { name, geometry, end_at } = row
    return { kind: 'active_area', id, name, shape: geometry, levels: onGround(row).levels, ended: end_at !== null && end_at <= at }
  },
}

/** What this room plugs in for overlaps and cuts. */
export const geometry = { ground: [ground], cutters: [cutter] }
