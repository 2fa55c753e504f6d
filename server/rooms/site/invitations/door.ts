import { kind } from '../../../kernel/records/door.ts'
import { ownContractorOnly } from './actions/manage.ts'
import type { InviteRow } from './queries.ts'

/** An invitation as a record. A contractor's H&S person sees those of their own contractor. */
export const invite = kind<InviteRow>({
  name: 'invite',
  label: row => row.label ?? (row.kind === 'email' ? 'Invitation by email' : 'Invitation by link'),
  sees: (ctx, row) => {
    const own = ownContractorOnly(ctx)
    return own === null || row.contractor_id === own
  },
  derived: ['email_key'],
  revert: 'access',
})

/** A person's use of an invitation as a record. */
export const inviteUse = kind<{ id: string; invite_id: string }>({
  name: 'invite_use',
  label: () => 'Use of an invitation',
  parent: use => ({ kind: 'invite', id: use.invite_id }),
  revert: 'ledger',
})

export { describeInvite } from './actions/come.ts'
export { eraseInvites } from './actions/erase.ts'
