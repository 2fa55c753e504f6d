// Fills: everything in a container that no other active area takes (`map.md` §2).
import { type Areal, areaOf, type Box, boundsOf } from '../../../../../shared/geometry/plane.ts'
import { canonicalJson } from '../../../../../shared/proof/canonical.ts'
import { type Instant, isLonger } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, invalidField, notFound, refuse, wrongStep } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { groundKinds, levelsMeet, type OnGround, readAreal } from '../../../../kernel/geometry/door.ts'
import { boxAround, MAP_PURGE, stateAt } from '../../../../kernel/placed/domain.ts'
import { onSite } from '../../../../kernel/records/door.ts'
import { zoneOf } from '../../kit/actions/occurrences.ts'
import { defaultsOf } from '../../kit/defaults.ts'
import { AREA_KINDS } from '../domain/areas.ts'
import {
  type Bay,
  cellCount,
  type Filled,
  fillOver,
  MOST_PARTS,
  MOST_SLICES,
  type Outline,
  regenerate,
  type Taken,
} from '../domain/fill.ts'
import { areasAround } from '../queries/areas.ts'
import { type FillRow, fillRow, insertFill, memberIds, saveFill } from '../queries/fills.ts'
import { areas } from './areas.ts'

/** The body of a new fill. */
export type AskedFill = {
  container: { feature_id?: Id; polygon?: unknown }
  level_index?: number | null
  start_at: Instant
  end_at: Instant
  template: { name: string; area_kind?: string; contractor_id?: Id | null; colour?: string | null }
  subtract?: { area_kinds?: string[]; zone_types?: string[] }
  clearance_m?: number
  bay?: { width_m: number; length_m: number; bearing_deg?: number } | null
  min_part_m2?: number
  min_width_m?: number
}

const LONGEST_DAYS = 31
const ZONES = ['exclusion', 'vehicle_route', 'pedestrian_route']

/** What is filled, on the ground: its outlines, one after the other. */
type Container = { outlines: [Outline, ...Outline[]]; building_id: Id | null }

/** Returns the feature that is filled, if it is there for the whole time and has the level. */
async function featureIn(
  ctx: Ctx,
  site_id: Id,
  feature_id: Id,
  body: Pick<AskedFill, 'start_at' | 'end_at' | 'level_index'>,
): Promise<Container> {
  const found = async (at: Instant): Promise<OnGround | null> => {
    for (const kind of groundKinds()) {
      if (kind.kinds.includes('active_area')) continue
      const one = await kind.find(ctx, site_id, feature_id, at)
      if (one !== null) return one
    }
    return null
  }
  const there = async (at: Instant): Promise<OnGround> =>
    (await found(at)) ?? refuse(invalidField('container.feature_id', 'isn’t an area, building or zone that is there for the whole time.'))
  const level = body.level_index ?? null
  const buildingOf = (one: OnGround) => (one.kind === 'building' ? one.id : one.levels.building_id)
  const outlineAt = async (at: Instant): Promise<[OnGround, Outline]> => {
    const one = await there(at)
    const building_id = buildingOf(one)
    if (
      level !== null &&
      (building_id === null ||
        (one.indexes.length > 0 && !one.indexes.includes(level)) ||
        !levelsMeet(one.levels, { building_id, from: level, to: level }))
    )
      refuse(invalidField('level_index', `is ${level}, a level that ${one.name} doesn’t have.`))
    return [one, { shape: one.geometry, from: at, to: one.to !== null && one.to < body.end_at ? one.to : body.end_at }]
  }
  const [first, outline] = await outlineAt(body.start_at)
  const outlines: Container['outlines'] = [outline]
  for (let last = outline; last.to < body.end_at; ) {
    const [, next] = await outlineAt(last.to)
    // Another name, or another contractor in charge, is no other outline.
    if (canonicalJson(next.shape) === canonicalJson(last.shape)) last.to = next.to
    else {
      outlines.push(next)
      last = next
    }
    tooManySlices(outlines.length)
  }
  return { outlines, building_id: buildingOf(first) }
}

const SHORTER = 'Choose a shorter time, a smaller container or larger bays.'

/** Refuses a fill with too many slices. */
function tooManySlices(slices: number): void {
  if (slices > MOST_SLICES)
    refuse(invalidField('end_at', `makes ${slices} slices of time; at most ${MOST_SLICES} are possible. ${SHORTER}`))
}

/** Returns what is filled, or refuses it. */
async function containerOf(
  ctx: Ctx,
  site_id: Id,
  body: Pick<AskedFill, 'container' | 'start_at' | 'end_at' | 'level_index'>,
): Promise<Container> {
  const { feature_id, polygon } = body.container
  if ((feature_id === undefined) === (polygon === undefined))
    return refuse(invalidField('container', 'needs a feature_id or a polygon, and not both.'))
  if (feature_id !== undefined) return featureIn(ctx, site_id, feature_id, body)
  const faults: FieldFault[] = []
  const drawn = readAreal(polygon, 'container.polygon', faults)
  if (drawn === null || faults.length > 0) return refuse(invalid(faults))
  if (body.level_index != null) refuse(invalidField('level_index', 'needs a feature_id of a building, or of a zone in one.'))
  return { outlines: [{ shape: drawn, from: body.start_at, to: body.end_at }], building_id: null }
}

