import { chosenFrom, textIn } from '../../../../shared/narrow.ts'
import { HOUR, MINUTE } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { FACTOR_NEWS, momentIn, type Words, wordsFor } from '../../mail/domain/words.ts'
import type { Letter, MailKind } from '../../mail/door.ts'
import { type AccountRow, accountById } from '../queries.ts'
import { mintAccountToken, TOKEN_LIFETIME } from './accounts.ts'

/** Makes an email to the owner of an account; none if the account doesn't exist or was erased. */
const toOwner =
  (said: (house: House, account: AccountRow, words: Words, input: Record<string, unknown>) => Promise<Letter['said'] | null>) =>
  async (house: House, input: Record<string, unknown>): Promise<Letter | null> => {
    const account = await accountById(house.database.db, String(input.account_id))
    if (account === null || account.disabled_at !== null) return null
    const words = await said(house, account, wordsFor(account.locale).words, input)
    return words === null ? null : { to: { name: account.name, address: account.email }, locale: account.locale, said: words }
  }

/** Emails of the built-in provider. */
export const accountMails: MailKind[] = [
  {
    kind: 'confirm_address',
    says: 'Asks a person who registered to confirm their address.',
    letter: toOwner(async (house, account, words) => {
      if (account.email_confirmed_at !== null) return null
      const token = await mintAccountToken(house, account.id, 'confirm', TOKEN_LIFETIME.confirm)
      const url = `${house.settings.public_url}/oidc/confirm#${token}`
      return words.confirm_address({ name: account.name, url, hours: TOKEN_LIFETIME.confirm / HOUR })
    }),
  },
  {
    kind: 'reset_password',
    says: 'Sends the owner of an account a link to choose a new password.',
    letter: toOwner(async (house, account, words) => {
      const token = await mintAccountToken(house, account.id, 'reset', TOKEN_LIFETIME.reset)
      const url = `${house.settings.public_url}/oidc/reset#${token}`
      return words.reset_password({ name: account.name, url, minutes: TOKEN_LIFETIME.reset / MINUTE })
    }),
  },
  {
    kind: 'password_changed',
    says: 'Notifies the owner of an account that its password was changed.',
    letter: toOwner(async (house, account, words, input) =>
      words.password_changed({
        name: account.name,
        at: momentIn(account.locale ?? 'en-GB', 'UTC', String(input.at)),
        url: `${house.settings.public_url}/oidc/forgot`,
      }),
    ),
  },
  {
    kind: 'second_factor',
    says: 'Notifies the owner of an account that its second factor was set up, replaced, removed or used in an unusual way.',
    letter: toOwner(async (house, account, words, input) =>
      words.second_factor({
        name: account.name,
        at: momentIn(account.locale ?? 'en-GB', 'UTC', String(input.at)),
        what: chosenFrom(FACTOR_NEWS, textIn(input.what)),
        left: Number(input.left ?? 0),
        url: `${house.settings.public_url}/oidc/second-factor`,
        forgot_url: `${house.settings.public_url}/oidc/forgot`,
      }),
    ),
  },
  {
    kind: 'account_exists',
    says: 'Notifies the owner of an account that someone registered with their address, and explains how to accept the invitation.',
    letter: toOwner(async (house, account, words, input) =>
      words.account_exists({
        name: account.name,
        site: String(input.site),
        url: `${house.settings.public_url}/`,
        forgot_url: `${house.settings.public_url}/oidc/forgot`,
      }),
    ),
  },
]
