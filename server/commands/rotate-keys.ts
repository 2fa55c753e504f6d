import { isId } from '../base/ids.ts'
import { rotateKeys } from '../kernel/statements/door.ts'
import { type Command, CommandError, inHouse, option, words } from './command.ts'

export const rotateKeysCommand: Command = {
  name: 'rotate-keys',
  usage: 'rotate-keys SITE [--revoke REASON]',
  says: 'Gives a site the next key for its papers; what the old ones signed stays good, unless they are revoked.',
  details: `Keys change by themselves once a year. --revoke calls every key back that the site has had until now: no paper that they signed is believed
any more, and permits that are still needed must be printed anew. For when the data directory or a copy of it was in other hands.`,
  async run(args, env) {
    const [site_id, ...more] = words(args, ['revoke'])
    const reason = option(args, 'revoke')
    if (site_id === undefined || !isId(site_id) || more.length > 0) throw new CommandError('rotate-keys takes the id of one site.')
    if (args.includes('--revoke') && (reason === null || reason.startsWith('--'))) throw new CommandError('--revoke needs a reason.')
    return inHouse(env, async house => {
      const { ended, kid } = await rotateKeys(house, site_id.toLowerCase(), reason)
      console.log(
        `${ended.length === 0 ? 'No key' : ended.join(', ')} ${reason === null ? 'signs no more' : 'called back'}; ${kid} signs from now on.`,
      )
      return 0
    })
  },
}
