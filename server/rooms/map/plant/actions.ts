import { at, fieldsIn, textIn, textOrNull } from '../../../../shared/narrow.ts'
import { EXAMINATION_STATES, PLANT_CATEGORIES } from '../../../../shared/plant.ts'
import { dateOn, type Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import { conflict, enforce, invalidField, refuse } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'
import { type CutterKind, joined } from '../../../kernel/geometry/door.ts'
import { filters } from '../../../kernel/listing/door.ts'
import { MAP_PURGE, stateAt } from '../../../kernel/placed/domain.ts'
import { isPlaceOf, type StoredPlace } from '../../../kernel/placed/door.ts'
import { hold, tableRow } from '../../../kernel/records/door.ts'
import { resolveTasks } from '../../../kernel/tasks/door.ts'
import { keepPermits, zoneOf } from '../kit/actions/occurrences.ts'
import { scheduled } from '../kit/actions/scheduled.ts'
import { defaultsOf } from '../kit/defaults.ts'
import { asGiven, dueAfter, examinationState, exclusionOf, exclusionShapes, IDENTITY, liftingOf, movedFrom, sizeFaults } from './domain.ts'
import { facts, machinesOf, meeting, standingIds, withFleetNumber, withPositions } from './queries.ts'
import { computed, fields, moving } from './schema.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'plant.place': StoredPlace
  }
}

type Plant = Row<'plant'>

const writing = { own: 'map_entity_edit', any: 'map_entity_edit_any' }

/** Returns whether a value of a change was given by a person: what is derived stays derived until someone sends a value, or null to derive it again. */
const given = <K extends 'exclusion_radius_m' | 'examination_due_on'>(
  next: Plant,
  before: Plant | null,
  column: K,
  flag: boolean,
): boolean => {
  const value: unknown = next[column]
  return before === null || value !== before[column] ? value !== null : flag
}

/** Returns the columns that follow from others, and refuses what other machines and positions forbid. */
async function derive(ctx: Ctx, next: Plant, before: Plant | null): Promise<Partial<Plant>> {
  const defaults = await defaultsOf(ctx, next.site_id)
  const standard = liftingOf(next.category)
  const lifting = next.lifting ?? standard.lifting
  const lifts_persons = next.lifts_persons ?? standard.lifts_persons
  const exclusion_given = given(next, before, 'exclusion_radius_m', before?.exclusion_given ?? false)
  const examination_given = given(next, before, 'examination_due_on', before?.examination_given ?? false)
  const resized =
    before === null || (['category', 'working_radius_m', 'tail_swing_m'] as const).some(column => before[column] !== next[column])
  const again = !exclusion_given && (resized || next.exclusion_radius_m === null)
  const exclusion_radius_m = again ? exclusionOf(next, defaults) : next.exclusion_radius_m
  const examination_due_on = examination_given ? next.examination_due_on : dueAfter(next.last_examined_on, lifts_persons)
  const told = before !== null && before.examination_due_on === examination_due_on ? next.examination_told : null
  await alone(ctx, next, before)
  return { lifting, lifts_persons, exclusion_given, exclusion_radius_m, examination_given, examination_due_on, examination_told: told }
}

/** Refuses a second position at the same time, and a second machine with the same fleet number. */
async function alone(ctx: Ctx, next: Plant, before: Plant | null): Promise<void> {
  if (next.deleted_at != null) return
  const { site_id, id, start_at, end_at, contractor_id, fleet_number } = next
  const machine = next.source_plant_id ?? id
  const retimed = before === null || before.start_at !== start_at || before.end_at !== end_at
  if (retimed && (next.source_plant_id != null || before !== null)) {
    await hold(ctx, 'positions of plant', site_id, machine)
    const others = await meeting(ctx.db, site_id, machine, { start_at, end_at }, id)
    const [other] = others
    if (other !== undefined)
      refuse(
        conflict(
          'overlap',
          `${next.name} is already at another place during this time. A machine is in one place at a time: end that position first, or send end_previous.`,
          {
            overlapping: others.map(one => ({ id: one.id, start_at: one.start_at, end_at: one.end_at })),
          },
        ),
      )
  }
  if (fleet_number === null || (!retimed && before.fleet_number === fleet_number && before.contractor_id === contractor_id)) return
  await hold(ctx, 'fleet numbers', site_id)
  const existing_id = await withFleetNumber(ctx.db, site_id, { contractor_id, fleet_number, start_at, end_at, machine })
  if (existing_id !== null)
    refuse(conflict('key_taken', `Another machine of this contractor on site has the fleet number ${fleet_number}.`, { existing_id }))
}

/** The first position of a machine stays while there are others. */
const hasPositions = (name: string) =>
  conflict('position_group_source', `${name} has further positions. Delete those first, or remove the machine from the site.`)

