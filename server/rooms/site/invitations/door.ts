import type { Ctx } from '../../../base/ctx.ts'
import { kind } from '../../../kernel/records/door.ts'
import { ownContractorOnly } from './actions/manage.ts'
import { type InviteRow, inviteRow } from './queries.ts'

/** Returns whether the caller sees an invitation: who can invite people does, a contractor’s H&S person only those of their own contractor. */
const seesInvite = (ctx: Ctx, { contractor_id }: Pick<InviteRow, 'contractor_id'>): boolean => {
  const own = ownContractorOnly(ctx)
  return ctx.actor.can('member_invite') && (own === null || contractor_id === own)
}

/** An invitation as a record, with the address, the name and the message for one person. */
export const invite = kind<InviteRow>({
  name: 'invite',
  label: row => row.label ?? (row.kind === 'email' ? 'Invitation by email' : 'Invitation by link'),
  sees: seesInvite,
  derived: ['email_key'],
  revert: 'access',
})

/** A person's use of an invitation as a record. */
export const inviteUse = kind<{ id: string; site_id: string; invite_id: string }>({
  name: 'invite_use',
  label: () => 'Use of an invitation',
  parent: use => ({ kind: 'invite', id: use.invite_id }),
  sees: async (ctx, use) => {
    const used = await inviteRow(ctx.db, use.site_id, use.invite_id, false)
    return used !== null && seesInvite(ctx, used)
  },
  revert: 'ledger',
})

export { describeInvite } from './actions/come.ts'
export { eraseInvites } from './actions/erase.ts'
