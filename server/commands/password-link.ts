import { jobActor } from '../base/actor.ts'
import { type House, writing } from '../base/ctx.ts'
import { PLATFORM } from '../base/ids.ts'
import { accountOf, linkToChoose } from '../kernel/accounts/door.ts'
import { type Command, CommandError, inHouse, words } from './command.ts'

/**
 * Makes a link where the owner of an account chooses a password, which also confirms the address. For a person whose email can't be delivered: the person who
 * passes the link on vouches for the address.
 */
export async function passwordLink(house: House, email: string): Promise<{ name: string; link: string }> {
  const account_url = house.settings.oidc_issuer
  if (account_url !== null)
    throw new CommandError(`People sign in through ${account_url}, so Walkdown has no passwords. Change the password there.`, 1)
  const account = await accountOf(house, email)
  if (account === null)
    throw new CommandError(`No account has the address ${email}. The person must first create an account with an invitation.`, 1)
  if (account.disabled_at !== null)
    throw new CommandError(`The account for ${email} has been disabled, so it can’t get a new password. Use another account.`, 1)
  await writing(house, { actor: jobActor('walkdown password-link'), cause: 'account.password_link' }, async ctx => {
    const note = { action: 'update', reason: 'A link to choose a password was made in the terminal' } as const
    ctx.trail.entries.push({ site_id: PLATFORM, entity_type: 'account', entity_id: account.id, entity_label: account.name, note })
  })
  return { name: account.name, link: await linkToChoose(house, account.id) }
}

export const passwordLinkCommand: Command = {
  name: 'password-link',
  usage: 'password-link EMAIL',
  says: 'Prints a link with which a person can choose a password, for example if there is no mail server.',
  details: `The link is valid for 24 hours and works once. Using the link also confirms the address of the account, so give the link only to the owner.
The account doesn’t change until someone uses the link.`,
  async run(args, env) {
    const [email, ...more] = words(args)
    if (email === undefined || more.length > 0) throw new CommandError('walkdown password-link EMAIL')
    return inHouse(env, async house => {
      const { name, link } = await passwordLink(house, email)
      console.log(`Give this link to ${name}. It is valid for 24 hours:\n${link}`)
      return 0
    })
  },
}
