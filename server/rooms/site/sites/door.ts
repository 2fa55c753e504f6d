import { kind } from '../../../kernel/records/door.ts'
import { restoreFields } from './actions/sites.ts'
import { type SiteRow, siteRow } from './queries/sites.ts'

/** A site as a record, with a history of its own, found by `site_id`. */
export const site = kind<SiteRow>({
  name: 'site',
  param: 'site_id',
  label: s => s.name,
  find: (ctx, site_id, _id, lock) => siteRow(ctx.db, site_id, lock),
  geometry: ['boundary'],
  derived: ['boundary_bounds', 'nuked_at'],
  revert: 'fields',
  undo: { fields: { needs: 'site_configure', put: restoreFields } },
})

/** A period of the main contractor. */
export const mainContractorPeriod = kind<{ id: string; contractor_id: string; site_id: string }>({
  name: 'main_contractor_period',
  label: () => 'Main contractor',
  parent: p => ({ kind: 'site', id: p.site_id }),
  revert: 'ledger',
})
