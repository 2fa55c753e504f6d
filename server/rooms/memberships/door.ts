import { kind } from '../../kernel/records/door.ts'
import type { MembershipRow } from './queries.ts'

/** A membership as a record. The person itself and who manages members see it; to others it is not there. */
export const membership = kind<MembershipRow>({
  name: 'membership',
  label: row => row.role.replace('_', ' '),
  sees: (ctx, row) => row.user_id === ctx.actor.id || ctx.actor.can('member_manage'),
  revert: 'access',
})

export { type Admission, admit, placeOf } from './actions.ts'
