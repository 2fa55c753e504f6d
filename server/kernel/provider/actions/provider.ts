import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { deviceNameOf } from '../../../../shared/device-name.ts'
import { DAY, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { type AccountRow, accountOfSubject, claimsOfAccount, lastUseOf, noteUse, recordSignIn, UNUSED } from '../../accounts/door.ts'
import { ACCESS_TOKEN_SECONDS, builtInIssuer, providerKeys } from '../../identity/door.ts'
import { adapterOf, epochOf, grantHash } from './adapter.ts'
import { bindCode } from './browser.ts'
import { cookieNames, forLibrary, isSecure, rename } from './cookies.ts'

/** Pages that the provider shows within its own steps; the routes make them. */
export type ProviderPages = {
  failed(said: { error: string; description: string | undefined }): string
  leaving(form: string): string
  left(): string
  headers: Record<string, string>
}

/** A sign-in lasts this long, however often it is used. */
const SIGN_IN_SECONDS = (30 * DAY) / 1000
const UNUSED_SECONDS = UNUSED / 1000
/** A grant lasts longer than the refresh tokens that are issued under it. */
const GRANT_SECONDS = 2 * SIGN_IN_SECONDS + 3600
const SCOPES = ['openid', 'profile', 'email', 'offline_access']

/** Path of the page that ends a sign-in which no app asked for. */
export const SIGNED_IN_PATH = '/oidc/signed-in'

/** Path of the page where people change their second factor, after the sign-in that it begins with. */
export const FACTOR_PATH = '/oidc/second-factor/open'

/** Lists where the browser can return after a sign-in: the app's start page, a page for this purpose, or a page of the provider itself. */
export const redirectUris = (public_url: string): string[] => [
  `${public_url}/`,
  `${public_url}/signed-in`,
  `${public_url}${SIGNED_IN_PATH}`,
  `${public_url}${FACTOR_PATH}`,
]

/** Path of the sign-in page of an authorisation. */
export const signInPath = (uid: string): string => `/oidc/sign-in/${uid}`

const providers = new WeakMap<House, Promise<Provider>>()

/** Returns the built-in provider. It is made on the first call, because loading its library takes time. */
export function providerOf(house: House, pages: ProviderPages): Promise<Provider> {
  let provider = providers.get(house)
  if (provider === undefined) {
    provider = makeProvider(house, pages)
    provider.catch(() => providers.delete(house))
    providers.set(house, provider)
  }
  return provider
}

async function makeProvider(house: House, pages: ProviderPages): Promise<Provider> {
  const { Provider, interactionPolicy } = await import('oidc-provider')
  const { jwks, cookies } = await providerKeys(house)
  const policy = interactionPolicy.base()
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('unused', 'the sign-in was not used for a long time', 'login_required', ctx => isUnused(house, ctx)),
    )
  const provider = new Provider(builtInIssuer(house), {
    ...configurationOf(house, jwks, cookies, pages),
    interactions: { policy, url: signInUrl },
  })
  provider.proxy = true // the mount determines the public URL from PUBLIC_URL
  if (isSecure(house))
    provider.use(async (ctx, next) => {
      const others = forLibrary(ctx.req.headers, ctx.url)
      await next()
      rename(ctx.res, others)
    })
  // Nobody is signed in on this browser, so there is nothing to confirm. The library would send a form that a script submits, which our pages never allow.
  provider.use(async (ctx, next) => {
    await next()
    const { oidc } = ctx
    if (oidc?.route !== 'end_session' || ctx.status !== 200 || oidc.session?.accountId !== undefined) return
    const { post_logout_redirect_uri, state } = oidc.params ?? {}
    const to = new URL(typeof post_logout_redirect_uri === 'string' ? post_logout_redirect_uri : oidc.urlFor('end_session_success'))
    if (typeof state === 'string') to.searchParams.set('state', state)
    ctx.redirect(to.href)
  })
  // The code for one of our own pages works only in the browser that it was made for.
  provider.use(async (ctx, next) => {
    await next()
    const cookie = await bindCode(house, String(ctx.response.get('location')), [SIGNED_IN_PATH, FACTOR_PATH])
    if (cookie !== null) ctx.append('set-cookie', cookie)
  })
  // Each code and refresh token that is exchanged is a use of the session, and says which device it is.
  provider.use(async (ctx, next) => {
    await next()
    const grant = ctx.oidc?.route === 'token' && ctx.status === 200 ? ctx.oidc.entities.Grant?.jti : undefined
    if (grant !== undefined) await noteUse(house.database.db, grantHash(grant), house.clock.now(), deviceNameOf(ctx.get('user-agent')))
  })
  provider.on('server_error', (_ctx, error) => house.log.error({ err: error }, 'identity provider'))
  // Records a refused code or refresh token, for example one that has already been used. Its sender always gets the same message.
  provider.on('grant.error', (ctx, error) =>
    recordSignIn(house, 'token_refused', {
      account_id: ctx.oidc.account?.accountId ?? null,
      address: null,
      more: [error.message, 'error_detail' in error ? String(error.error_detail) : ''].filter(text => text !== '').join(': '),
    }),
  )
  provider.on('end_session.success', ctx =>
    recordSignIn(house, 'signed_out', { account_id: ctx.oidc.session?.accountId ?? null, address: null }),
  )
  return provider
}

