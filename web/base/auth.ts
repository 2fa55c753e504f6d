// Signing in: OpenID Connect by code with PKCE, at the built-in provider or any other. Tokens are renewed before they expire; a person who
// opens the app offline stays signed in and sees what was stored for them.
import type { UserManager } from 'oidc-client-ts'
import { config } from './config.ts'
import { type Kept, keptUser, secondsLeft, userKey } from './kept-user.ts'

let manager: Promise<UserManager> | null = null
let user: Kept | null = null
let renewing: Promise<Kept | null> | null = null

/** The client of the provider. It is loaded to sign in or to renew a token; opening the app does not need it. */
function managerNow(): Promise<UserManager> {
  manager ??= (async () => {
    const { UserManager, WebStorageStateStore } = await import('oidc-client-ts')
    const { issuer, client_id, scopes } = config()
    return new UserManager({
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
  })()
  // A part of the app that did not come over a bad line is asked for again.
  manager.catch(() => {
    manager = null
  })
  return manager
}

/** Who is signed in on this device, from what it kept; null: nobody is. */
export function recallUser(): void {
  user = keptUser(config())
}

/** Whether somebody is signed in on this device. */
export const isSignedIn = (): boolean => user !== null

/** The subject of who is signed in: what is kept on the device is kept under it. */
export const subjectNow = (): string | null => user?.profile.sub ?? null

/** Goes to the provider; afterwards the person is back where he wanted to go. */
export const signIn = async (to: string): Promise<void> => (await managerNow()).signinRedirect({ state: { to } })

/** Ends the way back from the provider; answers where the person wanted to go. */
export async function endSignIn(): Promise<string> {
  const state = (await (await managerNow()).signinRedirectCallback())?.state as { to?: unknown } | undefined // as signIn gave it
  recallUser()
  return typeof state?.to === 'string' && state.to.startsWith('/') && !state.to.startsWith('//') ? state.to : '/'
}

/** Signs out here and at the provider. */
export async function signOut(): Promise<void> {
  const id_token_hint = user?.id_token
  forget()
  await (await managerNow()).signoutRedirect(id_token_hint === undefined ? {} : { id_token_hint })
}

/** Leaves the account on this device and asks the provider for another; afterwards the person is back at `to`. */
export async function signInAsOther(to: string): Promise<void> {
  forget()
  await (await managerNow()).signinRedirect({ state: { to }, prompt: 'login' })
}

/** Nobody is signed in here any more. */
function forget(): void {
  localStorage.removeItem(userKey(config()))
  user = null
}

const EARLY_SECONDS = 30

/** A token that holds, renewed where it must be; null where nobody is signed in, or the line is cut while it has run out. */
export async function tokenNow(force = false): Promise<string | null> {
  if (user === null) return null
  if (!force && secondsLeft(user) > EARLY_SECONDS) return user.access_token
  // Two open windows share one refresh token, which holds once: only one of them renews, the other takes what it got.
  renewing ??= navigator.locks
    .request('walkdown.renew', async () => {
      const stored = keptUser(config())
      if (stored !== null && stored.access_token !== user?.access_token && secondsLeft(stored) > EARLY_SECONDS) return stored
      await (await managerNow()).signinSilent()
      return keptUser(config())
    })
    .catch(error => {
      // Only what the provider says of the person ends his stay here; a provider that is not well, or not reached, does not.
      const said = error instanceof Error && error.name === 'ErrorResponse' ? (error as { error?: unknown }).error : null // oidc-client-ts
      if (said === 'invalid_grant' || said === 'login_required') forget()
      return null
    })
    .finally(() => {
      renewing = null
    })
  const renewed = await renewing
  if (renewed !== null) user = renewed
  return user !== null && secondsLeft(user) > 0 ? user.access_token : null
}
