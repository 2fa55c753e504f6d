// The second factor: its step in a sign-in, and the page where people change it. That page begins with a sign-in of its own, so that the password and the
// present second factor are asked for in one place, which counts the attempts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { House } from '../../../base/ctx.ts'
import { secretToken } from '../../../base/ids.ts'
import { checkFactor, newFactor, renewRecoveryCodes, secretOf, setUpFactor, switchOffFactor } from '../../accounts/door.ts'
import { momentIn } from '../../mail/door.ts'
import { finishSignIn, grantOfBrowser, signInWithoutApp, takeCode } from '../actions/finish.ts'
import { FACTOR_PATH, signInPath } from '../actions/provider.ts'
import { dropWaiting, keepWaiting, waitingBy } from '../actions/waiting.ts'
import { donePage } from './pages.ts'
import { asked, endedPage, patience, rawOf, send, typedIn } from './reading.ts'
import { codePage, codesPage, factorPage, setUpPage } from './second-factor-pages.ts'

/** Seconds that the redirects after a sign-in can take. A session that was there before isn't enough to open the page. */
const FRESH_SECONDS = 30

const WRONG = 'This code is wrong, or it was used before. Wait for the next one, and check that the clock of your phone is right.'

type Waiting = NonNullable<Awaited<ReturnType<typeof waitingBy>>>

