import { networkOf } from '../../../../shared/scrub.ts'
import type { House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'

/** What is recorded of sign-ins at the built-in provider. */
export type SignInEvent =
  | 'signed_in'
  | 'sign_in_refused'
  | 'sign_in_throttled'
  | 'sign_in_unconfirmed'
  | 'second_factor_asked'
  | 'token_refused'
  | 'signed_out'

/**
 * Records a sign-in, or an attempt, in the log of the process and in the log that superadmins read. The address that was typed is never recorded, because
 * people type their password there by mistake; nor is the IP address, only its network.
 */
export function recordSignIn(
  house: House,
  event: SignInEvent,
  who: { account_id: Id | null; address: string | null; more?: string },
): void {
  const network = who.address === null ? null : networkOf(who.address)
  const good = event === 'signed_in' || event === 'second_factor_asked' || event === 'signed_out'
  const message = [who.account_id === null ? 'no account' : `account ${who.account_id}`, ...(who.more ? [who.more] : [])].join('; ')
  house.log[good ? 'info' : 'warn']({ event, account_id: who.account_id, network, said: who.more }, 'sign-in')
  house.lines.push({ source: 'auth', level: good ? 'info' : 'warn', kind: event, name: event, message, network })
}
