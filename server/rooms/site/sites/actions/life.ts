import type { Static } from 'typebox'
import { jobActor } from '../../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../../base/ctx.ts'
import { enforce, invalidField, refuse } from '../../../../base/errors.ts'
import { type Id, PLATFORM } from '../../../../base/ids.ts'
import { headOf } from '../../../../kernel/audit/door.ts'
import { livePermits, retentionHolds } from '../../../../kernel/site/door.ts'
import { deleting, type LifeFacts, locking, nuking, statusOf } from '../domain.ts'
import { erasePiece, eraseSiteRow, nukedSite, tablesToErase } from '../queries/erasure.ts'
import { type SiteRow, saveSite } from '../queries/sites.ts'
import type { LockSite, NukeSite } from '../schema/sites.ts'
import { labelled, showSite } from './sites.ts'

export async function lifeOf(ctx: Ctx, site: SiteRow, force: boolean): Promise<LifeFacts> {
  const live = (await livePermits(ctx, [site.site_id], null)).get(site.site_id) ?? []
  return { status: statusOf(site), live, force }
}

/** Locks or unlocks a site. The lock takes the site row exclusively, so that nothing that started before can still commit after the response. */
export async function lockSite(ctx: Ctx, site: SiteRow, body: Static<typeof LockSite>): Promise<Record<string, unknown>> {
  const facts = await lifeOf(ctx, site, body.force === true)
  enforce([locking(facts, body.locked)])
  const set = body.locked
    ? { locked_at: ctx.now, locked_by: ctx.actor.id, lock_reason: body.reason }
    : { locked_at: null, locked_by: null, lock_reason: null }
  await saveSite(ctx.db, site.site_id, set)
  ctx.note(site.site_id, { action: 'transition', reason: body.reason })
  ctx.emit({
    kind: body.locked ? 'site.locked' : 'site.unlocked',
    site_id: site.site_id,
    subject: labelled(site),
    payload: { reason: body.reason },
  })
  return { ...(await showSite(ctx, site.site_id)), ...(body.locked && facts.live.length > 0 ? { live_permits: facts.live } : {}) }
}

/** Deletes a site: from then on only superadmins can see it. */
export async function deleteSite(ctx: Ctx, site: SiteRow): Promise<void> {
  enforce([deleting(await lifeOf(ctx, site, false))])
  await saveSite(ctx.db, site.site_id, { deleted_at: ctx.now })
  ctx.note(site.site_id, { action: 'delete' })
  ctx.emit({ kind: 'site.deleted', site_id: site.site_id, subject: labelled(site), payload: {} })
}

/** Erases a site. Within the request it disappears for everyone; a job then deletes it table by table. */
export async function nukeSite(ctx: Ctx, site: SiteRow, body: Static<typeof NukeSite>): Promise<void> {
  if (body.confirm !== site.code) refuse(invalidField('confirm', `must be exactly the site’s code, ${site.code}.`))
  const holds = await retentionHolds(ctx, site.site_id)
  enforce([nuking(await lifeOf(ctx, site, true), holds, body.override_retention === true)])
  await saveSite(ctx.db, site.site_id, { nuked_at: ctx.now, deleted_at: site.deleted_at ?? ctx.now })
  ctx.note(site.site_id, { action: 'delete', reason: body.reason })
  // Closes what is open on the site, like its deletion.
  if (site.deleted_at === null) ctx.emit({ kind: 'site.deleted', site_id: site.site_id, subject: labelled(site), payload: {} })
  // The platform's log records the erasure from now on: while the job deletes the site, the site's own log no longer proves anything.
  ctx.trail.entries.push({
    site_id: PLATFORM,
    entity_type: 'site',
    entity_id: site.site_id,
    entity_label: site.name,
    note: { action: 'delete' },
    changes: [{ path: 'erasing', before: { code: site.code, name: site.name }, after: null }],
  })
  await ctx.enqueue('site_nuke', { site_id: site.site_id, reason: body.reason }, { site_id: PLATFORM })
}
export const PIECE = 5000

/**
 * Deletes everything of a nuked site, table by table, in batches, children before parents. Then writes one entry to the platform's chain: what was erased,
 * by which person and why, with the last seq and hash, so that a printed chain can still be checked. If it is interrupted and started again, it continues.
 */
export async function eraseSite(
  house: House,
  site_id: Id,
  reason: string,
  progress: (fraction: number, message: string) => Promise<void>,
): Promise<Record<string, unknown>> {
  const { db } = house.database
  const site = await nukedSite(db, site_id)
  if (site === null) return { erased: false }
  const head = await headOf(db, site_id)
  const tables = await tablesToErase(db)
  const rows: Record<string, number> = {}
  for (const [i, table] of tables.entries()) {
    await progress(i / tables.length, table)
    for (let gone = PIECE; gone >= PIECE; ) {
      gone = await writing(house, { actor: jobActor('site_nuke'), cause: 'site.nuke' }, ctx => erasePiece(ctx.db, table, site_id, PIECE))
      rows[table] = (rows[table] ?? 0) + gone
    }
  }
  await writing(house, { actor: jobActor('site_nuke'), cause: 'site.nuke' }, async ctx => {
    const { code, name } = site
    ctx.trail.entries.push({
      site_id: PLATFORM,
      entity_type: 'site',
      entity_id: site_id,
      entity_label: name,
      note: { action: 'delete', reason },
      changes: [
        {
          path: 'erased',
          before: { code, name, nuked_at: site.nuked_at, rows, last_seq: head?.seq ?? 0, last_hash: head?.hash ?? null },
          after: null,
        },
      ],
    })
    ctx.emit({ kind: 'site.nuked', site_id: PLATFORM, subject: { kind: 'site', id: site_id, label: name }, payload: { code } })
    await eraseSiteRow(ctx.db, site_id)
  })
  return { erased: true, rows }
}
