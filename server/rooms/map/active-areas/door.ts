import type { Row } from '../../../base/rows.ts'
import { kind } from '../../../kernel/records/door.ts'
import { undoingOf } from '../kit/actions/copies.ts'
import { areas } from './actions/areas.ts'
import { type FillRow, fillRow } from './queries/fills.ts'

/** An active area as a record, and its schedules. */
export const activeArea = areas.area.kind
export const activeAreaSchedule = areas.group

/** Undoes copies of active areas. */
export const undoingAreas = undoingOf(areas, 'active_area_ids')

/** How an active area was for a time, as a record. */
export const activeAreaVersion = kind<Row<'active_area_version'>>({
  name: 'active_area_version',
  label: ({ number }) => `Version ${number}`,
  parent: ({ area_id }) => ({ kind: 'active_area', id: area_id }),
  seen_with: 'map_view',
  hides: () => ['content'],
  revert: 'version',
})

/** A fill as a record. */
export const areaFill = kind<FillRow>({
  name: 'area_fill',
  param: 'group_id',
  label: ({ name }) => name,
  find: (ctx, site_id, id, lock) => fillRow(ctx.db, site_id, id, lock),
  derived: ['bounds'],
  revert: 'ledger',
})

export { areasThen } from './queries/areas.ts'
