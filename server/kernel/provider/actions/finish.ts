// The end of a sign-in: the session begins, or its code is used by one of our own pages.
import type { Provider } from 'oidc-provider'
import type { House } from '../../../base/ctx.ts'
import { secretToken } from '../../../base/ids.ts'
import { type AccountRow, accountOfSubject, dropGrant } from '../../accounts/door.ts'
import { epochOf, grantHash } from './adapter.ts'
import { boundTo } from './browser.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** Ends a sign-in and returns the URL with which its session begins. `amr`: how the person has shown who they are (RFC 8176). */
export async function finishSignIn(
  op: Provider,
  house: House,
  { request, response }: { request: Parameters<Provider['interactionResult']>[0]; response: Parameters<Provider['interactionResult']>[1] },
  { account, amr }: { account: AccountRow; amr: string[] },
): Promise<string> {
  await leaveOther(op, house, await op.interactionDetails(request, response), account)
  return op.interactionResult(request, response, { login: { accountId: account.id, remember: true, amr } })
}

/** Ends the session of another person on this browser, with everything that depends on it, before the new one begins. */
async function leaveOther(op: Provider, house: House, interaction: Interaction, account: AccountRow) {
  const { session } = interaction
  if (session?.accountId === undefined) return
  const other = session.cookie === undefined ? undefined : await op.Session.find(session.cookie)
  // A person’s own session continues, unless it has ended since this sign-in began, for example with a second factor that was set up.
  if (session.accountId === account.id && other !== undefined) return
  delete interaction.session
  delete interaction.grantId
  await interaction.save(interaction.exp - epochOf(house))
  const grant = other?.authorizations?.[house.settings.oidc_client_id]?.grantId
  await other?.destroy()
  if (grant !== undefined) await dropGrant(house.database.db, grantHash(grant))
}

/** Returns the grant, hashed, of the session that a person already has on this browser; null if there is none. */
export async function grantOfBrowser(op: Provider, house: House, interaction: Interaction): Promise<string | null> {
  const cookie = interaction.session?.cookie
  const session = cookie === undefined ? undefined : await op.Session.find(cookie)
  const grant = session?.authorizations?.[house.settings.oidc_client_id]?.grantId
  return grant === undefined ? null : grantHash(grant)
}

/**
 * Returns the URL of a sign-in without an app, which ends at one of our own pages. Its code is never exchanged for tokens, because nobody knows the verifier
 * of this challenge.
 */
export function signInWithoutApp(house: House, path: string, more: Record<string, string> = {}): string {
  const { oidc_client_id: client_id, public_url } = house.settings
  const query = new URLSearchParams({
    client_id,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${public_url}${path}`,
    code_challenge: secretToken(),
    code_challenge_method: 'S256',
    ...more,
  })
  return `${public_url}/oidc/auth?${query}` // at the public URL, where the cookies are valid
}

/**
 * Uses up the code of a sign-in without an app; null if it isn't one for this page and this browser. `age`: seconds from the sign-in of the person to the
 * code. `over`: deletes the cookie of the code.
 */
export async function takeCode(
  house: House,
  op: Provider,
  { text, path, cookies }: { text: string; path: string; cookies: string | undefined },
): Promise<{ account: AccountRow; grant: string | null; age: number; over: string } | null> {
  const unbind = await boundTo(house, text, path, cookies)
  const code = unbind === null ? undefined : await op.AuthorizationCode.find(text)
  const ours = code?.redirectUri === `${house.settings.public_url}${path}` && code.accountId !== undefined
  const account = ours ? await accountOfSubject(house, code.accountId ?? '') : null
  if (unbind === null || code === undefined || account === null || account.disabled_at !== null) return null
  const over = await unbind()
  if (over === null) return null // of two requests at the same time, only the first has the code
  await code.destroy()
  return {
    account,
    grant: code.grantId === undefined ? null : grantHash(code.grantId),
    age: code.authTime === undefined ? Number.POSITIVE_INFINITY : code.iat - code.authTime,
    over,
  }
}
