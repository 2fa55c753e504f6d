// What an erasure (`site-and-people.md` §4, Rules) does to the invitations to a person.
import type { Actor } from '../../../../base/actor.ts'
import { type House, writing } from '../../../../base/ctx.ts'
import { eraseEntries } from '../../../../kernel/audit/door.ts'
import { addressKey } from '../../../../kernel/mail/door.ts'
import { signerOf } from '../../../../kernel/statements/door.ts'
import { statusOf } from '../domain.ts'
import { inviteRow, invitesTo, saveInvite } from '../queries.ts'
import { revokeInvite } from './manage.ts'

/**
 * Clears the address, the name and the message of every invitation to this address, also in the audit log of each site; an open one is revoked, because
 * without its address anyone could use it. The chains still verify. Returns how many invitations there were.
 */
export async function eraseInvites(house: House, actor: Actor, email: string, reason: string): Promise<number> {
  const work = { actor, cause: 'user.erase' }
  const sites = Map.groupBy(await invitesTo(house.database.db, addressKey(email)), ({ site_id }) => site_id)
  let count = 0
  for (const [site_id, invites] of sites) {
    await writing(house, work, async ctx => {
      for (const { id } of invites) {
        const invite = await inviteRow(ctx.db, site_id, id, true)
        if (invite === null) continue
        if (['open', 'bounced'].includes(statusOf(invite, ctx.now))) await revokeInvite(ctx, invite)
        await saveInvite(ctx.db, site_id, id, { email: null, email_key: null, name: null, message: null })
        ctx.note(id, { reason })
      }
    })
    // In a later transaction, because the entries of the first one contain the address.
    const signer = await signerOf(house, site_id)
    const about = invites.map(({ id }) => ({ kind: 'invite', id }))
    await writing(house, work, ctx => eraseEntries(ctx, site_id, about, reason, signer))
    count += invites.length
  }
  return count
}
