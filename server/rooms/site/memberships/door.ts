import { kind } from '../../../kernel/records/door.ts'
import { findMembership } from './actions/manage.ts'
import type { MembershipRow } from './queries.ts'

/** A membership as a record. The member and those who manage members see it; for others it doesn't exist. */
export const membership = kind<MembershipRow>({
  name: 'membership',
  label: row => row.role.replace('_', ' '),
  find: findMembership,
  sees: (ctx, row) => row.user_id === ctx.actor.id || ctx.actor.can('member_manage'),
  revert: 'access',
})

export { admit, placeOf } from './actions/manage.ts'
