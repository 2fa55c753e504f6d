// What the handlers of the pages share: reading forms and queries, and sending pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsIn, mapValues, textIn } from '../../../../shared/narrow.ts'
import { PAGE_HEADERS } from '../../../base/docs.ts'
import { LINK_PAGE_HEADERS } from '../../../base/link-page.ts'
import type { SignIn } from '../../accounts/door.ts'
import { linkPage, stopPage } from './pages.ts'

type Typed = Record<string, string | undefined>

/** Returns the fields of a form. */
export const typedIn = (request: FastifyRequest): Typed =>
  mapValues(fieldsIn(request.body), value => (typeof value === 'string' ? value : undefined))

/** Returns a parameter of the query; empty if it is missing or there more than once. */
export const asked = (request: FastifyRequest, name: string): string => {
  return textIn(fieldsIn(request.query)[name]) // fastify's parser makes text and lists of text
}

/** Returns a request and its response as the provider takes them. */
export const rawOf = (request: FastifyRequest, reply: FastifyReply) => ({ request: request.raw, response: reply.raw })

/** Sends a page. */
export const send = (reply: FastifyReply, html: string, status = 200) => reply.code(status).headers(PAGE_HEADERS).send(html)

/** Sends what an emailed link opens. In older emails the token is in the query: it leaves the address bar before the page is shown. */
export const sendLinkPage = (request: FastifyRequest, reply: FastifyReply, title: string, action: string) => {
  const token = asked(request, 'token')
  if (token !== '') return reply.redirect(`${action}#${encodeURIComponent(token)}`, 303)
  return reply.headers(LINK_PAGE_HEADERS).send(linkPage(title, action))
}

/** Says when a person can try again. */
export const patience = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`
}

/** Says why an address or password was refused, with the status of the response. */
export function faultOfSignIn(
  reply: FastifyReply,
  judged: Extract<SignIn, { outcome: 'wrong' | 'throttled' }>,
): { fault: string; status: number } {
  if (judged.outcome === 'wrong') return { fault: 'The email address or password is wrong. Check both and try again.', status: 422 }
  reply.header('retry-after', judged.wait_seconds)
  return { fault: `Too many wrong attempts. Try again ${patience(judged.wait_seconds)}, or choose a new password.`, status: 429 }
}

/** Says that a sign-in can't continue. */
export const endedPage = (reply: FastifyReply, url: string): FastifyReply =>
  send(
    reply,
    stopPage(
      'This sign-in has expired',
      'The sign-in was already completed, was started in another browser, or took longer than an hour. Start again.',
      { url, words: 'Start again' },
    ),
    400,
  )
