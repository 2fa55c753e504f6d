// The page to which the unsubscribe link of an email leads: outside /api, without a sign-in. The link in the text has its token after the #; email programs
// need one in the path (RFC 8058), and people open that, too.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fieldsIn, textIn } from '../../../shared/narrow.ts'
import { NOBODY } from '../../base/actor.ts'
import { type House, writing } from '../../base/ctx.ts'
import { PAGE_HEADERS, pageOf, safe } from '../../base/docs.ts'
import { LINK_FIELD, LINK_PAGE_HEADERS, linkForm, secretIn } from '../../base/link-page.ts'
import { noticeKind } from './actions/registry.ts'
import { readToken, switchOff, type Unsubscribed } from './actions/unsubscribe.ts'

const NO_STORE = { ...PAGE_HEADERS, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const LOOKS = `button, input { font: inherit; min-height: 56px; padding: 8px 16px; border: 2px solid var(--soft); border-radius: 6px } button { cursor: pointer; font-weight: 600; color: var(--card); background: var(--blue); border-color: var(--blue) }
input { width: 100%; max-width: 32rem; color: var(--ink); background: var(--card) } label { font-weight: 600 }`

/** Makes one of the pages. */
const page = (title: string, body: string) => pageOf(title, body, 'en', LOOKS)

const named = ({ kinds }: Unsubscribed): string =>
  kinds.map(kind => `<li>${safe(noticeKind(kind)?.label ?? (kind === 'all' ? 'Every email' : 'A rule of your site'))}</li>`).join('')

const unknown = () =>
  page('Unsubscribe', '<h1>This link isn’t valid</h1><p>It may have been cut off by a line break. Copy the whole link from the email.</p>')

/** Asks whether to switch off. `form`: the start of the form, with what it sends. */
const question = (what: Unsubscribed, form: string) =>
  page(
    'Unsubscribe',
    `<h1>Stop these emails?</h1><p>You will no longer get these emails from any site:</p><ul>${named(what)}</ul>
${form}<p><button type="submit">Stop these emails</button></p></form><p class="soft">You can switch these emails on again in the app.</p>`,
  )

const opening = () =>
  page(
    'Unsubscribe',
    `<h1>Unsubscribe</h1>${linkForm('/u', {
      field: `<p><label for="link">${LINK_FIELD.label}</label><br><input id="link" name="link" autocomplete="off" required aria-describedby="link-hint"></p><p class="soft" id="link-hint">${LINK_FIELD.hint}</p>`,
      press: '<p><button type="submit">Continue</button></p>',
    })}`,
  )

/** Adds the page to the server. Opening it changes nothing, because mail scanners follow links; the button switches off and can be pressed again. */
export async function mountUnsubscribe(app: FastifyInstance, house: House): Promise<void> {
  const refused = (reply: FastifyReply) => reply.headers(NO_STORE).code(404).send(unknown())
  const stop = async (reply: FastifyReply, what: Unsubscribed) => {
    await writing(house, { actor: NOBODY, cause: 'notification_preference.unsubscribe' }, ctx => switchOff(ctx, what))
    return reply
      .headers(NO_STORE)
      .send(page('Unsubscribed', `<h1>Done</h1><p>You will no longer get these emails:</p><ul>${named(what)}</ul>`))
  }
  await app.register(async under => {
    // An email program posts a form with one field, or nothing at all. The body makes no difference.
    under.removeAllContentTypeParsers()
    under.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined))
    under.get<{ Params: { token: string } }>('/u/:token', async (request, reply) => {
      const what = await readToken(house, request.params.token)
      return what === null ? refused(reply) : reply.headers(NO_STORE).send(question(what, '<form method="post">'))
    })
    under.post<{ Params: { token: string } }>('/u/:token', async (request, reply) => {
      const what = await readToken(house, request.params.token)
      return what === null ? refused(reply) : stop(reply, what)
    })
  })
  await app.register(async under => {
    under.removeAllContentTypeParsers()
    under.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    under.get('/u', (_request, reply) => reply.headers({ ...NO_STORE, ...LINK_PAGE_HEADERS }).send(opening()))
    under.post('/u', async (request, reply) => {
      const { link, token } = fieldsIn(request.body)
      const secret = link === undefined ? textIn(token) : secretOfLink(textIn(link))
      const what = await readToken(house, secret)
      if (what === null) return refused(reply)
      if (link === undefined) return stop(reply, what)
      return reply
        .headers(NO_STORE)
        .send(question(what, `<form method="post" action="/u"><input type="hidden" name="token" value="${safe(secret)}">`))
    })
  })
}

/** Returns the token of a link; the one that email programs show has it in the path. */
const secretOfLink = (link: string): string => secretIn(link).replace(/^.*\/u\//, '')
