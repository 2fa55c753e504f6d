import { kind } from '../../../kernel/records/door.ts'
import { changeDefaults } from './actions.ts'
import type { DefaultsRow } from './queries.ts'

/** The geometry defaults of a site as a record. */
export const geometryDefault = kind<DefaultsRow>({
  name: 'geometry_default',
  label: () => 'Geometry defaults',
  revert: 'fields',
  undo: {
    fields: { needs: 'geometry_defaults_manage', put: (ctx, row, fields) => changeDefaults(ctx, row.site_id, fields, undefined) },
  },
})
