import { kind } from '../../../kernel/records/door.ts'
import { changeDefaults } from './actions/defaults.ts'
import type { Cut } from './queries/cuts.ts'
import type { DefaultsRow } from './queries/defaults.ts'

/** The geometry defaults of a site as a record. */
export const geometryDefault = kind<DefaultsRow>({
  name: 'geometry_default',
  label: () => 'Geometry defaults',
  revert: 'fields',
  undo: {
    fields: { needs: 'geometry_defaults_manage', put: (ctx, row, fields) => changeDefaults(ctx, row.site_id, fields, undefined) },
  },
})

/** A cut as a record. It is undone by its own step, not by a revert. */
export const geometryCut = kind<Cut>({
  name: 'geometry_cut',
  param: 'history_id',
  label: cut => (cut.source === 'freeform' ? 'Cut of a drawn shape' : 'Cut of a feature'),
  parent: cut => ({ kind: cut.feature_kind, id: cut.feature_id }),
  geometry: ['polygon'],
  revert: 'version',
})

export { defaultsOf } from '../kit/defaults.ts'
export { checkOverlaps } from './actions/overlaps.ts'
