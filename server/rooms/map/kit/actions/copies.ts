// Copies of what starts on some site days (`map.md` §0.7).

import { fieldsIn, textIn, textOrNull } from '../../../../../shared/narrow.ts'
import { canonicalJson } from '../../../../../shared/proof/canonical.ts'
import { copyFromRange, keepsPermit } from '../../../../../shared/schedule-groups/copy.ts'
import { DAY, daysBetween, ms, plusDays, startOfDay, type WorkDate } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, type FieldFault, forbidden, invalid, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { TableName } from '../../../../base/rows.ts'
import { isOwnRecord } from '../../../../kernel/access/domain.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { coverage } from '../../../../kernel/covers/door.ts'
import { MAP_ANY, tooLate } from '../../../../kernel/placed/domain.ts'
import { hold, onSite } from '../../../../kernel/records/door.ts'
import { type Source, startingIn } from '../queries/schedules.ts'
import { contractorFaults, copiedFields, type OfArea, orRefuse, storedIn, zoneOf } from './occurrences.ts'

/** The body of a copy. */
export type CopyBody = {
  from_date: WorkDate
  to_date: WorkDate
  target_date: WorkDate
  ids?: Id[]
  contractor_id?: Id
  building_id?: Id
  zone_id?: Id
  skip_duplicates?: boolean
}

/** Returns the contractors whose records the caller can copy; undefined for all. */
async function contractorsFor(ctx: Ctx, asked: Id | undefined): Promise<Id[] | undefined> {
  if (ctx.actor.can(MAP_ANY)) return asked === undefined ? undefined : [asked]
  const scope = await myScope(ctx)
  if (asked !== undefined && !scope.has(asked))
    refuse(forbidden(MAP_ANY, 'You can only copy what belongs to your own contractor, or to contractors that it oversees.'))
  return asked === undefined ? [...scope] : [asked]
}

const copyable = ({ id, contractor_id, name, place, start_at, end_at }: Source) => ({
  ...{ id, contractor_id, name, start_at, end_at },
  place: canonicalJson(place),
})

/** Refuses ids of what isn't on the site. */
async function knownOnly<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  site_id: Id,
  { ids = [], contractor_id, building_id, zone_id }: CopyBody,
) {
  const faults = await contractorFaults(ctx, site_id, contractor_id, 'contractor_id')
  for (const [path, id] of Object.entries({ building_id, zone_id }))
    if (id !== undefined && !(await onSite(ctx, site_id, 'reference_feature', id))) faults.push({ path, message: 'isn’t on this site.' })
  const found = new Set((await of.area.lock(ctx, site_id, ids)).map(row => storedIn(row).id))
  ids.forEach((id, i) => {
    if (!found.has(id)) faults.push({ path: `ids[${i}]`, message: 'isn’t on this site.' })
  })
  orRefuse(faults)
}

/** Copies what starts on some site days so that the first day lands on another one: all, or nothing. */
export async function copyRange<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  site_id: Id,
  body: CopyBody,
): Promise<Record<string, unknown>> {
  const { from_date, to_date, target_date, ids, contractor_id, building_id, zone_id, skip_duplicates = true } = body
  // Two people who copy the same days at the same time make one copy: the second sees what the first has made.
  if (skip_duplicates) await hold(ctx, 'copies of days', of.table, site_id)
  await knownOnly(ctx, of, site_id, body)
  const zone = zoneOf(ctx)
  const contractor_ids = await contractorsFor(ctx, contractor_id)
  const narrowed = {
    ...(ids === undefined ? {} : { ids }),
    ...(contractor_ids === undefined ? {} : { contractor_ids }),
    ...(building_id === undefined ? {} : { building_id }),
    ...(zone_id === undefined ? {} : { zone_id }),
  }
  const span = Math.max(0, Math.min(31, daysBetween(from_date, to_date)))
  const days = (first: WorkDate) => [startOfDay(zone, first), startOfDay(zone, plusDays(first, span + 1))] as const
  const all = await startingIn(ctx.db, of.table, site_id, ...days(from_date), narrowed)
  const sources =
    of.skips === undefined ? all : await startingIn(ctx.db, of.table, site_id, ...days(from_date), { ...narrowed, skips: of.skips })
  const existing = skip_duplicates ? await startingIn(ctx.db, of.table, site_id, ...days(target_date), {}) : []
  const range = { from_date, to_date, target_date }
  const plan = copyFromRange(sources.map(copyable), range, zone, { skip_duplicates, existing: existing.map(copyable) })
  if (plan.faults.length > 0) return refuse(invalid(plan.faults))
  const full = new Map(
    (
      await of.area.lock(
        ctx,
        site_id,
        sources.map(({ id }) => id),
      )
    ).map(row => [storedIn(row).id, copiedFields(of, row)]),
  )
  const can_edit_any = ctx.actor.can(MAP_ANY)
  for (const copy of plan.create) enforce([tooLate(copy, ctx.now, can_edit_any)])
  const bodies = plan.create.map(copy => ({ ...full.get(copy.copied_from_id), ...copy }))
  const rows = await of.area.createAll(ctx, site_id, bodies)
  return {
    created: rows
      .map(row => ({ ...storedIn(row), copied_from_id: textIn(fieldsIn(row).copied_from_id) }))
      .map(({ id, copied_from_id, start_at, end_at }) => ({ id, copied_from_id, start_at, end_at })),
    skipped_duplicates: plan.duplicates.map(copy => ({ id: null, ...copy })),
    permits_dropped: of.covered ? await carryPermits(ctx, of, site_id, rows) : [],
    warnings: plan.warnings,
    ...(of.skips === undefined ? {} : { fill_members: all.length - sources.length }),
  }
}

