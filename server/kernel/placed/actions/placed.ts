// Things that are on the map for a time (`map.md` §0): plain areas with a place, a start and an end. Where they are, who can change them until when, what
// deleting means, what a list takes and what was there at an instant are the same for all of them.
import { boundsOf } from '../../../../shared/geometry/plane.ts'
import { at, fieldsIn, textIn, textOrNull, textsIn } from '../../../../shared/narrow.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import { sortedBy } from '../../../../shared/text.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx, Layer } from '../../../base/ctx.ts'
import { enforce, type FieldFault, forbidden, invalidField, refuse } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row, TableName } from '../../../base/rows.ts'
import { object, type TSchema } from '../../../base/schema.ts'
import { myScope, ownContractor } from '../../access/door.ts'
import type { ChangeKind } from '../../changes/domain.ts'
import type { ChangeSource } from '../../changes/door.ts'
import { coverage, type TokenKind } from '../../covers/door.ts'
import { coverageFields, permitOfNew } from '../../covers/schema.ts'
import type { ExportLayer } from '../../exports/door.ts'
import { outsideJudge } from '../../geometry/door.ts'
import { filters } from '../../listing/door.ts'
import type { Members } from '../../predicates/door.ts'
import { type GivenResource, type Resource, resource } from '../../resource/door.ts'
import type { OutsideCount } from '../../site/door.ts'
import { boxAround, cantPurge, deleted, type Life, MAP_ANY, PLACE_MISSING, spanOf, stateAt, tooLate } from '../domain.ts'
import { aliveAt, coloursOf, placesAhead } from '../queries.ts'
import { atTime as atTimeQuery } from '../schema.ts'
import { type Changing, changingOf } from './changing.ts'
import { columnsIn, isPlaceOf, middleOn, offPlace, shapeOf, shownPlaceOf } from './columns.ts'
import { coverageFilters, coverageOf, seesPermitOf } from './covered.ts'
import { exportedOf, type Versions } from './exported.ts'
import { byPlace, byTime, refuseBackwards, tooMany, WHOLE } from './filters.ts'
import { type Many, manyOf, readPlace, type TellAll } from './many.ts'
import { type Facts, membersOfArea } from './members.ts'
import type { There } from './there.ts'
import { type Occurrences, tokensOf } from './tokens.ts'

/** The declaration of an area on the map. Its table is made with `make_placed`; its fields contain `placedFields` and its computed ones `placedComputed`. */
export type GivenPlaced<T extends TableName> = Omit<
  GivenResource<T>,
  'tell' | 'bin' | 'hides' | 'derived' | 'without_remove' | 'bare_in' | 'list'
> & {
  list: Omit<GivenResource<T>['list'], 'sees' | 'site_in_query'>
  /** The layer of the map that shows it. */
  layer: Layer
  /** What its place has. */
  drawn: 'point' | 'polygon' | 'either'
  /** Fields that only its own contractor and coordinators see, besides the notes. */
  own?: readonly string[]
  /** A permission whose holders see these fields too. */
  insiders?: string
  /** Permits can cover it: it gets `permits`, `no_permit`, `live_permit`, the filters by them, and `permit_id` for what is created. */
  covered?: true
  /** Reads what was there at an instant, if that isn’t the table: a query with the same columns. */
  as_then?(site_id: Id, at: Instant): ReturnType<typeof aliveAt>
  /** Which of its records are there, besides their time; default all that aren't deleted. */
  there?: There<Row<T>>
  /** What conditions can ask about its records besides what everything on the map has, if smart groups select them. */
  facts?: Facts
  /** What else follows from a write: `row` is null after a deletion. */
  told?(ctx: Ctx, row: Row<T> | null, before: Row<T> | null): void
}

/** An area on the map, as its room uses it. */
export type Placed<T extends TableName> = Resource<T> &
  Many<T> & {
    /** The query of the list at a point in time. */
    at_time: ReturnType<typeof object>
    /** Returns everything that is there at an instant, without flags. */
    atTime(ctx: Ctx, site_id: Id, query: Record<string, unknown>): Promise<Record<string, unknown>[]>
    /** Counts what is too far outside the site, for the check of a new boundary. */
    outside: OutsideCount
    life(row: Row<T>): Life
    /** How permits cover its records. `occurrences` returns those of schedules. */
    tokens(occurrences?: Occurrences): TokenKind
    /** Its layer in files for other programs; with the queries of its versions, if it has any. */
    exported(layer: ExportLayer['layer'], versions?: Versions): ExportLayer
    /** When what is there changes, for the time slider. */
    changing(kind: ChangeKind, options?: Changing): ChangeSource
    /** Its records as smart groups select them; none if it gives no facts. */
    members: Members[]
    /** Returns the contractor that a new record belongs to: for contractors their own one, or one that it oversees. */
    ownerOf(ctx: Ctx, asked: unknown): Promise<Id | null>
  }

