import type { House } from '../base/ctx.ts'
import { accountOf, claimsOfAccount } from '../kernel/accounts/door.ts'
import { mintToken } from '../kernel/identity/door.ts'
import { type Command, CommandError, inHouse, words } from './command.ts'

/** Creates a short-lived access token for the owner of an account of the built-in provider. */
export async function tokenFor(house: House, email: string): Promise<string> {
  if (house.settings.oidc_issuer !== null)
    throw new CommandError('OIDC_ISSUER is set, so tokens come from that provider. Get a token there.', 1)
  const account = await accountOf(house, email)
  if (account === null)
    throw new CommandError(
      `No account has the email address ${email}. People join by invitation. Create the first account with walkdown superadmin grant.`,
      1,
    )
  if (account.disabled_at !== null)
    throw new CommandError(`The account for ${email} has been disabled, so it can’t get tokens. Use another account.`, 1)
  return mintToken(house, claimsOfAccount(account))
}

export const tokenCommand: Command = {
  name: 'token',
  usage: 'token EMAIL',
  says: 'Prints a short-lived access token of the built-in provider, for development and tests.',
  details: 'The token is valid for fifteen minutes. The command isn’t available with an external identity provider (OIDC_ISSUER).',
  async run(args, env) {
    const [email, ...more] = words(args)
    if (email === undefined || more.length > 0) throw new CommandError('token needs an email address: walkdown token ana@example.com')
    return inHouse(env, async house => {
      console.log(await tokenFor(house, email))
      return 0
    })
  },
}