const made = scheduled({
  kind: 'plant',
  schedule: 'plant_schedule',
  path: '/plant',
  noun: 'machine',
  shape: 'Plant',
  says: 'A machine where it is on site for a time',
  fields,
  defaults: { bearing_deg: 0, lifting: undefined, lifts_persons: undefined, source_plant_id: null, examination_told: null },
  computed,
  with_create: moving,
  layer: 'tokens',
  drawn: 'point',
  own: ['operator_name'],
  covered: true,
  said: asGiven,
  async before_lock(ctx, site_id, ids) {
    // The positions of a machine as a whole, before one of them: what identifies the machine is changed in all of them.
    for (const id of await machinesOf(ctx.db, site_id, ids)) await hold(ctx, 'positions of plant', site_id, id)
  },
  alone: async (ctx, { site_id, id, source_plant_id }) =>
    source_plant_id === null && (await standingIds(ctx.db, site_id, id)).length < 2
      ? null
      : conflict('in_group', 'This machine has several positions, so none of them can repeat.'),
  facts,
  limits: {
    async relied_on(ctx, rows) {
      const sources = await withPositions(ctx.db, rows)
      return new Map(rows.flatMap(({ id, name }) => (sources.has(id) ? [[id, hasPositions(name)]] : [])))
    },
  },
  list: {
    order: ['start_at'],
    search: ['name', 'fleet_number', 'make', 'model'],
    filters: {
      category: filters.oneOf(PLANT_CATEGORIES, 'Categories'),
      lifting: filters.flag('Whether it is lifting equipment'),
      source_plant_id: filters.among('First positions'),
      examination_state: {
        ...filters.oneOf(EXAMINATION_STATES, 'States of the examination'),
        column: 'examination_due_on',
        where: (due, states, ctx) => {
          const day = sql`${dateOn(zoneOf(ctx), ctx.now)}::date`
          return sql`(case when not t.lifting then 'not_needed' when ${due} is null then 'unknown' when ${day} > ${due} then 'expired'
            when ${day} + 14 >= ${due} then 'due_soon' else 'in_date' end) = any(${states}::text[])`
        },
      },
    },
  },
  access: { view: 'map_view', create: writing, change: writing, remove: writing },
  hooks: {
    faults(_ctx, next, before) {
      const derived = !given(next, before, 'exclusion_radius_m', before?.exclusion_given ?? false)
      return sizeFaults(derived ? { ...next, exclusion_radius_m: null } : next)
    },
    derive,
    shown: (ctx, rows, at) => rows.map(row => ({ examination_state: examinationState(row, dateOn(zoneOf(ctx), at)) })),
    async after(ctx, row, before) {
      const moved = before !== null && row?.examination_due_on !== before.examination_due_on
      if (moved || row?.deleted_at != null)
        await resolveTasks(
          ctx,
          (row ?? before)?.site_id ?? '',
          (row ?? before)?.id ?? '',
          { only: ['renew_plant_examination'] },
          'done_by_step',
        )
    },
  },
})

/** Returns what a write says about an expired examination: a warning, never a refusal. */
const warned = (shown: Record<string, unknown>) => ({ ...shown, examination_warning: shown.examination_state === 'expired' })

/** Returns every position of a machine, locked. */
const standingsOf = async (ctx: Ctx, site_id: Id, source_id: Id): Promise<Plant[]> =>
  made.area.lock(ctx, site_id, await standingIds(ctx.db, site_id, source_id))

/** Returns the first position of a machine that a body names. */
async function sourceIn(ctx: Ctx, site_id: Id, id: Id): Promise<Plant> {
  await made.lockFirst(ctx, site_id, [id])
  const [source] = (await made.area.lock(ctx, site_id, [id])).filter(row => row.deleted_at === null)
  if (source === undefined) return refuse(invalidField('source_plant_id', 'isn’t a machine on this site.'))
  if (source.source_plant_id !== null)
    return refuse(invalidField('source_plant_id', `is a further position. Send ${source.source_plant_id}, the first one.`))
  if (source.schedule_group_id !== null)
    return refuse(invalidField('source_plant_id', 'belongs to a schedule, so the machine has no further positions.'))
  return source
}

/** Returns what all positions of a machine share. */
function identityOf(plant: Plant): Partial<Plant> {
  const said = asGiven(plant)
  return Object.fromEntries(IDENTITY.map(column => [column, said[column]]))
}

/** Refuses the caller who can’t put this machine anywhere else, whenever its first position ended: it belongs to another contractor, or to none. */
const mayMove = (ctx: Ctx, source: Plant): Promise<void> => made.area.mayChange(ctx, { ...source, end_at: null })

