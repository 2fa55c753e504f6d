// New schedules: from a template and a pattern, or from a single record (`map.md` §0.5).

import { fieldsIn, textIn, textOrNull } from '../../../../../shared/narrow.ts'
import type { ClockWarning } from '../../../../../shared/schedule-groups/expand.ts'
import { convertToSchedule, planSchedule } from '../../../../../shared/schedule-groups/occurrences.ts'
import { completePattern, type WrittenPattern } from '../../../../../shared/schedule-groups/pattern.ts'
import { wallOf } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, invalidField, notFound, Refused, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import type { Row, TableName } from '../../../../base/rows.ts'
import { coverage } from '../../../../kernel/covers/door.ts'
import { groupRow, insertGroup } from '../queries/schedules.ts'
import {
  bandOf,
  contractorFaults,
  copiedFields,
  inherit,
  type OfArea,
  occurrencesOf,
  orRefuse,
  permitsOver,
  showGroup,
  storedIn,
  subjectOf,
  zoneOf,
} from './occurrences.ts'

/** Makes refusals of what is made from a template refer to the fields of the template. */
async function fromTemplate<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code !== 'validation_failed') throw error
    const { fields } = fieldsIn(error.refusal.context)
    const faults: FieldFault[] = Array.isArray(fields)
      ? fields.map(fault => ({ path: `template.${textIn(fieldsIn(fault).path)}`, message: textIn(fieldsIn(fault).message) }))
      : []
    return refuse(invalid(faults))
  }
}

type Made = {
  group: Record<string, unknown>
  occurrences: Record<string, unknown>[]
  warnings: ClockWarning[]
  outside_permit_window: Id[]
}

/** Returns the occurrences of a new schedule, with what their author must be warned of. */
async function shownNew<T extends TableName>(ctx: Ctx, of: OfArea<T>, site_id: Id, rows: readonly Row<T>[]) {
  const shown = await of.area.showAll(ctx, rows)
  return of.warned === undefined ? shown : of.warned(ctx, site_id, shown)
}

/** Creates a schedule with all its occurrences. */
export async function createSchedule<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  site_id: Id,
  body: { template: Record<string, unknown>; pattern: WrittenPattern; permit_id?: Id },
): Promise<Made> {
  const contractor_id = await of.area.ownerOf(ctx, body.template.contractor_id)
  const pattern = completePattern(body.pattern)
  const plan = planSchedule(pattern, zoneOf(ctx), bandOf(ctx), ctx.now)
  orRefuse(plan.faults)
  const template = { ...body.template, contractor_id }
  orRefuse(await contractorFaults(ctx, site_id, contractor_id, 'template.contractor_id'))
  const name = textIn(body.template.name)
  const id = ids.next()
  await fromTemplate(async () =>
    insertGroup(ctx.db, of.schedule, { site_id, id, name, contractor_id, template, pattern, removed_dates: [] }),
  )
  const group = (await groupRow(ctx.db, of.schedule, site_id, id, false)) ?? refuse(notFound())
  const bodies = plan.occurrences.map(occurrence => ({ ...template, ...occurrence, schedule_group_id: id }))
  const rows = await fromTemplate(() => of.area.createAll(ctx, site_id, bodies, subjectOf(of, group)))
  const outside_permit_window =
    body.permit_id === undefined ? [] : await coverage().link(ctx, site_id, body.permit_id, of.table, rows.map(storedIn), true)
  return {
    group: await showGroup(ctx, of, group),
    occurrences: await shownNew(ctx, of, site_id, rows),
    warnings: plan.warnings,
    outside_permit_window,
  }
}

type Conversion = Omit<WrittenPattern, 'start_time' | 'end_time'> & { start_time?: string; end_time?: string }

/** Makes a schedule of a single record, which keeps its id and becomes the occurrence of its site day. */
export async function convert<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  row: Row<T>,
  { pattern: given }: { pattern: Conversion },
): Promise<Made> {
  await of.area.mayChange(ctx, row)
  const { site_id, id, schedule_group_id, fill_group_id, name, contractor_id, start_at, end_at } = fieldsIn(row)
  if (typeof schedule_group_id === 'string') refuse(conflict('in_group', 'This already belongs to a schedule.'))
  enforce([(await of.alone?.(ctx, row)) ?? null])
  if (typeof fill_group_id === 'string')
    refuse(conflict('fill_member', 'This is a part of a fill, so it can’t repeat. Fill the other days instead.'))
  const zone = zoneOf(ctx)
  const life = { start_at: textIn(start_at), end_at: textOrNull(end_at) }
  const own_end = life.end_at === null ? undefined : wallOf(zone, life.end_at).time
  const end_time = given.end_time ?? own_end ?? refuse(invalidField('pattern.end_time', 'is required, because this has no end.'))
  const pattern = completePattern({ ...given, start_time: given.start_time ?? wallOf(zone, life.start_at).time, end_time })
  const plan = convertToSchedule(life, pattern, zone, bandOf(ctx), ctx.now)
  orRefuse(plan.faults)
  if (plan.kept === null) throw new Error('A conversion without faults keeps its record.')
  const template = copiedFields(of, row)
  const site = textIn(site_id)
  const group_id = ids.next()
  const owner = textOrNull(contractor_id)
  await insertGroup(ctx.db, of.schedule, {
    site_id: site,
    id: group_id,
    name: textIn(name),
    contractor_id: owner,
    template,
    pattern,
    removed_dates: [],
  })
  const group = (await groupRow(ctx.db, of.schedule, site, group_id, false)) ?? refuse(notFound())
  const { occurrence_date, edited } = plan.kept
  await of.area.putAll(ctx, [row], () => ({ schedule_group_id: group_id, occurrence_date, edited }), subjectOf(of, group))
  const bodies = plan.occurrences.map(occurrence => ({ ...template, ...occurrence, schedule_group_id: group_id }))
  const made = await of.area.createAll(ctx, site, bodies, subjectOf(of, group))
  await inherit(ctx, of, await permitsOver(ctx, of, [row]), made)
  const occurrences = await shownNew(ctx, of, site, await occurrencesOf(ctx, of, group))
  return {
    group: await showGroup(ctx, of, group),
    occurrences,
    warnings: plan.warnings,
    outside_permit_window: await outsideOf(ctx, of, textIn(id), made),
  }
}

/** Returns the new occurrences that no permit of the converted record covers. */
async function outsideOf<T extends TableName>(ctx: Ctx, of: OfArea<T>, id: Id, made: readonly Row<T>[]): Promise<Id[]> {
  const [first] = made
  if (!of.covered || first === undefined) return []
  const site_id = textIn(fieldsIn(first).site_id)
  const all = [...made.map(storedIn), { id, start_at: ctx.now, end_at: null }]
  const covers = await coverage().read(ctx, site_id, all, ctx.now)
  if ((covers.get(id)?.permits ?? []).length === 0) return []
  return made.map(row => storedIn(row).id).filter(one => (covers.get(one)?.permits ?? []).length === 0)
}
