// Handles the values that people enter on the pages.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Provider } from 'oidc-provider'
import { HOUR, instant, MINUTE, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { sha256 } from '../../../base/ids.ts'
import { secretIn } from '../../../base/link-page.ts'
import { accountBehind, askForReset, askToConfirm, confirmAddress, resetPassword, signIn } from '../../accounts/door.ts'
import { countCall } from '../../identity/door.ts'
import { addressKey } from '../../mail/door.ts'
import { forLibrary, isSecure, rename } from '../actions/cookies.ts'
import { finishSignIn, signInWithoutApp, takeCode } from '../actions/finish.ts'
import { FACTOR_PATH, SIGNED_IN_PATH, signInPath } from '../actions/provider.ts'
import { keepWaiting } from '../actions/waiting.ts'
import { devicePages } from './devices.ts'
import {
  confirmFirstPage,
  confirmPage,
  donePage,
  forgotPage,
  forgotSentPage,
  resetPage,
  signedInPage,
  signInPage,
  stopPage,
} from './pages.ts'
import { asked, endedPage, faultOfSignIn, patience, rawOf, send, sendLinkPage, typedIn } from './reading.ts'
import { secondFactor } from './second-factor.ts'

const FORM_BYTES = 16 * 1024

/** Returns whether this call exceeds the limit of a bucket in its time window. */
async function beyond(house: House, bucket: string, most: number, length: number): Promise<boolean> {
  const begin = Math.floor(ms(house.clock.now()) / length) * length
  return (await countCall(house.database.db, `${bucket.split(' ')[0]} ${sha256(bucket)}`, instant(begin))) > most
}

/** Returns whether a sign-in leads to the page of the second factor. */
const isForFactor = ({ redirect_uri }: Record<string, unknown>): boolean =>
  typeof redirect_uri === 'string' && URL.parse(redirect_uri)?.pathname === FACTOR_PATH

/** Adds the pages to the server. */
export async function pages(app: FastifyInstance, house: House, provider: () => Promise<Provider>): Promise<void> {
  const home = () => `${house.settings.public_url}/`
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  // Our pages ask the library which sign-in it is.
  app.addHook('onRequest', async request => {
    if (isSecure(house)) forLibrary(request.raw.headers, request.url)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isSecure(house)) rename(reply.raw, [])
  })
  // Our forms are only ever sent from our own pages.
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'POST' && request.headers['sec-fetch-site'] === 'cross-site')
      return send(
        reply,
        stopPage('This form was refused', 'This form was sent from another website. Start again.', {
          url: home(),
          words: 'Go to the start page',
        }),
        403,
      )
  })
  const ended = (reply: FastifyReply) => endedPage(reply, home())
  const gone = (reply: FastifyReply) =>
    send(
      reply,
      stopPage('This link no longer works', 'The link has already been used, or it has expired. Ask for a new link.', {
        url: '/oidc/forgot',
        words: 'Choose a new password',
      }),
      400,
    )

  app.get(signInPath(':uid'), async (request, reply) => {
    const interaction = await (await provider()).interactionDetails(request.raw, reply.raw).catch(() => null)
    if (interaction === null) return ended(reply)
    const { login_hint } = interaction.params
    const for_factor = isForFactor(interaction.params)
    return send(reply, signInPage({ ...(typeof login_hint === 'string' ? { email: login_hint } : {}), fault: null, for_factor }))
  })

  app.post(signInPath(':uid'), async (request, reply) => {
    const op = await provider()
    const interaction = await op.interactionDetails(request.raw, reply.raw).catch(() => null)
    if (interaction === null) return ended(reply)
    const { email = '', password = '' } = typedIn(request)
    const judged = await signIn(house, { email: email.trim(), password, address: request.ip })
    if (judged.outcome === 'throttled' || judged.outcome === 'wrong') {
      const { fault, status } = faultOfSignIn(reply, judged)
      return send(reply, signInPage({ email, fault, for_factor: isForFactor(interaction.params) }), status)
    }
    if (judged.outcome === 'unconfirmed') {
      if (!(await beyond(house, `confirm ${judged.account.id}`, 3, HOUR))) await askToConfirm(house, judged.account)
      return send(reply, confirmFirstPage(judged.account.email, house.settings.smtp_url !== null))
    }
    if (judged.outcome === 'second_factor' || judged.outcome === 'set_up') {
      await keepWaiting(house, 'PasswordShown', interaction.uid, { account_id: judged.account.id, grant: null, factor: null })
      return reply.redirect(`${signInPath(interaction.uid)}/${judged.outcome === 'set_up' ? 'set-up' : 'second-factor'}`, 303)
    }
    return reply.redirect(await finishSignIn(op, house, rawOf(request, reply), { account: judged.account, amr: ['pwd'] }), 303)
  })

  await secondFactor(app, house, provider)

  app.get('/oidc/sign-in', (_request, reply) => reply.redirect(signInWithoutApp(house, SIGNED_IN_PATH), 303))
  app.get(SIGNED_IN_PATH, async (request, reply) => {
    const code = await takeCode(house, await provider(), {
      text: asked(request, 'code'),
      path: SIGNED_IN_PATH,
      cookies: request.headers.cookie,
    })
    if (code === null) return ended(reply)
    reply.header('set-cookie', code.over)
    const { account } = code
    return send(reply, signedInPage(account, home()))
  })

  devicePages(app, house)

  app.get('/oidc/forgot', (_request, reply) => send(reply, forgotPage({ fault: null })))
  app.post('/oidc/forgot', async (request, reply) => {
    const email = (typedIn(request).email ?? '').trim()
    if (!email.includes('@') || email.length > 320)
      return send(reply, forgotPage({ email, fault: 'Enter your full email address, such as ana@example.com.' }), 422)
    if (await beyond(house, `forgot-from ${request.ip}`, 10, MINUTE))
      return send(reply.header('retry-after', 60), forgotPage({ email, fault: 'Too many requests. Try again in a minute.' }), 429)
    // More than three an hour would only fill a stranger's mailbox. The caller sees no difference.
    if (!(await beyond(house, `forgot ${addressKey(email)}`, 3, HOUR))) await askForReset(house, email)
    return send(reply, forgotSentPage(email, house.settings.smtp_url !== null))
  })

  app.get('/oidc/reset', (request, reply) => sendLinkPage(request, reply, 'Choose a new password', '/oidc/reset'))
  app.post('/oidc/reset', async (request, reply) => {
    const { link = '', token = secretIn(link), password, again = '' } = typedIn(request)
    const account = await accountBehind(house, token, 'reset')
    if (account === null) return gone(reply)
    const { password_min_length: shortest } = house.settings
    if (password === undefined) return send(reply, resetPage({ token, email: account.email, shortest, fault: null }))
    const refused = (fault: string) => send(reply, resetPage({ token, email: account.email, shortest, fault }), 422)
    if (password !== again) return refused('The passwords don’t match. Enter both again.')
    const done = await resetPassword(house, { token, password })
    if (done.outcome === 'gone') return gone(reply)
    if (done.outcome === 'refused') return refused(`The password ${done.fault}`)
    return send(reply, donePage('Password changed', 'Your other devices have been signed out. Sign in with the new password.', home()))
  })

  app.get('/oidc/confirm', (request, reply) => sendLinkPage(request, reply, 'Confirm your email address', '/oidc/confirm'))
  app.post('/oidc/confirm', async (request, reply) => {
    const { link = '', token = secretIn(link), password } = typedIn(request)
    const account = await accountBehind(house, token, 'confirm')
    if (account === null) return gone(reply)
    if (password === undefined) return send(reply, confirmPage({ token, email: account.email, fault: null }))
    const done = await confirmAddress(house, { token, password, address: request.ip })
    const again = (fault: string, status: number) => send(reply, confirmPage({ token, email: account.email, fault }), status)
    switch (done.outcome) {
      case 'gone':
        return gone(reply)
      case 'throttled':
        return again(`Too many wrong attempts. Try again ${patience(done.wait_seconds)}.`, 429)
      case 'wrong':
        return again('This isn’t the password of the account. Try again.', 422)
      case 'confirmed':
        return send(reply, donePage('Email address confirmed', 'Thank you. You can sign in now.', home()))
    }
  })
}
