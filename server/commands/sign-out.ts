import { jobActor } from '../base/actor.ts'
import { type House, writing } from '../base/ctx.ts'
import { accountOf, endSessions } from '../kernel/accounts/door.ts'
import { usersWithEmail } from '../kernel/identity/door.ts'
import { dropDevicesOf } from '../kernel/push/door.ts'
import { type Command, CommandError, inHouse, option, words } from './command.ts'

/** Signs a person out on every device, for example after a phone has been lost, and stops push notifications to them. Returns the person's name. */
export async function signOutEverywhere(house: House, email: string, reason: string): Promise<string> {
  const account_url = house.settings.oidc_issuer
  if (account_url !== null)
    throw new CommandError(`People sign in through ${account_url}. End the sessions there, or end the person’s memberships in the app.`, 1)
  const account = await accountOf(house, email)
  if (account === null) throw new CommandError(`No account has the email address ${email}. Check the spelling.`, 1)
  const users = await usersWithEmail(house.database.db, email)
  await writing(house, { actor: jobActor('walkdown sign-out'), cause: 'account.sign_out' }, async ctx => {
    await endSessions(ctx, account, reason)
    for (const user of users) await dropDevicesOf(ctx.db, user.id)
  })
  return account.name
}

export const signOutCommand: Command = {
  name: 'sign-out',
  usage: 'sign-out EMAIL --reason TEXT',
  says: 'Signs a person out on every device, for example after a phone has been lost.',
  details: `Every session ends immediately, and the person’s devices no longer get push notifications until the person switches them on again. The password
doesn’t change: the person can sign in with it again at any time.`,
  async run(args, env) {
    const [email, ...more] = words(args, ['reason'])
    const reason = option(args, 'reason')
    if (email === undefined || more.length > 0 || reason === null || reason.trim() === '')
      throw new CommandError('walkdown sign-out EMAIL --reason TEXT')
    return inHouse(env, async house => {
      console.log(`${await signOutEverywhere(house, email, reason)} has been signed out everywhere.`)
      return 0
    })
  },
}