type Fills = Pick<FillRow, 'site_id' | 'level_index' | 'subtract' | 'clearance_m' | 'bay' | 'min_part_m2' | 'min_width_m' | 'end_at'>

/** Returns what takes parts of a container: active areas and zones on its level, without the fill's own members. */
async function takenIn(ctx: Ctx, of: Fills, container: Container, from: Instant, own: ReadonlySet<Id>): Promise<Taken[]> {
  const { building_id } = container
  const box = boxOf(container)
  const levels = { building_id, from: of.level_index, to: of.level_index }
  const rows = await areasAround(ctx.db, of.site_id, box, from, of.end_at)
  const others = rows
    .filter(row => !own.has(row.id) && of.subtract.area_kinds.includes(row.area_kind))
    .filter(row => levelsMeet({ building_id: row.building_id, from: row.level_index, to: row.level_index }, levels))
    .map(row => ({ id: row.id, shape: row.geometry, from: row.start_at, to: row.end_at }))
  const zones: Taken[] = []
  for (const kind of groundKinds().filter(one => one.kinds.includes('zone')))
    for (const zone of await kind.around(ctx, of.site_id, ['zone'], box, from, of.end_at))
      if (zone.zone_type !== null && of.subtract.zone_types.includes(zone.zone_type) && levelsMeet(zone.levels, levels))
        zones.push({ id: zone.id, shape: zone.geometry, from: zone.from, to: zone.to })
  return [...others, ...zones]
}

/** Computes a fill from an instant on; refuses one that is too large. */
async function computed(ctx: Ctx, of: Fills, container: Container, from: Instant, own: ReadonlySet<Id>): Promise<Filled> {
  const { bay } = of
  if (bay !== null && container.outlines.some(({ shape }) => cellCount(shape, bay) > 20 * MOST_PARTS))
    refuse(invalidField('bay', `makes too many bays. ${SHORTER}`))
  const taken = await takenIn(ctx, of, container, from, own)
  const breaks = [...container.outlines.map(one => one.from), ...taken.flatMap(one => [one.from, one.to ?? ''])]
  tooManySlices(new Set(breaks.filter(at => at > from && at < of.end_at)).size + 1)
  const least = { area_m2: of.min_part_m2, width_m: of.min_width_m }
  const filled = fillOver({ clearance_m: of.clearance_m, bay, least }, container.outlines, taken)
  if (filled.parts.length > MOST_PARTS)
    refuse(invalidField('end_at', `makes ${filled.parts.length} members; at most ${MOST_PARTS} are possible. ${SHORTER}`))
  return filled
}

/** Returns the box around every outline of a container: what changes in it can make the fill out of date. */
const boxOf = ({ outlines }: Container): Box => boxAround(outlines.map(({ shape }) => boundsOf(shape)))

const subjectOf = ({ id, name }: Pick<FillRow, 'id' | 'name'>) => ({ kind: 'area_fill', id, label: name })

/** Fills a container: one transaction, with one event for all members. */
export async function createFill(ctx: Ctx, site_id: Id, body: AskedFill): Promise<Record<string, unknown>> {
  const { start_at, end_at, template, level_index = null } = body
  if (end_at <= start_at) refuse(invalidField('end_at', 'must be later than start_at.'))
  if (isLonger(zoneOf(ctx), start_at, end_at, LONGEST_DAYS))
    refuse(invalidField('end_at', `is more than ${LONGEST_DAYS} days after the start.`))
  const { contractor_id = null } = template
  if (contractor_id !== null && !(await onSite(ctx, site_id, 'contractor', contractor_id)))
    refuse(invalidField('template.contractor_id', 'isn’t a contractor on this site.'))
  const container = await containerOf(ctx, site_id, body)
  const defaults = await defaultsOf(ctx, site_id)
  const bay: Bay | null = body.bay == null ? null : { bearing_deg: 0, ...body.bay }
  const id = ids.next()
  const row = {
    ...{ site_id, id, name: template.name, contractor_id, start_at, end_at, level_index, building_id: container.building_id, bay },
    container:
      body.container.feature_id === undefined ? { polygon: container.outlines[0].shape } : { feature_id: body.container.feature_id },
    template: { ...template, contractor_id },
    subtract: { area_kinds: body.subtract?.area_kinds ?? [...AREA_KINDS], zone_types: body.subtract?.zone_types ?? ZONES },
    clearance_m: body.clearance_m ?? 0,
    min_part_m2: body.min_part_m2 ?? defaults.fill_min_part_m2,
    min_width_m: body.min_width_m ?? defaults.fill_min_width_m,
    generated_at: ctx.now,
  }
  const filled = await computed(ctx, row, container, start_at, new Set())
  if (filled.parts.length === 0) refuse(conflict('nothing_to_fill', 'Everything in this container is taken for the whole time.'))
  await insertFill(ctx.db, row, boxOf(container))
  const group = (await fillRow(ctx.db, site_id, id, false)) ?? refuse(notFound())
  const made = await areas.area.createAll(
    ctx,
    site_id,
    filled.parts.map(part => memberOf(group, part)),
    subjectOf(group),
  )
  const first = filled.parts.filter(part => part.from === start_at)
  return {
    group,
    areas: made.toSorted((a, b) => (a.start_at < b.start_at ? -1 : a.start_at > b.start_at ? 1 : a.id < b.id ? -1 : 1)).map(one => one.id),
    covered_m2: Math.round(first.reduce((sum, part) => sum + areaOf(part.geometry), 0) * 100) / 100,
    left_out: filled.left_out,
  }
}

