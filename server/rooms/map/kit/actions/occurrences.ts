// What the steps of schedules share: their occurrences, how a schedule is shown, and who can change it (`map.md` §0.5).

import { fieldsIn, textIn, textOrNull } from '../../../../../shared/narrow.ts'
import { type Band, countStates, type StoredOccurrence } from '../../../../../shared/schedule-groups/occurrences.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { explain, type FieldFault, forbidden, invalid, refuse, type Verdict } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row, TableName } from '../../../../base/rows.ts'
import { flagsFor, isOwnRecord } from '../../../../kernel/access/domain.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { coverage } from '../../../../kernel/covers/door.ts'
import { MAP_ANY } from '../../../../kernel/placed/domain.ts'
import type { placed } from '../../../../kernel/placed/door.ts'
import { onSite } from '../../../../kernel/records/door.ts'
import { type GroupRow, occurrenceIds, type ScheduleTable } from '../queries/schedules.ts'

type Area<T extends TableName> = ReturnType<typeof placed<T>>

/** Why the caller can’t write schedules with a template, although the contractor is theirs; null if they can. */
export type Bars = (ctx: Ctx, template: Readonly<Record<string, unknown>>) => Verdict

/** Why a single record can’t repeat, because it belongs to a group of another kind; null if it can. */
export type Alone<T extends TableName> = (ctx: Ctx, row: Row<T>) => Promise<Verdict>

/** What a schedule of an area needs to know. `skips`: records with this column are parts of something else, and aren’t copied. */
export type OfArea<T extends TableName> = {
  area: Area<T>
  table: T
  schedule: ScheduleTable
  covered: boolean
  skips?: 'fill_group_id'
  bars?: Bars
  alone?: Alone<T>
  /** Returns a record without what was computed, so that its copies compute it as well. */
  said?(row: Row<T>): Row<T>
  /** Adds to new records, as they are shown, what their author must be warned of. */
  warned?: Warned
}

/** Adds what an author must be warned of to records as they are shown after a write. */
export type Warned = (ctx: Ctx, site_id: Id, shown: readonly Record<string, unknown>[]) => Promise<Record<string, unknown>[]>

/** The fields of an area that its schedules copy to each occurrence. */
export const templateFields = <T extends TableName>({ area }: OfArea<T>): string[] =>
  Object.keys(area.given.fields).filter(field => field !== 'start_at' && field !== 'end_at')

/** Returns the fields of a record that a copy of it, or another occurrence, has. */
export function copiedFields<T extends TableName>(of: OfArea<T>, row: Row<T>): Record<string, unknown> {
  const said = fieldsIn(of.said?.(row) ?? row)
  return Object.fromEntries(templateFields(of).map(field => [field, said[field] ?? null]))
}

/** Returns what the caller can plan: contractors from today, coordinators up to 31 days back. */
export const bandOf = (ctx: Ctx): Band => (ctx.actor.can(MAP_ANY) ? 'coordinate' : 'contribute')

/** Returns the time zone of the site. */
export const zoneOf = (ctx: Ctx): string => ctx.site?.timezone ?? ctx.actor.standing?.timezone ?? 'UTC'

/** Reads what the rules need of an occurrence. */
export function storedIn(row: object): StoredOccurrence {
  const { id, occurrence_date, start_at, end_at, edited } = fieldsIn(row)
  return {
    id: textIn(id),
    occurrence_date: textIn(occurrence_date),
    start_at: textIn(start_at),
    end_at: textOrNull(end_at),
    edited: edited === true,
  }
}

/** Returns what an event about a schedule is about. */
export const subjectOf = <T extends TableName>({ schedule }: OfArea<T>, { id, name }: Pick<GroupRow, 'id' | 'name'>) => ({
  kind: schedule,
  id,
  label: name,
})

/** Refuses with faults of single fields. */
export const orRefuse = (faults: readonly FieldFault[]): void => {
  if (faults.length > 0) refuse(invalid([...faults]))
}

/** Returns the fault of a contractor that isn't on the site. */
export const contractorFaults = async (ctx: Ctx, site_id: Id, id: unknown, path: string): Promise<FieldFault[]> =>
  typeof id === 'string' && !(await onSite(ctx, site_id, 'contractor', id)) ? [{ path, message: 'isn’t a contractor on this site.' }] : []

/** Returns why the caller can’t change a schedule; null if they can. */
export const cantChange = async <T extends TableName>(ctx: Ctx, of: OfArea<T>, group: GroupRow): Promise<Verdict> =>
  (await isOthers(ctx, group)) ?? of.bars?.(ctx, group.template) ?? null