/** Adds the routes. */
export async function secondFactor(app: FastifyInstance, house: House, provider: () => Promise<Provider>): Promise<void> {
  const { settings } = house
  const home = () => `${settings.public_url}/`
  const ended = (reply: FastifyReply) => endedPage(reply, home())
  const required = () => settings.second_factor === 'required'

  /** Returns a sign-in on this browser whose password was right; null if there is none. */
  const signInOf = async (request: FastifyRequest, reply: FastifyReply) => {
    const op = await provider()
    const interaction = await op.interactionDetails(request.raw, reply.raw).catch(() => null)
    const waiting = interaction === null ? null : await waitingBy(house, 'PasswordShown', interaction.uid)
    return interaction === null || waiting === null ? null : { op, interaction, waiting, path: signInPath(interaction.uid) }
  }

  app.get(`${signInPath(':uid')}/second-factor`, async (request, reply) => {
    const found = await signInOf(request, reply)
    if (found === null) return ended(reply)
    const { account } = found.waiting
    return send(
      reply,
      codePage({
        email: account.email,
        recovery: asked(request, 'with') === 'recovery-code',
        path: `${found.path}/second-factor`,
        fault: null,
      }),
    )
  })
  app.post(`${signInPath(':uid')}/second-factor`, async (request, reply) => {
    const found = await signInOf(request, reply)
    const account = found?.waiting.account
    if (found === null || account === undefined || account.factor_secret === null) return ended(reply)
    const typed = typedIn(request)
    const recovery = typed.with === 'recovery-code'
    const refused = (fault: string, status: number) =>
      send(reply, codePage({ email: account.email, recovery, path: `${found.path}/second-factor`, fault }), status)
    const shown = await checkFactor(house, account, { code: typed.code ?? '', address: request.ip })
    switch (shown.outcome) {
      case 'throttled':
        reply.header('retry-after', shown.wait_seconds)
        return refused(`Too many wrong attempts. Try again ${patience(shown.wait_seconds)}.`, 429)
      case 'used_up':
        return refused('Too many wrong codes today. Use a recovery code, or try again tomorrow.', 429)
      case 'wrong':
        return refused(recovery ? 'This recovery code is wrong, or it was used before. Check it and try again.' : WRONG, 422)
      case 'right': {
        await dropWaiting(house, 'PasswordShown', found.interaction.uid)
        const amr = shown.with === 'code' ? ['pwd', 'otp', 'mfa'] : ['pwd', 'mfa'] // RFC 8176
        return reply.redirect(await finishSignIn(found.op, house, rawOf(request, reply), { account, amr }), 303)
      }
    }
  })

  /** Shows the page on which a second factor is set up, with the same secret each time. */
  const showSetUp = async (
    reply: FastifyReply,
    kind: Parameters<typeof keepWaiting>[1],
    id: string,
    waiting: Waiting,
    to: { path: string; ticket: string | null; fault: string | null },
  ): Promise<FastifyReply> => {
    const { account, grant } = waiting
    const factor = waiting.factor ?? (await newFactor(house, account.id))
    if (waiting.factor === null) await keepWaiting(house, kind, id, { account_id: account.id, grant, factor })
    const secret = await secretOf(house, account.id, factor)
    const html = await setUpPage({ email: account.email, secret, required: required() && account.factor_secret === null, ...to })
    return send(reply, html, to.fault === null ? 200 : 422)
  }

  app.get(`${signInPath(':uid')}/set-up`, async (request, reply) => {
    const found = await signInOf(request, reply)
    if (found === null || found.waiting.account.factor_secret !== null) return ended(reply)
    return showSetUp(reply, 'PasswordShown', found.interaction.uid, found.waiting, {
      path: `${found.path}/set-up`,
      ticket: null,
      fault: null,
    })
  })
  app.post(`${signInPath(':uid')}/set-up`, async (request, reply) => {
    const found = await signInOf(request, reply)
    const factor = found?.waiting.factor ?? null
    if (found === null || factor === null || found.waiting.account.factor_secret !== null) return ended(reply)
    const { op, interaction, waiting } = found
    const but_grant = await grantOfBrowser(op, house, interaction)
    const done = await setUpFactor(house, waiting.account, { factor, code: typedIn(request).code ?? '', but_grant })
    if (done.outcome === 'gone') return ended(reply)
    if (done.outcome === 'wrong')
      return showSetUp(reply, 'PasswordShown', interaction.uid, waiting, { path: `${found.path}/set-up`, ticket: null, fault: WRONG })
    await dropWaiting(house, 'PasswordShown', interaction.uid)
    const url = await finishSignIn(op, house, rawOf(request, reply), { account: waiting.account, amr: ['pwd', 'otp', 'mfa'] })
    return send(reply, codesPage({ codes: done.codes, fresh: true, url, words: 'I have stored them: sign in' }))
  })

  app.get('/oidc/second-factor', (_request, reply) => reply.redirect(signInWithoutApp(house, FACTOR_PATH, { prompt: 'login' }), 303))
  app.get(FACTOR_PATH, async (request, reply) => {
    const code = await takeCode(house, await provider(), {
      text: asked(request, 'code'),
      path: FACTOR_PATH,
      cookies: request.headers.cookie,
    })
    if (code === null) return ended(reply)
    reply.header('set-cookie', code.over)
    if (code.age > FRESH_SECONDS) return reply.redirect('/oidc/second-factor', 303)
    const { account, grant } = code
    const ticket = secretToken()
    await keepWaiting(house, 'FactorOpen', ticket, { account_id: account.id, grant, factor: null })
    const since = account.factor_since === null ? null : momentIn(account.locale ?? 'en-GB', 'UTC', account.factor_since)
    const left = account.recovery_hashes?.length ?? 0
    return send(reply, factorPage({ email: account.email, since, left, required: required(), ticket, home: home() }))
  })

  /** Adds a step of that page: its form contains the ticket. */
  const step = (name: string, work: (reply: FastifyReply, ticket: string, waiting: Waiting, code: string) => Promise<unknown>) =>
    app.post(`/oidc/second-factor/${name}`, async (request, reply) => {
      const { ticket = '', code = '' } = typedIn(request)
      const waiting = await waitingBy(house, 'FactorOpen', ticket)
      return waiting === null ? ended(reply) : work(reply, ticket, waiting, code)
    })
  const back = () => ({ url: home(), words: 'I have stored them: back to Walkdown' })
  const confirm = (ticket: string, fault: string | null) => ({ path: '/oidc/second-factor/confirm', ticket, fault })

  step('set-up', (reply, ticket, waiting) => showSetUp(reply, 'FactorOpen', ticket, waiting, confirm(ticket, null)))
  step('confirm', async (reply, ticket, waiting, code) => {
    if (waiting.factor === null) return ended(reply)
    const done = await setUpFactor(house, waiting.account, { factor: waiting.factor, code, but_grant: waiting.grant })
    if (done.outcome === 'wrong') return showSetUp(reply, 'FactorOpen', ticket, waiting, confirm(ticket, WRONG))
    await dropWaiting(house, 'FactorOpen', ticket)
    return done.outcome === 'gone' ? ended(reply) : send(reply, codesPage({ codes: done.codes, fresh: true, ...back() }))
  })
  step('codes', async (reply, ticket, waiting) => {
    const codes = await renewRecoveryCodes(house, waiting.account)
    await dropWaiting(house, 'FactorOpen', ticket)
    return codes === null ? ended(reply) : send(reply, codesPage({ codes, fresh: false, ...back() }))
  })
  step('remove', async (reply, ticket, waiting) => {
    if (required() || !(await switchOffFactor(house, waiting.account, waiting.grant))) return ended(reply)
    await dropWaiting(house, 'FactorOpen', ticket)
    return send(
      reply,
      donePage('Second factor removed', 'You sign in with your password alone. Your other devices have been signed out.', home()),
    )
  })
}
