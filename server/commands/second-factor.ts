import { jobActor } from '../base/actor.ts'
import { type House, writing } from '../base/ctx.ts'
import { accountOf, removeFactor } from '../kernel/accounts/door.ts'
import { type Command, CommandError, inHouse, option, words } from './command.ts'

/** Removes the second factor of a person who has lost it, and signs them out on every device. Returns the person's name. */
export async function removeSecondFactor(house: House, email: string, reason: string): Promise<string> {
  const account_url = house.settings.oidc_issuer
  if (account_url !== null)
    throw new CommandError(`People sign in through ${account_url}, so Walkdown has no second factors. Remove the second factor there.`, 1)
  const account = await accountOf(house, email)
  if (account === null) throw new CommandError(`No account has the email address ${email}. Check the spelling.`, 1)
  const removed = await writing(house, { actor: jobActor('walkdown second-factor'), cause: 'account.remove_second_factor' }, ctx =>
    removeFactor(ctx, account, { but_grant: null, what: 'removed_for_you', reason }),
  )
  if (!removed) throw new CommandError(`${account.name} has no second factor, so there is nothing to remove.`, 1)
  return account.name
}

export const secondFactorCommand: Command = {
  name: 'second-factor',
  usage: 'second-factor remove EMAIL --reason TEXT',
  says: 'Removes the second factor of a person who has lost their phone and their recovery codes.',
  details: `Before you run this command, make sure that the person is who they say they are: meet them, or call them on a number that you know. An email
isn’t enough, because a thief may read it. The person is signed out on every device and gets an email. They sign in with their password and set up a new
second factor; with SECOND_FACTOR=required they must do so before they are signed in. The audit log of the installation records the reason.`,
  async run(args, env) {
    const [verb, email, ...more] = words(args, ['reason'])
    const reason = option(args, 'reason')
    if (verb !== 'remove' || email === undefined || more.length > 0 || reason === null || reason.trim() === '')
      throw new CommandError('walkdown second-factor remove EMAIL --reason TEXT')
    return inHouse(env, async house => {
      console.log(
        `The second factor of ${await removeSecondFactor(house, email, reason)} has been removed, and they have been signed out everywhere.`,
      )
      return 0
    })
  },
}
