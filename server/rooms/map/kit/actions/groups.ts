// Schedules of things on the map (`map.md` §0.5): load, decide by the pure rules of `shared/schedule-groups`, and write all occurrences at once.

import { itemsIn, textIn, textOrNull } from '../../../../../shared/narrow.ts'
import { deleteGroup, finishEarly, followers, type StoredOccurrence } from '../../../../../shared/schedule-groups/occurrences.ts'
import { completePattern, type WrittenPattern } from '../../../../../shared/schedule-groups/pattern.ts'
import { type Reconciliation, reconcile } from '../../../../../shared/schedule-groups/reconcile.ts'
import type { Instant, WorkDate } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, invalid, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row, TableName } from '../../../../base/rows.ts'
import { MAP_PURGE } from '../../../../kernel/placed/domain.ts'
import { changesOf } from '../../../../kernel/records/domain.ts'
import { type GroupRow, groupRow, saveGroup } from '../queries/schedules.ts'
import {
  bandOf,
  cantChange,
  contractorFaults,
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

/** Changes what future occurrences have; never their times. */
export async function changeGroup<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  group: GroupRow,
  { include_running, ...set }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  enforce([await cantChange(ctx, of, group)])
  const fields = 'contractor_id' in set ? { ...set, contractor_id: await of.area.ownerOf(ctx, set.contractor_id) } : set
  const template = { ...group.template, ...fields }
  enforce([of.bars?.(ctx, template) ?? null])
  orRefuse(await contractorFaults(ctx, group.site_id, template.contractor_id, 'contractor_id'))
  const next = { ...group, template, name: textIn(template.name), contractor_id: textOrNull(template.contractor_id) }
  const rows = await occurrencesOf(ctx, of, group)
  const following = new Set(followers(rows.map(storedIn), include_running === true, ctx.now).map(({ id }) => id))
  let twice: Record<string, unknown> = {}
  if (Object.keys(fields).length > 0) {
    const changed = await of.area.putAll(
      ctx,
      rows.filter(row => following.has(storedIn(row).id)),
      () => fields,
      subjectOf(of, next),
    )
    if (Object.keys(changesOf(group.template, template)).length > 0) await saveGroup(ctx.db, of.schedule, next)
    twice = await bookedWith(ctx, of, group.site_id, changed)
  }
  return { ...(await showGroup(ctx, of, (await groupRow(ctx.db, of.schedule, group.site_id, group.id, false)) ?? next)), ...twice }
}

/** Returns where else the gang of occurrences that were changed is at the same time, without duplicates. */
async function bookedWith<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  site_id: Id,
  changed: readonly Row<T>[],
): Promise<Record<string, unknown>> {
  if (of.warned === undefined) return {}
  const shown = await of.warned(ctx, site_id, await of.area.showAll(ctx, changed))
  return { double_booked: [...new Set(shown.flatMap(({ double_booked }) => itemsIn(double_booked).map(textIn)))] }
}

const dated = ({ id, occurrence_date }: StoredOccurrence) => ({ id, occurrence_date })

/** Makes the future of a schedule match a new pattern. Repeating it changes nothing. */
export async function reconcileGroup<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  group: GroupRow,
  body: { pattern: WrittenPattern; restore_dates?: WorkDate[] },
): Promise<Record<string, unknown>> {
  enforce([await cantChange(ctx, of, group)])
  const rows = await occurrencesOf(ctx, of, group)
  const plan = reconcile(group, rows.map(storedIn), completePattern(body.pattern), body.restore_dates ?? [], ctx.now, zoneOf(ctx))
  orRefuse(plan.faults)
  const written = plan.same ? [] : await carryOut(ctx, of, group, rows, plan)
  const now = (await groupRow(ctx.db, of.schedule, group.site_id, group.id, false)) ?? group
  return {
    group: await showGroup(ctx, of, now),
    created: written.map(storedIn).map(dated),
    changed: plan.change.map(({ id, occurrence_date }) => ({ id, occurrence_date })),
    removed: plan.remove,
    kept: plan.kept,
    warnings: plan.warnings,
  }
}

