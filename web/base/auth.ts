// Signing in: OpenID Connect by code with PKCE, at the built-in provider or any other. Tokens are renewed before they end; whoever opens the
// app without a line stays who he was, and sees what was kept for him.
import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { config } from './config.ts'

let manager: UserManager | null = null
let user: User | null = null
let renewing: Promise<User | null> | null = null

function managerNow(): UserManager {
  if (manager !== null) return manager
  const { issuer, client_id, scopes } = config()
  manager = new UserManager({
    authority: issuer,
    client_id,
    redirect_uri: `${location.origin}/signed-in`,
    post_logout_redirect_uri: `${location.origin}/`,
    scope: scopes.join(' '),
    response_type: 'code',
    automaticSilentRenew: false,
    loadUserInfo: false,
    monitorSession: false,
    userStore: new WebStorageStateStore({ store: localStorage, prefix: 'walkdown.user.' }),
    stateStore: new WebStorageStateStore({ store: localStorage, prefix: 'walkdown.sign_in.' }),
  })
  return manager
}

/** Who is signed in on this device, from what it kept; null: nobody. */
export async function recallUser(): Promise<User | null> {
  user = await managerNow().getUser()
  return user
}

/** Whether somebody is signed in on this device. */
export const isSignedIn = (): boolean => user !== null

/** The subject of who is signed in: what is kept on the device is kept under it. */
export const subjectNow = (): string | null => user?.profile.sub ?? null

/** Goes to the provider; afterwards the person is back where he wanted to go. */
export const signIn = (to: string): Promise<void> => managerNow().signinRedirect({ state: { to } })

/** Ends the way back from the provider; answers where the person wanted to go. */
export async function endSignIn(): Promise<string> {
  user = (await managerNow().signinRedirectCallback()) ?? null
  const state = user?.state as { to?: unknown } | undefined // as signIn gave it
  return typeof state?.to === 'string' && state.to.startsWith('/') && !state.to.startsWith('//') ? state.to : '/'
}

/** Signs out here and at the provider. */
export async function signOut(): Promise<void> {
  const id_token_hint = user?.id_token
  await managerNow().removeUser()
  user = null
  await managerNow().signoutRedirect(id_token_hint === undefined ? {} : { id_token_hint })
}

/** Nobody is signed in here any more: the provider would not renew. */
async function forget(): Promise<void> {
  await managerNow().removeUser()
  user = null
}

const EARLY_SECONDS = 30

/** A token that holds, renewed where it must be; null where nobody is signed in, or the line is cut while it has run out. */
export async function tokenNow(force = false): Promise<string | null> {
  if (user === null) return null
  const left = user.expires_in ?? 0
  if (!force && left > EARLY_SECONDS) return user.access_token
  // Two open windows share one refresh token, which holds once: only one of them renews, the other takes what it got.
  renewing ??= navigator.locks
    .request('walkdown.renew', async () => {
      const stored = await managerNow().getUser()
      if (stored !== null && stored.access_token !== user?.access_token && (stored.expires_in ?? 0) > EARLY_SECONDS) return stored
      return managerNow().signinSilent()
    })
    .catch(async error => {
      // Only what the provider says of the person ends his stay here; a provider that is not well, or not reached, does not.
      const said = error instanceof Error && error.name === 'ErrorResponse' ? (error as { error?: unknown }).error : null // oidc-client-ts
      if (said === 'invalid_grant' || said === 'login_required') await forget()
      return null
    })
    .finally(() => {
      renewing = null
    })
  const renewed = await renewing
  if (renewed !== null) user = renewed
  return user !== null && (user.expires_in ?? 0) > 0 ? user.access_token : null
}
