import { kind } from '../../../kernel/records/door.ts'
import type { ActivationRow, CalibrationRow, SiteMapRow } from './queries.ts'

/** A site map as a record. */
export const siteMap = kind<SiteMapRow>({
  name: 'site_map',
  label: row => row.name,
  derived: ['served', 'job_id', 'content_version', 'calibration_id'],
  revert: 'transition',
})

/** A calibration of a site map as a record. */
export const siteMapCalibration = kind<CalibrationRow>({
  name: 'site_map_calibration',
  label: row => `Calibration ${row.number}`,
  parent: row => ({ kind: 'site_map', id: row.site_map_id }),
  revert: 'version',
})

/** When a site map was active, as a record. */
export const siteMapActivation = kind<ActivationRow>({
  name: 'site_map_activation',
  label: () => 'Active site map',
  parent: row => (row.site_map_id === null ? null : { kind: 'site_map', id: row.site_map_id }),
  revert: 'transition',
})

export { makePreview, previewKey } from './actions/picture.ts'
export { activeAt } from './actions/show.ts'
export type { SiteMapRow } from './queries.ts'
