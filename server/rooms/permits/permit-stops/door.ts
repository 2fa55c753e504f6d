import type { Row } from '../../../base/rows.ts'
import { kind } from '../../../kernel/records/door.ts'
import { part } from '../kit/kinds.ts'

/** An area stop as a record. */
export const areaStop = kind<Row<'area_stop'>>({
  name: 'area_stop',
  param: 'stop_id',
  label: row => row.reason,
  seen_with: 'site_view',
  revert: 'ledger',
})

/** A permit that a stop stopped, as a record. */
export const areaStopPermit = part('area_stop_permit', 'Stop of a permit')

export { stopArrivals, stopLanded } from './actions/permits.ts'
