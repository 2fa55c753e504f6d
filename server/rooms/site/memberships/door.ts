import type { Ctx } from '../../../base/ctx.ts'
import { kind } from '../../../kernel/records/door.ts'
import { findMembership } from './actions/manage.ts'
import type { MembershipRow } from './queries.ts'

/** Whether the row is the caller's own: while they are on the site, and while they wait to be. */
const isOwn = (ctx: Ctx, row: MembershipRow): boolean =>
  row.user_id === ctx.actor.id && (ctx.actor.standing !== null || row.status === 'pending')

/** A membership as a record. The person and those who manage members see it; for others it doesn't exist. */
export const membership = kind<MembershipRow>({
  name: 'membership',
  label: row => row.role.replace('_', ' '),
  find: findMembership,
  sees: (ctx, row) => isOwn(ctx, row) || ctx.actor.can('member_manage'),
  revert: 'access',
})

export { eraseMemberships } from './actions/erase.ts'
export { admit, placeOf } from './actions/manage.ts'
