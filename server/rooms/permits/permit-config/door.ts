import { kind } from '../../../kernel/records/door.ts'
import { restoreFields } from './actions.ts'
import type { ConfigRow } from './queries.ts'

/** The permit policy of a site as a record. */
export const permitConfig = kind<ConfigRow>({
  name: 'permit_config',
  label: () => 'Permit policy',
  revert: 'fields',
  undo: { fields: { needs: 'permit_settings_manage', put: restoreFields } },
})
