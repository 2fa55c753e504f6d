import { listed } from '../../shared/text.ts'
import { jobActor } from '../base/actor.ts'
import { type House, writing } from '../base/ctx.ts'
import { accountOf, linkToChoose, makeAccount } from '../kernel/accounts/door.ts'
import { listedAsSuperadmin } from '../kernel/identity/domain.ts'
import { BUILT_IN, changeUser, usersWithEmail } from '../kernel/identity/door.ts'
import { type Command, CommandError, inHouse, option, words } from './command.ts'

const actor = jobActor('walkdown superadmin')

/**
 * Makes a person a superadmin. With the built-in provider an account is created if there is none, and `link` leads to the page where they choose the
 * password.
 */
export async function grantSuperadmin(house: House, email: string, name: string | null): Promise<{ name: string; link: string | null }> {
  if (!/^\S+@\S+$/.test(email)) throw new CommandError(`"${email}" isn’t an email address.`)
  return house.settings.oidc_issuer === null ? grantToAccount(house, email, name) : grantToSeen(house, email)
}

async function grantToAccount(house: House, email: string, name: string | null) {
  const known = await accountOf(house, email)
  if (known !== null && known.disabled_at !== null)
    throw new CommandError(`The account for ${email} has been disabled, so it can’t become a superadmin. Use another account.`, 1)
  if (known !== null && known.email_confirmed_at === null)
    throw new CommandError(
      `The address ${email} hasn’t been confirmed yet, so another person may have created its account. The owner must confirm the address first.`,
      1,
    )
  const account = await writing(house, { actor, cause: 'superadmin.grant' }, async ctx => {
    const made = await makeAccount(ctx, { email, name: name ?? email.split('@')[0] ?? email, password_hash: null, confirmed: true })
    await changeUser(ctx.db, made.user_id, { is_superadmin: true, superadmin_granted: true })
    return made.account
  })
  return { name: account.name, link: account.password_hash === null ? await linkToChoose(house, account.id) : null }
}

async function grantToSeen(house: House, email: string) {
  const users = (await usersWithEmail(house.database.db, email)).filter(user => user.email_verified && user.issuer !== BUILT_IN)
  const [user, ...others] = users
  if (user === undefined)
    throw new CommandError(`No one with the verified address ${email} has signed in yet. The person must sign in once first.`, 1)
  if (others.length > 0) throw new CommandError(`${users.length} people have the address ${email}. Name one with SUPERADMIN_SUBJECTS.`, 1)
  await writing(house, { actor, cause: 'superadmin.grant' }, ctx =>
    changeUser(ctx.db, user.id, { is_superadmin: true, superadmin_granted: true }),
  )
  return { name: user.name, link: null }
}

/** Revokes the superadmin rights of everybody who has the address, and returns their names. */
export async function revokeSuperadmin(house: House, email: string): Promise<string[]> {
  const users = await usersWithEmail(house.database.db, email)
  if (users.length === 0) throw new CommandError(`No one in this installation has the address ${email}. Check the spelling.`, 1)
  if (users.some(user => listedAsSuperadmin(user, house.settings)))
    throw new CommandError(
      `${email} is a superadmin because of SUPERADMIN_EMAILS or SUPERADMIN_SUBJECTS. Remove the person from these settings first.`,
      1,
    )
  await writing(house, { actor, cause: 'superadmin.revoke' }, async ctx => {
    for (const user of users) await changeUser(ctx.db, user.id, { is_superadmin: false, superadmin_granted: false })
  })
  return users.map(user => user.name)
}

/** Returns the sentence about the people whose rights were revoked. */
export const revokedWords = (names: readonly string[]): string =>
  names.length === 1 ? `${listed(names)} is no longer a superadmin.` : `${listed(names)} are no longer superadmins.`

export const superadminCommand: Command = {
  name: 'superadmin',
  usage: 'superadmin grant|revoke EMAIL [--name NAME]',
  says: 'Grants or revokes a person’s superadmin rights.',
  details: `With the built-in provider, the command creates an account for the address if there is none, and prints a link to choose
the password. With OIDC_ISSUER the person must have signed in once before you grant the rights. People named in SUPERADMIN_SUBJECTS or
SUPERADMIN_EMAILS are superadmins because of these settings; to revoke their rights, change the settings.`,
  async run(args, env) {
    const [verb, email, ...more] = words(args, ['name'])
    if ((verb !== 'grant' && verb !== 'revoke') || email === undefined || more.length > 0)
      throw new CommandError('walkdown superadmin grant|revoke EMAIL [--name NAME]')
    return inHouse(env, async house => {
      if (verb === 'revoke') {
        console.log(revokedWords(await revokeSuperadmin(house, email)))
        return 0
      }
      const { name, link } = await grantSuperadmin(house, email, option(args, 'name'))
      console.log(`${name} is now a superadmin.`)
      if (link !== null) console.log(`Choose the password here within 24 hours:\n${link}`)
      return 0
    })
  },
}
