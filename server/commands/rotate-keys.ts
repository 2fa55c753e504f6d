import { isId } from '../base/ids.ts'
import { rotateKeys } from '../kernel/statements/door.ts'
import { type Command, CommandError, inHouse, option, words } from './command.ts'

/** Returns what the command says about the new key and the earlier ones. */
export const rotated = ({ ended, kid }: { ended: readonly string[]; kid: string }, reason: string | null): string[] => [
  `New signing key: ${kid}.`,
  ...(ended.length === 0 ? [] : [`${reason === null ? 'No longer used' : 'Revoked'}: ${ended.join(', ')}.`]),
]

export const rotateKeysCommand: Command = {
  name: 'rotate-keys',
  usage: 'rotate-keys SITE [--revoke REASON]',
  says: 'Gives a site a new signing key. Documents signed with the old keys stay valid unless you revoke the keys.',
  details: `Keys change automatically once a year. --revoke revokes every earlier key of the site: documents signed with them are no longer trusted, and
permits that are still needed must be printed again. Use it when someone else had access to the data directory or a copy of it.`,
  async run(args, env) {
    const [site_id, ...more] = words(args, ['revoke'])
    const reason = option(args, 'revoke')
    if (site_id === undefined || !isId(site_id) || more.length > 0) throw new CommandError('rotate-keys needs the id of one site.')
    if (args.includes('--revoke') && (reason === null || reason.startsWith('--'))) throw new CommandError('--revoke needs a reason.')
    return inHouse(env, async house => {
      for (const line of rotated(await rotateKeys(house, site_id.toLowerCase(), reason), reason)) console.log(line)
      return 0
    })
  },
}
