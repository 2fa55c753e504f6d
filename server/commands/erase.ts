import { counted } from '../../shared/text.ts'
import { jobActor } from '../base/actor.ts'
import { type House, writing } from '../base/ctx.ts'
import { type Id, PLATFORM } from '../base/ids.ts'
import { eraseAccount } from '../kernel/accounts/door.ts'
import { eraseEntries } from '../kernel/audit/door.ts'
import { eraseUser, usersWithEmail } from '../kernel/identity/door.ts'
import { dropDevicesOf } from '../kernel/push/door.ts'
import { signerOf } from '../kernel/statements/door.ts'
import { eraseInvites } from '../rooms/site/invitations/door.ts'
import { eraseMemberships } from '../rooms/site/memberships/door.ts'
import { type Command, CommandError, inHouse, option, words } from './command.ts'

const actor = jobActor('walkdown erase')

/**
 * Erases a person on request (`site-and-people.md` §4, Rules): their name, address and subject are removed, also from the audit log. Ids, roles and
 * what a signature recorded stay, as a legal record, and every chain still verifies. Their memberships end. Invitations to the address lose it, too. Returns how many people had
 * the address, and how many invitations.
 */
export async function erasePeople(house: House, email: string, reason: string): Promise<{ people: number; invitations: number }> {
  const users = await usersWithEmail(house.database.db, email)
  const invitations = await eraseInvites(house, actor, email, reason)
  // While their names are still known, and so that the command can be repeated if it is interrupted.
  for (const { id } of users) await eraseMemberships(house, actor, id, reason)
  if (users.length === 0 && invitations === 0)
    throw new CommandError(`No one in this installation has the address ${email}, and no invitation was sent to it. Check the spelling.`, 1)
  if (users.length === 0) return { people: 0, invitations }
  const about = await writing(house, { actor, cause: 'user.erase' }, async ctx => {
    const touched: { kind: string; id: Id }[] = []
    for (const user of users) {
      ctx.note(user.id, { reason })
      await eraseUser(ctx, user.id)
      await dropDevicesOf(ctx.db, user.id)
      touched.push({ kind: 'user', id: user.id }, ...(await eraseAccount(ctx, user)).map(id => ({ kind: 'account', id })))
    }
    return touched
  })
  // In a later transaction, because the entries of the first one contain the person's name; they are erased, too.
  const signer = await signerOf(house, PLATFORM)
  await writing(house, { actor, cause: 'user.erase' }, ctx => eraseEntries(ctx, PLATFORM, about, reason, signer))
  return { people: users.length, invitations }
}

export const eraseCommand: Command = {
  name: 'erase',
  usage: 'erase EMAIL --reason TEXT',
  says: 'Erases a person on request: their name, address and sign-in are removed; signatures and the audit log stay.',
  details: `The person becomes "Former user" wherever current names are shown, and is signed out. A later sign-in with the address creates a new
person. Their memberships end, and the administrators of each site get a task to hand over what they were responsible for. Ids, roles and the content of signatures stay as the legal record. The name and address are cleared from the platform’s audit log, which
can still be verified; the audit logs of sites keep the name. Invitations to the address lose it, and open ones are revoked.
What is still stored on their devices can no longer be decrypted, because the key is deleted.`,
  async run(args, env) {
    const [email, ...more] = words(args, ['reason'])
    const reason = option(args, 'reason')
    if (email === undefined || more.length > 0 || reason === null || reason.trim() === '')
      throw new CommandError('walkdown erase EMAIL --reason TEXT')
    return inHouse(env, async house => {
      const { people, invitations } = await erasePeople(house, email, reason)
      console.log(`Erased: ${people === 1 ? '1 person' : `${people} people`}, and the address of ${counted(invitations, 'invitation')}.`)
      return 0
    })
  },
}
