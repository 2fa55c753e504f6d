// The page to which the unsubscribe link of an email leads: outside /api, without a sign-in and without a script.
import type { FastifyInstance } from 'fastify'
import { NOBODY } from '../../base/actor.ts'
import { type House, writing } from '../../base/ctx.ts'
import { PAGE_HEADERS, pageOf, safe } from '../../base/docs.ts'
import { noticeKind } from './actions/registry.ts'
import { readToken, switchOff, type Unsubscribed } from './actions/unsubscribe.ts'

const NO_STORE = { ...PAGE_HEADERS, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const named = ({ kinds }: Unsubscribed): string =>
  kinds.map(kind => `<li>${safe(noticeKind(kind)?.label ?? (kind === 'all' ? 'Every email' : 'A rule of your site'))}</li>`).join('')

const unknown = () =>
  pageOf(
    'Unsubscribe',
    '<h1>This link isn’t valid</h1><p>It may have been cut off by a line break. Copy the whole link from the email.</p>',
  )

/** Adds the page to the server. GET shows the page and changes nothing, because mail scanners follow links; POST switches off and can be repeated. */
export async function mountUnsubscribe(app: FastifyInstance, house: House): Promise<void> {
  await app.register(async under => {
    // An email program posts a form with one field, or nothing at all. The body makes no difference.
    under.removeAllContentTypeParsers()
    under.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined))
    under.get<{ Params: { token: string } }>('/u/:token', async (request, reply) => {
      const what = await readToken(house, request.params.token)
      reply.headers(NO_STORE)
      if (what === null) return reply.code(404).send(unknown())
      return reply.send(
        pageOf(
          'Unsubscribe',
          `<h1>Stop these emails?</h1><p>You will no longer get these emails from any site:</p><ul>${named(what)}</ul>
<form method="post"><p><button type="submit">Stop these emails</button></p></form><p class="soft">You can switch these emails on again in the app.</p>`,
        ),
      )
    })
    under.post<{ Params: { token: string } }>('/u/:token', async (request, reply) => {
      const what = await readToken(house, request.params.token)
      reply.headers(NO_STORE)
      if (what === null) return reply.code(404).send(unknown())
      await writing(house, { actor: NOBODY, cause: 'notification_preference.unsubscribe' }, ctx => switchOff(ctx, what))
      return reply.send(pageOf('Unsubscribed', `<h1>Done</h1><p>You will no longer get these emails:</p><ul>${named(what)}</ul>`))
    })
  })
}
