import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, invalidField, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { scopeOf } from '../../../../kernel/access/domain.ts'
import { oversightOf } from '../../../../kernel/access/door.ts'
import { beginMainContractor, contractorOf, endMainContractor, type SiteRow, saveSite } from '../queries/sites.ts'
import { labelled, showSite } from './sites.ts'

/** Ends the period of the main contractor and starts that of another. */
export async function setMainContractor(ctx: Ctx, site: SiteRow, contractor_id: Id | null): Promise<Record<string, unknown>> {
  if (contractor_id !== null) {
    const contractor = await contractorOf(ctx.db, site.site_id, contractor_id)
    if (contractor === null) return refuse(invalidField('contractor_id', 'isn’t a contractor on this site.'))
    if (contractor.status === 'left')
      refuse(conflict('contractor_left', `${contractor.name} has left the site. Choose another contractor.`))
  }
  if (contractor_id !== site.main_contractor_id) {
    await endMainContractor(ctx.db, site.site_id, ctx.now)
    if (contractor_id !== null) await beginMainContractor(ctx.db, site.site_id, ids.next(), contractor_id, ctx.now)
    await saveSite(ctx.db, site.site_id, { main_contractor_id: contractor_id })
    ctx.emit({
      kind: 'main_contractor.changed',
      site_id: site.site_id,
      subject: labelled(site),
      payload: { before: site.main_contractor_id, after: contractor_id },
      contractor_ids: contractor_id === null ? [] : [contractor_id],
    })
    ctx.redraw(site.site_id, 'tokens', 'areas')
  }
  return showSite(ctx, site.site_id)
}

/** Sets the risk score from which an observation is serious. */
export async function setThreshold(ctx: Ctx, site: SiteRow, risk_score: number | null): Promise<Record<string, unknown>> {
  if (risk_score !== site.observation_threshold) {
    await saveSite(ctx.db, site.site_id, { observation_threshold: risk_score })
    ctx.emit({
      kind: 'site.observation_threshold_changed',
      site_id: site.site_id,
      subject: labelled(site),
      payload: { before: site.observation_threshold, after: risk_score, turned_serious: [] },
    })
  }
  return { ...(await showSite(ctx, site.site_id)), turned_serious: [] }
}

/** Switches whether oversight counts through chains; returns the derived pairs that this added or removed. */
export async function setTransitive(ctx: Ctx, site: SiteRow, transitive: boolean): Promise<Record<string, unknown>> {
  const { pairs } = await oversightOf(ctx.db, site.site_id)
  const overseers = [...new Set(pairs.map(p => p.overseer_id))]
  const derived = overseers.flatMap(overseer_id =>
    [...scopeOf(overseer_id, pairs, true)]
      .filter(([id, { via }]) => id !== overseer_id && via.length > 0)
      .map(([subordinate_id]) => ({ overseer_id, subordinate_id })),
  )
  const changed = transitive !== site.oversight_transitive
  if (changed) {
    await saveSite(ctx.db, site.site_id, { oversight_transitive: transitive })
    ctx.emit({
      kind: 'contractor.oversight_changed',
      site_id: site.site_id,
      subject: labelled(site),
      payload: { oversight_transitive: transitive },
    })
  }
  const answer = await showSite(ctx, site.site_id)
  return transitive ? { ...answer, pairs_added: changed ? derived : [] } : { ...answer, pairs_removed: changed ? derived : [] }
}
