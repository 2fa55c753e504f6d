import { kind } from '../../../kernel/records/door.ts'
import { type ProfileRow, profileRow } from './queries.ts'

/** A rule profile as a record. */
export const ruleProfile = kind<ProfileRow>({
  name: 'rule_profile',
  param: 'profile_id',
  label: row => row.name,
  find: (ctx, site_id, id, lock) => profileRow(ctx.db, site_id, id, lock),
  seen_with: 'clash_view',
  derived: ['name_key'],
  revert: 'ledger',
})