/** Writes what a new pattern does, and returns the occurrences that it has created. */
export async function carryOut<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  group: GroupRow,
  rows: readonly Row<T>[],
  plan: Pick<Reconciliation, 'pattern' | 'removed_dates' | 'create' | 'change' | 'remove'>,
): Promise<Row<T>[]> {
  // Read before any occurrence is removed: the new pattern can leave none of those that a permit covers.
  const permit_ids = await permitsOver(ctx, of, rows)
  const gone = new Set(plan.remove.map(({ id }) => id))
  const times = new Map(plan.change.map(({ id, start_at, end_at }) => [id, { start_at, end_at }]))
  await of.area.removeAll(
    ctx,
    rows.filter(row => gone.has(storedIn(row).id)),
    `${group.name} was given another pattern.`,
    subjectOf(of, group),
  )
  await of.area.putAll(
    ctx,
    rows.filter(row => times.has(storedIn(row).id)),
    row => times.get(storedIn(row).id) ?? {},
    subjectOf(of, group),
  )
  const bodies = plan.create.map(occurrence => ({ ...group.template, ...occurrence, schedule_group_id: group.id }))
  const made = await of.area.createAll(ctx, group.site_id, bodies, subjectOf(of, group))
  await inherit(ctx, of, permit_ids, made)
  await saveGroup(ctx.db, of.schedule, { ...group, pattern: plan.pattern, removed_dates: plan.removed_dates })
  tellGroup(ctx, of, 'reconciled', group, [...rows, ...made])
  return made
}

function tellGroup<T extends TableName>(ctx: Ctx, of: OfArea<T>, verb: string, group: GroupRow, rows: readonly Row<T>[]): void {
  const stored = rows.map(storedIn)
  const starts = stored.map(({ start_at }) => start_at).toSorted()
  const ends = stored.map(({ end_at }) => end_at)
  ctx.emit({
    kind: `schedule.${verb}`,
    site_id: group.site_id,
    subject: subjectOf(of, group),
    payload: {
      kind: of.table,
      ids: stored.map(({ id }) => id),
      from: starts[0] ?? ctx.now,
      to: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? ctx.now),
      bbox: null,
      contractor_id: group.contractor_id,
    },
  })
}

/** Ends a schedule because its work is done. Repeating it changes nothing. */
export async function finishGroup<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  group: GroupRow,
  { at, reason }: { at?: Instant; reason?: string },
): Promise<Record<string, unknown>> {
  enforce([await cantChange(ctx, of, group)])
  const rows = await occurrencesOf(ctx, of, group)
  const plan = finishEarly(group, rows.map(storedIn), at ?? null, ctx.now, bandOf(ctx), zoneOf(ctx))
  if (plan.fault !== null) return refuse(invalid([plan.fault]))
  const ends = new Map(plan.end.map(({ id, end_at }) => [id, end_at]))
  const gone = new Set(plan.remove)
  if (ends.size + gone.size > 0) {
    ctx.note(group.id, { action: 'update', ...(reason === undefined ? {} : { reason }) })
    const ending = rows.filter(row => ends.has(storedIn(row).id))
    await of.area.putAll(ctx, ending, row => ({ end_at: ends.get(storedIn(row).id), edited: true }), subjectOf(of, group))
    await of.area.removeAll(
      ctx,
      rows.filter(row => gone.has(storedIn(row).id)),
      `${group.name} was finished early.`,
      subjectOf(of, group),
    )
    await saveGroup(ctx.db, of.schedule, { ...group, removed_dates: plan.removed_dates })
    tellGroup(ctx, of, 'finished_early', group, rows)
  }
  const now = (await groupRow(ctx.db, of.schedule, group.site_id, group.id, false)) ?? group
  return { group: await showGroup(ctx, of, now), ended: [...ends.keys()], removed: plan.remove }
}

/** Returns the occurrences of a schedule that start after an instant, by start. */
export async function futureOf<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  group: GroupRow,
  from: Instant | undefined,
): Promise<Record<string, unknown>[]> {
  const after = from ?? ctx.now
  return of.area.showAll(
    ctx,
    (await occurrencesOf(ctx, of, group, 'read')).filter(row => storedIn(row).start_at > after),
  )
}

/** Deletes a schedule: what is still ahead is removed; what is there now continues, unless it is to end. */
export async function removeGroup<T extends TableName>(
  ctx: Ctx,
  of: OfArea<T>,
  group: GroupRow,
  { finish_running = false, scope = 'future' }: { finish_running?: boolean; scope?: 'future' | 'all' },
): Promise<void> {
  enforce([await cantChange(ctx, of, group), scope === 'all' ? ctx.actor.lacks(MAP_PURGE) : null])
  const rows = await occurrencesOf(ctx, of, group)
  const plan = deleteGroup(rows.map(storedIn), { scope, finish_running }, ctx.now)
  const gone = new Set(plan.remove)
  const ends = new Map(plan.end.map(({ id, end_at }) => [id, end_at]))
  await of.area.putAll(
    ctx,
    rows.filter(row => ends.has(storedIn(row).id)),
    row => ({ end_at: ends.get(storedIn(row).id), edited: true }),
    subjectOf(of, group),
  )
  await of.area.removeAll(
    ctx,
    rows.filter(row => gone.has(storedIn(row).id)),
    `${group.name} was deleted.`,
    subjectOf(of, group),
  )
  ctx.note(group.id, { action: 'delete' })
  await saveGroup(ctx.db, of.schedule, { ...group, deleted_at: ctx.now })
}
