import { mintToken, usersWithEmail } from '../kernel/identity/door.ts'
import { type Command, CommandError, inHouse, words } from './command.ts'

export const tokenCommand: Command = {
  name: 'token',
  usage: 'token EMAIL',
  says: 'Prints a short-lived access token of the built-in provider, for development and tests.',
  details: 'Refused with an external issuer (OIDC_ISSUER): its tokens come from there.',
  async run(args, env) {
    const [email] = words(args)
    if (email === undefined) throw new CommandError('token needs an address: walkdown token ana@example.com')
    return inHouse(env, async house => {
      if (house.settings.oidc_issuer !== null) throw new CommandError('OIDC_ISSUER is set: tokens come from that provider.', 1)
      const [user] = await usersWithEmail(house.database.db, email)
      if (user === undefined) throw new CommandError(`Nobody has the address ${email} here.`, 1)
      console.log(await mintToken(house, user))
      return 0
    })
  },
}
