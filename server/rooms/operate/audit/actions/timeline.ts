import { dateOn, plusDays, startOfDay } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { explain } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { numberIn, PAGE, writeCursor } from '../../../../base/paging.ts'
import { allKinds } from '../../../../kernel/records/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { LARGEST_BATCH, sentence, tellingAction, unseenAmong } from '../domain.ts'
import { type BatchPart, batchesOn, countsOfDays, type Narrowed, partsOf, revertsOf } from '../queries/entries.ts'
import type { TimelineQuery } from '../schema.ts'
import { actorNames, sightKeeper, sights } from './seeing.ts'
import { narrowedBy, verdictsOn } from './show.ts'

const DAYS_SHOWN = 31
/** Returns a site's activity feed, newest first: one row for each transaction, or one for each day. */
export async function timelineOf(ctx: Ctx, site_id: Id, query: TimelineQuery): Promise<{ rows: unknown[]; next: string | null }> {
  const { group, cursor, limit = PAGE, ...wanted } = query
  if (group === 'day') return { rows: await days(ctx, site_id, wanted), next: null }
  const before = numberIn(cursor)
  const filter = await narrowedBy(ctx, site_id, wanted, before)
  const see = sightKeeper(ctx)
  const nameOf = await actorNames(ctx, site_id)
  const rows: unknown[] = []
  let below = filter.below
  for (;;) {
    const batches = await batchesOn(ctx.db, site_id, { ...filter, below }, limit - rows.length + 1)
    const parts = Map.groupBy(
      await partsOf(
        ctx.db,
        site_id,
        { ...filter, below: undefined },
        batches.map(b => b.batch_id),
      ),
      part => part.batch_id,
    )
    const reverted = await revertsOf(
      ctx.db,
      site_id,
      [...parts.values()].filter(whole => whole.length <= LARGEST_BATCH).flatMap(whole => whole.map(part => part.id)),
    )
    for (const { batch_id, top } of batches) {
      const whole = parts.get(batch_id) ?? []
      const all = whole.filter(part => part.matches)
      // Whether a larger transaction contains hidden records isn't asked, because it can't be reverted as a whole anyway: an import can have thousands.
      const seen = await see((whole.length <= LARGEST_BATCH ? whole : all).map(part => ({ ...part, site_id })))
      const visible = all.filter(part => seen.get(part.entity_id) != null)
      if (visible.length > 0) {
        if (rows.length === limit) return { rows, next: writeCursor([below ?? top]) }
        const unseen = whole.filter(part => seen.get(part.entity_id) == null).length
        rows.push({ ...shownBatch(batch_id, visible, nameOf), revertible: await batchFlag(ctx, whole, reverted, unseen) })
      }
      below = Math.min(top, ...all.map(part => part.seq))
    }
    if (batches.length <= limit - rows.length || batches.length === 0) return { rows, next: null }
  }
}

/** No person did what a background job did, so the subject of the sentence is the product. */
const PRODUCT = 'Walkdown'

function shownBatch(batch_id: Id, parts: readonly BatchPart[], nameOf: Awaited<ReturnType<typeof actorNames>>): Record<string, unknown> {
  const first = parts[0]
  if (first === undefined) throw new Error('None of the entries of this batch is visible.')
  const counts: Record<string, number> = {}
  for (const { entity_type } of parts) counts[entity_type] = (counts[entity_type] ?? 0) + 1
  const action = tellingAction(parts.map(part => part.action))
  const telling = parts.find(part => part.action === action) ?? first
  const single = parts.length === 1
  const name = nameOf({ id: first.actor_id, name: first.actor_name })
  return {
    at: first.at,
    work_date: first.work_date,
    actor: { kind: first.actor_kind, id: first.actor_id, name },
    sentence: sentence({
      actor: first.actor_kind === 'job' ? PRODUCT : name,
      action,
      cause: first.cause,
      counts,
      label: single ? telling.entity_label : null,
    }),
    action,
    counts,
    batch_id,
    entity: single ? { type: telling.entity_type, id: telling.entity_id, label: telling.entity_label } : null,
    entry_id: single ? telling.id : null,
  }
}

/** Returns whether a whole transaction could be reverted, as the call decides; if not, with the first reason. `unseen`: how many entries are about records that are hidden from the caller. */
async function batchFlag(
  ctx: Ctx,
  entries: readonly BatchPart[],
  reverted: ReadonlyMap<Id, Id>,
  unseen: number,
): Promise<{ allowed: boolean; because: unknown[] }> {
  if (entries.length > LARGEST_BATCH)
    return {
      allowed: false,
      because: [
        {
          code: 'ledger',
          detail: `This change has more than ${LARGEST_BATCH} entries, so it can’t be reverted as a whole. Revert its entries one by one.`,
        },
      ],
    }
  const sighted = explain([unseenAmong(entries.length, unseen)])
  if (!sighted.allowed) return sighted
  for (const entry of entries) {
    const flag = explain(await verdictsOn(ctx, entry, reverted.get(entry.id) ?? null))
    if (!flag.allowed) return flag
  }
  return { allowed: entries.length > 0, because: [] }
}

async function days(ctx: Ctx, site_id: Id, wanted: Omit<TimelineQuery, 'group' | 'cursor' | 'limit'>): Promise<unknown[]> {
  const { timezone } = await siteOf(ctx, site_id)
  // Whole days: part of a day would look like a day on which less was done.
  const from = wanted.from ?? startOfDay(timezone, plusDays(dateOn(timezone, wanted.to ?? ctx.now), 1 - DAYS_SHOWN))
  const filter: Narrowed = await narrowedBy(ctx, site_id, { ...wanted, from }, undefined)
  const judged = allKinds()
    .filter(kind => !kind.open)
    .map(kind => kind.name)
  const counts = await countsOfDays(ctx.db, site_id, filter, judged)
  const single = counts.flatMap(({ entity_type, entity_id }) => (entity_id === null ? [] : [{ site_id, entity_type, entity_id }]))
  const seen = await sights(ctx, single)
  const nameOf = await actorNames(ctx, site_id)
  const byDay = Map.groupBy(
    counts.filter(row => row.entity_id === null || seen.has(row.entity_id)),
    row => row.work_date,
  )
  return [...byDay]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([work_date, rows]) => {
      const sums: Record<string, number> = {}
      for (const { entity_type, n } of rows) sums[entity_type] = (sums[entity_type] ?? 0) + n
      const named = rows.flatMap(row => row.actors).map(actor => ({ ...actor, name: nameOf(actor) }))
      const actors = new Map(named.map(actor => [`${actor.id} ${actor.name}`, actor]))
      return { work_date, counts: sums, actors: [...actors.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) }
    })
}