/** Returns a member as it is created. */
function memberOf(
  { id, template, building_id, level_index }: FillRow,
  { geometry, from, to }: { geometry: Areal; from: Instant; to: Instant },
): Record<string, unknown> {
  return {
    area_kind: 'work',
    ...{ exclusive: undefined, ...template, start_at: from, end_at: to, fill_group_id: id },
    place: { polygon: geometry, ...(building_id === null ? {} : { building_id }), ...(level_index === null ? {} : { level_index }) },
  }
}

/** Computes a fill again from now on. What is past stays; what is there now and has another shape keeps its old one on the map of before. */
export async function regenerateFill(ctx: Ctx, group: FillRow): Promise<Record<string, unknown>> {
  if (group.end_at <= ctx.now)
    refuse(wrongStep('past', [], 'The time of this fill is over, so it can’t be computed again. Make another one.'))
  const { site_id, id } = group
  const members = await areas.area.lock(ctx, site_id, await memberIds(ctx.db, site_id, id))
  const from = group.start_at > ctx.now ? group.start_at : ctx.now
  // The container as it is from now on: it can have another outline than when the fill began.
  const { container: of, end_at, level_index } = group
  const container = await containerOf(ctx, site_id, { container: of, start_at: from, end_at, level_index })
  const filled = await computed(ctx, group, container, from, new Set(members.map(one => one.id)))
  const stored = members.map(({ id: member, geometry, start_at, end_at }) => ({
    id: member,
    geometry,
    start_at,
    end_at: end_at ?? group.end_at,
  }))
  const plan = regenerate(stored, filled.parts, from)
  const made = await areas.area.createAll(
    ctx,
    site_id,
    plan.create.map(part => memberOf(group, part)),
    subjectOf(group),
  )
  const changes = new Map(plan.change.map(one => [one.id, one]))
  const ends = new Set(plan.end)
  await areas.area.putAll(
    ctx,
    members.filter(one => changes.has(one.id) || ends.has(one.id)),
    row => {
      const change = changes.get(row.id)
      if (change === undefined) return { end_at: ctx.now }
      const { place } = row
      return { start_at: change.start_at, end_at: change.end_at, place: { ...place, polygon: change.geometry } }
    },
    subjectOf(group),
  )
  const gone = new Set(plan.remove)
  await areas.area.removeAll(
    ctx,
    members.filter(one => gone.has(one.id)),
    `${group.name} was filled again.`,
    subjectOf(group),
  )
  const touched = made.length + changes.size + ends.size + gone.size > 0
  if (touched || group.generated_at < ctx.now) await saveFill(ctx.db, site_id, id, { generated_at: ctx.now }, boxOf(container))
  return {
    group: (await fillRow(ctx.db, site_id, id, false)) ?? group,
    created: made.map(one => one.id),
    changed: [...changes.keys()],
    removed: [...ends, ...gone],
    unchanged: plan.unchanged,
    left_out: filled.left_out,
  }
}

/** Deletes a fill: members that are ahead are removed, those that are there now end, and what is past stays. */
export async function removeFill(ctx: Ctx, group: FillRow, { scope = 'future' }: { scope?: 'future' | 'all' }): Promise<void> {
  if (scope === 'all') enforce([ctx.actor.lacks(MAP_PURGE)])
  const members = await areas.area.lock(ctx, group.site_id, await memberIds(ctx.db, group.site_id, group.id))
  const state = (one: (typeof members)[number]) => stateAt(one, ctx.now)
  await areas.area.putAll(
    ctx,
    members.filter(one => state(one) === 'running' && scope !== 'all'),
    () => ({ end_at: ctx.now }),
    subjectOf(group),
  )
  await areas.area.removeAll(
    ctx,
    members.filter(one => state(one) === 'future' || scope === 'all'),
    `${group.name} was deleted.`,
    subjectOf(group),
  )
  ctx.note(group.id, { action: 'delete' })
  await saveFill(ctx.db, group.site_id, group.id, { deleted_at: ctx.now })
}