const signInUrl = (_ctx: KoaContextWithOIDC, interaction: { uid: string }) => signInPath(interaction.uid)

/** Returns whether the browser's session hasn't been used for so long that the person has to sign in again. */
async function isUnused(house: House, { oidc: { client, session } }: KoaContextWithOIDC): Promise<boolean> {
  if (session?.accountId === undefined || client === undefined) return false
  const grant = session.grantIdFor(client.clientId)
  const used = grant === undefined ? null : await lastUseOf(house.database.db, grantHash(grant))
  const last = Math.max(session.loginTs ?? 0, used === null ? 0 : ms(used) / 1000)
  return epochOf(house) - last > UNUSED_SECONDS
}

/** Returns the seconds that are left of a sign-in. */
const leftOf = (house: House, signed_in: number | undefined): number =>
  Math.max(1, (signed_in ?? epochOf(house)) + SIGN_IN_SECONDS - epochOf(house))

const accountClaims = (account: AccountRow) => {
  const { subject, name, email, email_verified, locale } = claimsOfAccount(account)
  return { sub: subject, name, email, email_verified, ...(locale === null ? {} : { locale }) }
}

/** Returns the one resource that tokens are issued for: the API, by its audience. */
const resourceOf = (house: House) => `${house.settings.public_url}/api`

function configurationOf(house: House, jwks: object[], cookies: string[], pages: ProviderPages): Configuration {
  const { settings } = house
  const secure = isSecure(house)
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const
  const html = (ctx: KoaContextWithOIDC, body: string) => {
    ctx.set(pages.headers)
    ctx.type = 'html'
    ctx.body = body
  }
  return {
    adapter: kind => adapterOf(house, kind),
    jwks: { keys: jwks },
    cookies: {
      keys: cookies,
      long: cookie,
      short: cookie,
      names: cookieNames(secure),
    },
    clients: [
      {
        client_id: settings.oidc_client_id,
        client_name: 'Walkdown',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: redirectUris(settings.public_url),
        post_logout_redirect_uris: [`${settings.public_url}/`],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
    clientAuthMethods: ['none'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'], userinfoSigningAlgValues: ['ES256'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: SCOPES,
    claims: { openid: ['sub'], profile: ['name', 'locale'], email: ['email', 'email_verified'] },
    // Tokens are for the API, so there is no UserInfo endpoint: the tokens contain what it would return.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => html(ctx, pages.leaving(form)),
        postLogoutSuccessSource: ctx => html(ctx, pages.left()),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resourceOf(house),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES.join(' '),
          audience: settings.oidc_audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    async findAccount(_ctx, sub) {
      const account = await accountOfSubject(house, sub)
      if (account === null || account.disabled_at !== null) return undefined
      return { accountId: account.id, claims: () => accountClaims(account) }
    },
    // The access token contains the person's claims, so that the API knows them without a query, and the token family, so that they can end the
    // other sessions.
    async extraTokenClaims(_ctx, token) {
      if (!('accountId' in token) || typeof token.accountId !== 'string') return undefined
      const account = await accountOfSubject(house, token.accountId)
      if (account === null) return undefined
      const { sub: _sub, ...claims } = accountClaims(account)
      return { ...claims, ...(typeof token.grantId === 'string' ? { family: grantHash(token.grantId) } : {}) }
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => true,
    // A person who signs in to our own app has agreed to it. There is one grant for each browser, extended while it is in use.
    async loadExistingGrant(ctx) {
      const { client, session, provider } = ctx.oidc
      if (client === undefined || session?.accountId === undefined) return undefined
      const known = session.grantIdFor(client.clientId)
      const grant =
        (known === undefined ? undefined : await provider.Grant.find(known)) ??
        new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(SCOPES.join(' '))
      grant.addResourceScope(resourceOf(house), SCOPES.join(' '))
      grant.exp = epochOf(house) + GRANT_SECONDS
      await grant.save()
      return grant
    },
    renderError: (ctx, out) => html(ctx, pages.failed({ error: out.error, description: out.error_description })),
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: 60,
      IdToken: 3600,
      Interaction: 3600,
      Grant: GRANT_SECONDS,
      Session: (_ctx, session) => leftOf(house, session.loginTs),
      // A rotated token lasts for the rest of the thirty days since the sign-in (OAuth 2.0 for browser-based apps).
      RefreshToken: (_ctx, token) => Math.min(UNUSED_SECONDS, leftOf(house, token.authTime)),
    },
    clientBasedCORS: (_ctx, origin) => origin === new URL(settings.public_url).origin,
  }
}