/** Links copies to the permits of what they were copied from, and returns those that don’t come along. */
async function carryPermits<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  site_id: Id,
  rows: readonly object[],
): Promise<{ id: Id; permit_number: string | null }[]> {
  const copies = rows.map(row => ({ ...storedIn(row), from: textIn(fieldsIn(row).copied_from_id) }))
  const sources = copies.map(({ from, start_at, end_at }) => ({ id: from, start_at, end_at }))
  const covers = await coverage().read(ctx, site_id, sources, ctx.now)
  const permits = new Map([...covers.values()].flatMap(cover => cover.permits).map(permit => [permit.id, permit]))
  const dropped: { id: Id; permit_number: string | null }[] = []
  for (const permit of permits.values()) {
    const { id, permit_number, status, start_at, end_at } = permit
    const of_this = copies.filter(({ from }) => covers.get(from)?.permits.some(one => one.id === id))
    const kept =
      start_at === null || end_at === null
        ? []
        : of_this.filter(copy => keepsPermit({ status, start_at, end_at }, { ...copy, copied_from_id: copy.from }))
    if (kept.length > 0) await coverage().link(ctx, site_id, id, of.table, kept, true)
    if (kept.length < of_this.length) dropped.push({ id, permit_number })
  }
  return dropped
}

/** How long a copy can be undone. */
const UNDONE_WITHIN = DAY

/** Copies of one kind that the caller wants to undo: what is in the way, and how they are removed. */
export type Undoing = {
  faults: FieldFault[]
  /** Copies that someone has changed since. */
  changed: { id: Id; name: string }[]
  /** Removes them. Those that are no longer there are left out. */
  remove(): Promise<Id[]>
}

/** Makes what removes copies of an area; `path` names their ids in the request. It locks them. */
export const undoingOf =
  <T extends TableName>(of: OfArea<T>, path: string) =>
  async (ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Undoing> => {
    const rows = await of.area.lock(ctx, site_id, ids)
    const scope = ctx.actor.can(MAP_ANY) ? null : await myScope(ctx)
    const found = new Map(rows.map((row): [Id, Record<string, unknown>] => [storedIn(row).id, fieldsIn(row)]))
    const faults: FieldFault[] = []
    ids.forEach((id, i) => {
      const copy = found.get(id)
      if (copy === undefined || copy.copied_from_id === null || copy.created_by !== ctx.actor.id)
        faults.push({ path: `${path}[${i}]`, message: 'isn’t a copy that you made on this site.' })
      else if (
        scope !== null &&
        !isOwnRecord({ contractor_id: textOrNull(copy.contractor_id), created_by: ctx.actor.id }, ctx.actor.id, scope)
      )
        faults.push({ path: `${path}[${i}]`, message: 'is of a contractor that you no longer act for.' })
      else if (ms(textIn(copy.created_at)) + UNDONE_WITHIN < ms(ctx.now))
        faults.push({ path: `${path}[${i}]`, message: 'was copied more than 24 hours ago. Delete it instead.' })
    })
    const there = rows.filter(row => fieldsIn(row).deleted_at === null)
    const changed = there.map(fieldsIn).filter(copy => copy.version !== 1)
    return {
      faults,
      changed: changed.map(copy => ({ id: textIn(copy.id), name: textIn(copy.name) })),
      async remove() {
        await of.area.removeAll(ctx, there, 'The copy was undone.')
        return there.map(row => storedIn(row).id)
      },
    }
  }