/** Makes an area on the map. */
export function placed<T extends TableName>(given: GivenPlaced<T>): Placed<T> {
  const { hooks = {}, list, own = [], layer, drawn, covered = false, told, there, facts, limits = {} } = given
  // The permission for everyone's records is the area's own, if it has one.
  const ANY = typeof given.access.change === 'string' ? MAP_ANY : given.access.change.any
  const byPermit = covered ? coverageFilters(there) : {}
  const columns = (row: Row<T>) => columnsIn(row)
  const any = (ctx: Ctx) => ctx.actor.can(ANY)
  /** Returns whether the caller sees what only the own contractor and coordinators see. */
  const insider = async (ctx: Ctx): Promise<(row: Row<T>) => boolean> => {
    if (any(ctx) || (given.insiders !== undefined && ctx.actor.can(given.insiders))) return () => true
    const scope = await myScope(ctx)
    return row => {
      const { contractor_id } = columns(row)
      return contractor_id !== null && scope.has(contractor_id)
    }
  }
  const hidden = ['notes', ...own]

  /** What a place in a body leads to; the hooks of one write read it once. */
  const read = new WeakMap<object, Promise<{ set: Record<string, unknown>; faults: FieldFault[] }>>()
  const placing = (ctx: Ctx, next: Row<T>) => {
    const known = read.get(next)
    if (known !== undefined) return known
    const found = (async () => {
      const { site_id, start_at } = columns(next)
      const { stored, faults, ...at } = await readPlace(ctx, site_id, fieldsIn(next).place, start_at)
      const geometry = shapeOf(stored)
      if (faults.length > 0) return { set: {}, faults }
      if (geometry === null || (drawn !== 'either' && (geometry.type === 'Point') !== (drawn === 'point')))
        return { set: {}, faults: [{ path: 'place', message: PLACE_MISSING[drawn] }] }
      const { lon, lat } = middleOn(geometry)
      const [west, south, east, north] = boundsOf(geometry)
      // As PostgreSQL writes a box, so that an unchanged one is equal.
      return { set: { place: stored, ...at, lon, lat, bounds: `(${east},${north}),(${west},${south})` }, faults }
    })()
    read.set(next, found)
    return found
  }
  const moves = (next: Row<T>, before: Row<T> | null) =>
    before === null ||
    columns(next).start_at !== columns(before).start_at ||
    canonicalJson(fieldsIn(next).place) !== canonicalJson(fieldsIn(before).place)

  const labelOf = (row: Row<T>) => given.label?.(row) ?? textIn(fieldsIn(row).name)
  const tellAll: TellAll<T> = (ctx, verb, rows, before, subject) => {
    const [first] = rows
    if (first === undefined) return
    const all = [...before, ...rows]
    const box = boxAround(all.flatMap(one => shapeOf(columns(one).place) ?? []).map(boundsOf))
    const { site_id, id, contractor_id } = columns(first)
    ctx.emit({
      kind: `map_entity.${verb}`,
      site_id,
      subject: subject ?? { kind: given.kind, id, label: labelOf(first) },
      payload: { kind: given.kind, ids: rows.map(row => columns(row).id), ...spanOf(all.map(columns)), bbox: box, contractor_id },
    })
    ctx.redraw(site_id, layer)
    const then = new Map(before.map(row => [columns(row).id, row]))
    for (const row of rows) told?.(ctx, verb === 'removed' ? null : row, verb === 'removed' ? row : (then.get(columns(row).id) ?? null))
  }

  const base = resource<T>({
    ...given,
    ...(covered ? { computed: { ...given.computed, ...coverageFields }, with_create: { ...given.with_create, ...permitOfNew } } : {}),
    // A body without a start means now, by the clock of the service and not of the device.
    defaults: { ...given.defaults, start_at: undefined },
    bin: 'kept',
    without_remove: true,
    bare_in: `GET ${given.path.replace(/\/$/, '')}/at-time`,
    list: { ...list, filters: { ...byTime, ...byPlace, ...byPermit, ...list.filters } },
    derived: ['place_source', 'building_id', 'level_index', 'zone_id', 'lon', 'lat', 'bounds'],
    limits: {
      ...limits,
      change: (ctx, row) => limits.change?.(ctx, row) ?? tooLate(columns(row), ctx.now, any(ctx), ANY),
      remove: (ctx, row) => limits.remove?.(ctx, row) ?? cantPurge(columns(row), ctx.now, ctx.actor.can('map_entity_purge')),
    },
    hides: async (ctx, row) => ((await insider(ctx))(row) ? [] : hidden),
    tell: (ctx, verb, row, before) =>
      tellAll(ctx, verb === 'created' ? verb : verb === 'deleted' ? 'removed' : 'changed', [row], before === null ? [] : [before]),
    hooks: {
      ...hooks,
      async faults(ctx, next, before) {
        const { start_at, end_at } = columns(next)
        const moved = moves(next, before) ? (await placing(ctx, next)).faults : []
        return [
          ...(end_at !== null && end_at <= start_at ? [{ path: 'end_at', message: 'must be later than start_at.' }] : []),
          ...moved,
          ...((await hooks.faults?.(ctx, next, before)) ?? []),
        ]
      },
      async derive(ctx, next, before) {
        const set = moves(next, before) ? (await placing(ctx, next)).set : {}
        const found = set as Partial<Row<T>> // columns of `make_placed`
        return { ...found, ...(await hooks.derive?.(ctx, { ...next, ...found }, before)) }
      },
      async shown(ctx, rows, at) {
        const sees = await insider(ctx)
        const firms = [...new Set(rows.flatMap(row => columns(row).contractor_id ?? []))]
        const [first] = rows
        const colours = first === undefined ? new Map<Id, string>() : await coloursOf(ctx.db, columns(first).site_id, firms)
        const off = first === undefined ? new Set<Id>() : await offPlace(ctx, columns(first).site_id, rows.map(columns))
        const computed = await hooks.shown?.(ctx, rows, at)
        const permits = covered ? await coverageOf(ctx, rows.map(columns), at) : []
        return rows.map((row, i) => ({
          place: shownPlaceOf(row),
          off_place: off.has(columns(row).id),
          colour: textOrNull(fieldsIn(row).colour) ?? colours.get(columns(row).contractor_id ?? '') ?? null,
          ...(sees(row) ? {} : Object.fromEntries(hidden.map(field => [field, null]))),
          ...computed?.[i],
          ...permits[i],
          ...(covered && there?.is(row) === false ? { no_permit: false } : {}),
        }))
      },
    },
  })

  async function ownerOf(ctx: Ctx, asked: unknown): Promise<Id | null> {
    const wanted = textOrNull(asked)
    if (any(ctx)) return wanted
    const mine = await ownContractor(ctx, ctx.actor.standing)
    const contractor_id = wanted ?? mine
    if (contractor_id === null) return refuse(forbidden(ANY, 'You belong to no contractor, so a coordinator has to do this.'))
    if (contractor_id !== mine && !(await myScope(ctx)).has(contractor_id))
      refuse(forbidden(ANY, 'You can only do this for your own contractor, or for contractors that it oversees.'))
    return contractor_id
  }
  const many = manyOf(given.kind, base, tellAll, covered, labelOf)
  const inTime = (ctx: Ctx, after: Record<string, unknown>) =>
    tooLate({ start_at: textIn(after.start_at), end_at: textOrNull(after.end_at) }, ctx.now, any(ctx), ANY)

  const atTime = { id: filters.among('Records; those that aren’t there are left out'), ...byPlace, ...byPermit, ...list.filters }
  const schemas: Record<string, TSchema> = Object.fromEntries(Object.entries(atTime).map(([name, one]) => [name, one.schema]))
  return {
    ...base,
    life: columns,
    ownerOf,
    ...many,
    at_time: object({ ...atTimeQuery, ...schemas }),
    async page(ctx, site_id, query) {
      if (covered) await seesPermitOf(ctx, site_id, query)
      if (query.include_deleted === true) enforce([ctx.actor.lacks(ANY)])
      refuseBackwards(query)
      return base.page(ctx, site_id, { ...query, include_deleted: query.include_deleted === true })
    },
    async create(ctx, site_id, { permit_id, ...body }) {
      const contractor_id = await ownerOf(ctx, body.contractor_id)
      const whole = { ...body, start_at: body.start_at ?? ctx.now, contractor_id }
      enforce([inTime(ctx, whole)])
      if (typeof permit_id !== 'string') return base.create(ctx, site_id, whole)
      const { id } = await base.create(ctx, site_id, whole)
      const rows = await many.lock(ctx, site_id, [textIn(id)])
      await coverage().link(ctx, site_id, permit_id, given.kind, rows.map(columns), false)
      return base.show(ctx, at(rows, 0))
    },
    async change(ctx, row, body) {
      const { place, ...others } = body
      // A place that was only read is no new one, and nothing in it was named by a person.
      const same = place === undefined || isPlaceOf(row, place)
      // The person who created a record can change it. If it belongs to another contractor now, they read null for what they don't see, and mustn't empty it.
      const unread = (await insider(ctx))(row) ? [] : hidden.filter(field => others[field] === null)
      const given_away = 'contractor_id' in body && body.contractor_id !== columns(row).contractor_id
      const set = {
        ...Object.fromEntries(Object.entries(others).filter(([field]) => !unread.includes(field))),
        ...(same ? {} : { place }),
        ...(given_away ? { contractor_id: await ownerOf(ctx, body.contractor_id) } : {}),
      }
      enforce([inTime(ctx, { ...row, ...set })])
      return base.change(ctx, row, set)
    },
    async remove(ctx, row) {
      // What is there now was there until now, so it ends; it stays on the map of the hours before.
      if (stateAt(columns(row), ctx.now) !== 'running') {
        await base.remove(ctx, row)
        if (covered) await coverage().drop(ctx, columns(row).site_id, new Map([[columns(row).id, deleted(labelOf(row))]]))
        return
      }
      await base.mayRemove(ctx, row)
      await base.put(ctx, row, { end_at: ctx.now })
    },
    async atTime(ctx, site_id, { at: asked, include, site_id: _site, ...query }) {
      const moment: Instant = textOrNull(asked) ?? ctx.now
      if (covered) await seesPermitOf(ctx, site_id, query)
      // Filters by time mean that point in time.
      const found = await base.list.whole({ ...ctx, now: moment }, site_id, query, {
        ...{ also: [aliveAt(moment), ...(there === undefined ? [] : [there.where(moment, ctx.now)])], most: WHOLE },
        ...(given.as_then === undefined ? {} : { from: given.as_then(site_id, moment) }),
      })
      if (found.length > WHOLE) refuse(invalidField('bbox', tooMany(query.bbox)))
      // To sort whole rows would take the database about as long as to read them.
      const rows = sortedBy(found, row => `${textIn(fieldsIn(row).start_at)} ${textIn(fieldsIn(row).id)}`)
      const shown = await base.showBare(ctx, rows, moment)
      if (!textsIn(include).includes('permissions')) return shown
      // Whatever the time of the map, the caller acts now, on the records as they are now.
      const ids = rows.map(row => columns(row).id)
      const now = given.as_then === undefined ? rows : await many.read(ctx, site_id, ids)
      const flags = new Map((await base.flagsOf(ctx, now)).map((one, i) => [columns(at(now, i)).id, one]))
      return shown.map((one, i) => ({ ...one, permissions: flags.get(ids[i] ?? '') }))
    },
    changing: (kind, options = {}) => changingOf(kind, given.kind, base, { covered, facts }, options, there),
    members: facts === undefined ? [] : [membersOfArea({ table: given.kind, facts, covered }, there, given.as_then)],
    exported: (layer, versions) => exportedOf(layer, base, ['place', ...hidden], there, versions),
    tokens: occurrences => tokensOf(given.kind, base, many, occurrences, there),
    outside: {
      name: 'tokens',
      async of(ctx, site_id, ground) {
        const away = outsideJudge(ground)
        return (await placesAhead(ctx.db, given.kind, site_id, ctx.now)).filter(place => {
          const geometry = shapeOf(place)
          return geometry !== null && away(geometry) !== null
        }).length
      },
    },
  }
}
