import { MINUTE, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { explain } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { cantDelete, cantResolve, runningOf, type Standing, titleOf } from '../domain.ts'
import { type BlockerRow, blockersFrom, type EntryRow, entriesOf } from '../queries.ts'
import { hidesContractor, type ShownPointer, seesBlocker, shownPointer, shownPointers, standingOf } from './seeing.ts'

const flagsOf = (ctx: Ctx, row: BlockerRow, entries: readonly EntryRow[], who: Standing) =>
  flagsFor(ctx.actor, {
    resolve: explain([cantResolve(row, entries, who)]),
    delete: explain([cantDelete(row, entries, who, ctx.now)]),
  })

const NOWHERE = { building_id: null, level_index: null, zone_id: null }

/** Returns a blocker as the caller sees it. */
export async function shownBlocker(ctx: Ctx, row: BlockerRow) {
  const entries = await entriesOf(ctx.db, row.site_id, [row.id])
  const who = await standingOf(ctx)
  const pointers = await shownPointers(ctx, row)
  const hidden = hidesContractor(row.responsible_contractor_id, pointers, who.scope)
  // The place could be that of a record that the caller can’t see.
  const nowhere = pointers.some(one => one.hidden)
  const late = Math.floor((ms(row.created_at) - ms(row.started_at)) / MINUTE)
  return {
    ...{ id: row.id, site_id: row.site_id, version: row.version, number: row.number, description: row.description },
    ...{ category: row.category, status: row.status, running: runningOf(row, ctx.now) },
    title: nowhere ? titleOf(row.category, '') : row.title,
    source: await shownPointer(ctx, row.site_id, { kind: row.source_kind, id: row.source_id }),
    pointers,
    responsible:
      row.responsible_kind === null
        ? null
        : { kind: row.responsible_kind, contractor_id: hidden ? null : row.responsible_contractor_id, hidden },
    place: nowhere ? NOWHERE : { building_id: row.building_id, level_index: row.level_index, zone_id: row.zone_id },
    ...{ started_at: row.started_at, cleared_at: row.cleared_at, cleared_how: row.cleared_how },
    prevented: row.cleared_at !== null && row.cleared_at < row.started_at,
    ...{ declared_by: row.created_by, declared_at: row.created_at, late_minutes: late < 0 ? null : late },
    affected: entries
      .filter(entry => !hidesContractor(entry.contractor_id, pointers, who.scope))
      .map(entry => ({
        ...{ id: entry.id, contractor_id: entry.contractor_id, tokens: entry.tokens, effect: entry.effect, origin: entry.origin },
        ...{
          loss_share_percent: entry.loss_share_percent,
          from_at: entry.from_at,
          to_at: entry.to_at,
          restart_reason: entry.restart_reason,
        },
        self_caused: entry.contractor_id === row.responsible_contractor_id,
      })),
    permissions: flagsOf(ctx, row, entries, who),
  }
}

/** Returns the blockers that were declared from records and that the caller sees, by record, the oldest first. */
export async function blockersOf(ctx: Ctx, site_id: Id, kind: string, source_ids: readonly Id[]) {
  const rows = await blockersFrom(ctx.db, site_id, kind, source_ids)
  const entries = Map.groupBy(
    await entriesOf(
      ctx.db,
      site_id,
      rows.map(row => row.id),
    ),
    entry => entry.blocker_id,
  )
  const who = await standingOf(ctx)
  const seen = rows.filter(row => seesBlocker(ctx, who.scope, row, entries.get(row.id) ?? []))
  const pointers = new Map<Id, ShownPointer[]>()
  // What they point at only decides about the work of other contractors.
  for (const row of seen)
    if (entries.get(row.id)?.some(entry => !who.scope.has(entry.contractor_id)) === true)
      pointers.set(row.id, await shownPointers(ctx, row))
  return Map.groupBy(
    seen.map(row => {
      const own = entries.get(row.id) ?? []
      const known = own.filter(entry => !hidesContractor(entry.contractor_id, pointers.get(row.id) ?? [], who.scope))
      const { id, number, status, category, description, started_at, cleared_at, source_id } = row
      const shown = { id, number, status, category, description, started_at, cleared_at }
      return {
        source_id,
        shown: { ...shown, contractor_ids: known.map(entry => entry.contractor_id), permissions: flagsOf(ctx, row, own, who) },
      }
    }),
    one => one.source_id,
  )
}