/** Returns why a schedule doesn’t belong to the caller; null if it does. */
async function isOthers(ctx: Ctx, group: GroupRow): Promise<Verdict> {
  if (ctx.actor.can(MAP_ANY)) return null
  const lacks = ctx.actor.lacks('map_entity_edit')
  if (lacks !== null) return lacks
  return isOwnRecord(group, ctx.actor.id, await myScope(ctx))
    ? null
    : forbidden(MAP_ANY, 'You can only do this with schedules of your own contractor, or of contractors that it oversees.')
}

/** Returns the occurrences of a schedule by start. `how`: locked for a change, or only read. */
export async function occurrencesOf<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  group: Pick<GroupRow, 'site_id' | 'id'>,
  how: 'lock' | 'read' = 'lock',
): Promise<Row<T>[]> {
  const rows = await of.area[how](ctx, group.site_id, await occurrenceIds(ctx.db, of.table, group.site_id, [group.id]))
  return rows.toSorted((a, b) => (storedIn(a).start_at < storedIn(b).start_at ? -1 : 1))
}

/** Returns a schedule as it is shown. */
export async function showGroup<T extends TableName>(ctx: Ctx, of: OfArea<T>, group: GroupRow): Promise<Record<string, unknown>> {
  const { deleted_at: _deleted, ...shown } = group
  const stored = (await occurrencesOf(ctx, of, group, 'read')).map(storedIn)
  const { counts, next_start_at } = countStates(stored, ctx.now)
  const can = explain([await cantChange(ctx, of, group)])
  const covers = of.covered ? [...(await coverage().read(ctx, group.site_id, stored, ctx.now)).values()] : []
  return {
    ...shown,
    template: await shownTemplate(ctx, group),
    counts,
    next_start_at,
    permits: [...new Map(covers.flatMap(({ permits }) => permits.map(permit => [permit.id, permit]))).values()],
    permissions: flagsFor(ctx.actor, { change: can, delete: can }),
  }
}

/** Returns whether the caller sees what only the own contractor of a schedule and coordinators see: who created it for another contractor doesn’t. */
export const seesTemplate = async (ctx: Ctx, { contractor_id }: Pick<GroupRow, 'contractor_id'>): Promise<boolean> =>
  ctx.actor.can(MAP_ANY) || (contractor_id !== null && (await myScope(ctx)).has(contractor_id))

/** Returns a template without what only its own contractor and coordinators see. */
async function shownTemplate(ctx: Ctx, group: GroupRow): Promise<Record<string, unknown>> {
  if (await seesTemplate(ctx, group)) return group.template
  const { notes: _notes, supervisor_name: _supervisor, operator_name: _operator, ...shown } = group.template
  return shown
}

/** Returns the permits that cover records, as far as the caller sees them and they aren’t over. */
export async function permitsOver<T extends TableName>(ctx: Ctx, of: OfArea<T>, rows: readonly Row<T>[]): Promise<Id[]> {
  const [first] = rows
  if (!of.covered || first === undefined) return []
  const covers = await coverage().read(ctx, textIn(fieldsIn(first).site_id), rows.map(storedIn), ctx.now)
  const permits = [...covers.values()].flatMap(cover => cover.permits)
  return [...new Set(permits.flatMap(({ id, status }) => (['closed', 'rejected', 'withdrawn', 'expired'].includes(status) ? [] : [id])))]
}

/** Links new occurrences to permits whose window contains them. */
export async function inherit<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  permit_ids: readonly Id[],
  made: readonly Row<T>[],
): Promise<void> {
  const [first] = made
  if (first === undefined) return
  for (const permit_id of permit_ids)
    await coverage().link(ctx, textIn(fieldsIn(first).site_id), permit_id, of.table, made.map(storedIn), true)
}

/**
 * Links what continues something else, because it was moved, to the permits of that, and returns it. As with other things that are moved, a permit stays linked even if it ends
 * first (`map.md` §0.8); a permit whose window doesn't meet the new time at all doesn't cover it.
 */
export async function keepPermits<T extends TableName>(ctx: Ctx, of: OfArea<T>, previous: Row<T>, next: Row<T>): Promise<Row<T>> {
  const site_id = textIn(fieldsIn(next).site_id)
  const [before, after] = [storedIn(previous), storedIn(next)]
  const open = await permitsOver(ctx, of, [previous])
  const linked = (await coverage().read(ctx, site_id, [before], ctx.now)).get(before.id)?.permits ?? []
  for (const { id, start_at, end_at } of linked) {
    const meets = start_at !== null && end_at !== null && end_at > after.start_at && (after.end_at === null || start_at < after.end_at)
    if (meets && open.includes(id)) await coverage().link(ctx, site_id, id, of.table, [after], false)
  }
  return next
}