/** Creates a machine, or a further position of one. */
async function create(
  ctx: Ctx,
  site_id: Id,
  { source_plant_id, end_previous, ...body }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (typeof source_plant_id !== 'string') {
    if (end_previous === true) refuse(invalidField('end_previous', 'requires source_plant_id.'))
    return warned(await made.area.create(ctx, site_id, body))
  }
  const source = await sourceIn(ctx, site_id, source_plant_id)
  await mayMove(ctx, source)
  const start_at: Instant = textOrNull(body.start_at) ?? ctx.now
  const further = { ...body, ...identityOf(source), start_at, source_plant_id: source.id }
  if (end_previous !== true) return warned(await made.area.create(ctx, site_id, further))
  const [running] = await meeting(ctx.db, site_id, source.id, { start_at, end_at: null }, null)
  const [row] = running === undefined || running.start_at >= start_at ? [] : await made.area.lock(ctx, site_id, [running.id])
  if (row === undefined) return warned(await made.area.create(ctx, site_id, further))
  await made.area.change(ctx, row, { end_at: start_at })
  const shown = await made.area.create(ctx, site_id, { ...movedFrom(row, body), ...further })
  const rows = await made.area.lock(ctx, site_id, [textIn(shown.id)])
  return warned(await made.area.show(ctx, await keepPermits(ctx, made, row, at(rows, 0))))
}

/** Changes a position. What identifies the machine is changed in all of its positions. */
async function change(ctx: Ctx, row: Plant, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  // What people saw on the map was never so: a machine that moves now gets another position instead (`map.md` §4).
  const moves = body.place !== undefined && !isPlaceOf(row, body.place)
  if (moves && stateAt(row, ctx.now) === 'running')
    ctx.note(row.id, { reason: 'The place was corrected for the whole time of this position. The machine wasn’t moved.' })
  const shown = await made.area.change(ctx, row, body)
  const columns = IDENTITY.filter(column => column in body || (column === 'examination_due_on' && 'last_examined_on' in body))
  if (columns.length === 0) return warned(shown)
  const source_id = row.source_plant_id ?? row.id
  const standings = await standingsOf(ctx, row.site_id, source_id)
  const [now] = standings.filter(one => one.id === row.id)
  if (now !== undefined && standings.length > 1) {
    const identity = identityOf(now)
    await made.area.putAll(
      ctx,
      standings.filter(one => one.id !== row.id),
      () => identity,
    )
  }
  if (now?.examination_due_on !== row.examination_due_on)
    await resolveTasks(ctx, row.site_id, source_id, { only: ['renew_plant_examination'] }, 'done_by_step')
  return warned(shown)
}

/** Plant, with its schedules. */
export const plants: typeof made = {
  ...made,
  area: {
    ...made.area,
    create,
    change,
    async show(ctx, row) {
      const standings = await standingsOf(ctx, row.site_id, row.source_plant_id ?? row.id)
      const shown = (await made.area.showBare(ctx, standings)).map(one => fieldsIn(one))
      const positions = shown
        .map(({ id, start_at, end_at, place }) => ({ id, start_at, end_at, place }))
        .sort((a, b) => (textIn(a.start_at) < textIn(b.start_at) ? -1 : 1))
      return { ...(await made.area.show(ctx, row)), positions }
    },
  },
}

/** The machine leaves the site: positions that are still ahead are removed, and the one that is there now ends. */
export async function leave(ctx: Ctx, source: Plant, { scope = 'future' }: { scope?: 'future' | 'all' }): Promise<void> {
  if (source.source_plant_id !== null)
    refuse(
      conflict('position_group_member', 'This is a further position of a machine. Use the first one.', {
        source_plant_id: source.source_plant_id,
      }),
    )
  await mayMove(ctx, source)
  if (scope === 'all') enforce([ctx.actor.lacks(MAP_PURGE)])
  const standings = await standingsOf(ctx, source.site_id, source.id)
  const state = (row: Plant) => stateAt(row, ctx.now)
  const gone = standings.filter(row => state(row) === 'future' || scope === 'all')
  await made.area.putAll(
    ctx,
    standings.filter(row => state(row) === 'running' && scope !== 'all'),
    () => ({ end_at: ctx.now }),
  )
  await made.area.removeAll(ctx, gone, `${source.name} left the site.`)
  await made.forget(ctx, gone)
  await resolveTasks(ctx, source.site_id, source.id, { only: ['renew_plant_examination'] }, 'subject_left')
}

/** The ground that a machine takes up can be cut out of features (`map.md` §10). */
export const plantCutter: CutterKind = {
  kind: 'plant',
  async find(ctx, site_id, id, at) {
    const row = await tableRow(ctx.db, 'plant', site_id, id, false)
    const point = row?.place.point
    if (row === null || point === undefined || row.start_at > at) return null
    const [first, ...others] = exclusionShapes(point, row)
    if (first === undefined) return null
    const { name, building_id, level_index, end_at, deleted_at } = row
    const levels = { building_id, from: building_id === null ? null : level_index, to: building_id === null ? null : level_index }
    const ended = deleted_at !== null || (end_at !== null && end_at <= at)
    return { kind: 'plant', id, name, shape: joined([first, ...others]), levels, ended }
  },
}
