// Sign-in: OpenID Connect with an authorisation code and PKCE, at the built-in provider or another one. Tokens are renewed before they expire; a person who
// opens the app offline stays signed in and sees what was stored for them.

import type { UserManager } from 'oidc-client-ts'
import { useSyncExternalStore } from 'react'
import { fieldsIn } from '../../shared/narrow.ts'
import { config } from './config.ts'
import { isForUs } from './id-token.ts'
import { type Kept, keptUser, secondsLeft, userKey } from './kept-user.ts'
import { storeFor } from './keyring.ts'
import { listeners } from './listeners.ts'
import { storeClose } from './store.ts'
import { t } from './words.ts'

let manager: Promise<UserManager> | null = null
let user: Kept | null = null
let renewing: Promise<Kept | null> | null = null
const heard = listeners()

function put(next: Kept | null): void {
  user = next
  heard.tell()
}

/** The provider's client. It is loaded only to sign in or to renew a token; opening the app does not need it. */
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
      // The authorised party stays in the profile: `isForUs` needs it.
      filterProtocolClaims: ['nbf', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash'],
      monitorSession: false,
      userStore: new WebStorageStateStore({ store: localStorage, prefix: 'walkdown.user.' }),
      stateStore: new WebStorageStateStore({ store: localStorage, prefix: 'walkdown.sign_in.' }),
    })
  })()
  // A part of the app that could not be loaded over a bad connection is requested again.
  manager.catch(() => {
    manager = null
  })
  return manager
}

/** Reads who is signed in on this device from what is stored here. */
export function recallUser(): void {
  put(keptUser(config()))
  addEventListener('storage', hearElsewhere)
}

/** Someone who signs out in another window is signed out here, too. */
function hearElsewhere({ key, newValue }: StorageEvent): void {
  if (user !== null && newValue === null && (key === null || key === userKey(config()))) put(null)
}

/** Returns whether a person is signed in on this device. */
export const isSignedIn = (): boolean => user !== null

/** Whether a person is signed in on this device, also when the session ends while the page is open. */
export const useSignedIn = (): boolean => useSyncExternalStore(heard.hear, isSignedIn)

/** Returns the subject of the person who is signed in; what is stored on the device is stored under it. */
export const subjectNow = (): string | null => user?.profile.sub ?? null
storeFor(subjectNow)

const whoStored = (): string | undefined => keptUser(config())?.profile.sub
/** Returns whether a person is still signed in on this device: they may have signed out in another window. */
export const isStillSignedIn = (who: string): boolean => subjectNow() === who && whoStored() === who

/** Sends the person to the provider; afterwards they are back where they wanted to go. The library compares the nonce with that of the ID token. */
export const signIn = async (to: string): Promise<void> =>
  (await managerNow()).signinRedirect({ state: { to }, nonce: crypto.randomUUID() })

/** Completes the return from the provider; returns where the person wanted to go. An ID token for another app signs nobody in. */
export async function endSignIn(): Promise<string> {
  const signed_in = await (await managerNow()).signinRedirectCallback()
  if (!isForUs(signed_in.profile, config().client_id)) {
    await forget(false)
    throw new Error(t('sign_in.not_for_us'))
  }
  const { to } = fieldsIn(signed_in.state)
  recallUser()
  return typeof to === 'string' && to.startsWith('/') && !to.startsWith('//') ? to : '/'
}

/**
 * Signs out here and at the provider. The built-in provider needs no ID token, so the URL contains none. An external provider might ask for a confirmation
 * without it; that URL goes to the provider that made the token, never to our service (decision 846).
 */
export async function signOut(): Promise<void> {
  const id_token_hint = config().provider_kind === 'external' ? user?.id_token : undefined
  await forget(true)
  await (await managerNow()).signoutRedirect(id_token_hint === undefined ? {} : { id_token_hint })
}

/** Leaves the account on this device and asks the provider for another one; afterwards the person is back at `to`. */
export async function signInAsOther(to: string): Promise<void> {
  await forget(true)
  await (await managerNow()).signinRedirect({ state: { to }, prompt: 'login', nonce: crypto.randomUUID() })
}

const SEALING_MS = 5000
const CLEARING_MS = 2000
const atMost = (ms: number, work: Promise<unknown>) =>
  Promise.race([work.catch(() => undefined), new Promise(done => setTimeout(done, ms))])

let sealing: (online: boolean) => Promise<void> = async () => undefined
/** Says what has to be encrypted before a person is signed out. */
export const beforeSignOut = (work: (online: boolean) => Promise<void>): void => {
  sealing = work
}

/**
 * Records that nobody is signed in here, deletes the key, and removes what the service sent for the person; what they have not sent yet stays, and can't be
 * read without the key (decision 844). First the record: from then on, no window stores anything more.
 */
async function forget(online: boolean): Promise<void> {
  // Nothing may keep a person from signing out.
  await atMost(SEALING_MS, sealing(online))
  localStorage.removeItem(userKey(config()))
  put(null)
  await atMost(CLEARING_MS, Promise.allSettled([forgetWho(), endPush()]))
}

/** Removes the key and everything about a person who has signed out; also when the app opens, because it may have been killed before. */
export async function forgetWho(): Promise<void> {
  for (const name of Object.keys(localStorage)) if (name.startsWith('walkdown.visit ')) localStorage.removeItem(name)
  await storeClose(() => whoStored() !== undefined)
}

/**
 * Ends push notifications to this device, so that the next person who uses it doesn't see those of the last one. This needs no token: the push service
 * reports to ours that the subscription has ended.
 */
async function endPush(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

const EARLY_SECONDS = 30

/** Returns a valid token, renewed when necessary; null when nobody is signed in, or when it has expired and there is no connection. */
export async function tokenNow(force = false): Promise<string | null> {
  if (user === null) return null
  if (!force && secondsLeft(user) > EARLY_SECONDS) return user.access_token
  // Two open windows share one refresh token, which can be used once: only one of them renews it, and the other uses the result.
  renewing ??= navigator.locks
    .request('walkdown.renew', async () => {
      const stored = keptUser(config())
      if (stored !== null && stored.access_token !== user?.access_token && secondsLeft(stored) > EARLY_SECONDS) return stored
      await (await managerNow()).signinSilent()
      return keptUser(config())
    })
    .catch(async error => {
      // Only a refusal by the provider signs a person out here; a provider with an error, or one that can't be reached, does not.
      const said = error instanceof Error && error.name === 'ErrorResponse' ? fieldsIn(error).error : null // oidc-client-ts
      if (said === 'invalid_grant' || said === 'login_required') await forget(false)
      return null
    })
    .finally(() => {
      renewing = null
    })
  const renewed = await renewing
  if (renewed !== null) user = renewed
  return user !== null && secondsLeft(user) > 0 ? user.access_token : null
}
