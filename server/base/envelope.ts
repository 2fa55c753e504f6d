// Turns any error into the envelope of conventions §1.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsIn } from '../../shared/narrow.ts'
import type { House } from './ctx.ts'
import { CommitInDoubt, databaseGone, unfit, violated } from './db.ts'
import { conflict, invalid, malformed, type Refusal, Refused, tooLarge, unavailable, unsupportedMedia } from './errors.ts'
import { fullRefusal } from './full.ts'
import { fileTooLarge } from './multipart.ts'

/** What the refusal of a content type says. */
export const OTHER_TYPE = 'This call doesn’t accept this content type. Send JSON (application/json), or multipart/form-data for a file.'
/** What the refusal of a form says where there is nothing to upload: its fields would not be read. */
export const NO_FILE_HERE = 'This call has no file, so it doesn’t accept multipart/form-data. Send JSON (application/json).'

/** Sends a refusal. */
export function send(reply: FastifyReply, refusal: Refusal, request_id: string): FastifyReply {
  const { retry_after_seconds, reason } = refusal.context ?? {}
  if (typeof retry_after_seconds === 'number') reply.header('retry-after', String(retry_after_seconds))
  if (refusal.status === 401)
    reply.header('www-authenticate', `Bearer error="${reason === 'missing' ? 'invalid_request' : 'invalid_token'}"`)
  return reply
    .code(refusal.status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(bodyOf(refusal, request_id))
}

/** Writes a refusal as the JSON that is sent. */
export function bodyOf(refusal: Refusal, request_id: string): string {
  const { retry_after_seconds: _, ...context } = refusal.context ?? {}
  const shown = refusal.status >= 500 ? { request_id } : {}
  return JSON.stringify({ error: { code: refusal.code, detail: refusal.detail, ...context, ...shown } })
}

/** Responds to any error with the envelope of conventions §1. An unexpected error is 500, logged once, without any internal details. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, house: House): FastifyReply {
  const refusal = refusalOf(error, request)
  if (refusal.status === 500 || (refusal.status > 500 && !(error instanceof Refused))) {
    const { route, actor, site_id = null } = request.walkdown ?? {}
    const operation = route?.name
    const where = site_id === null ? {} : { site_id }
    house.log.error({ request_id: request.id, operation, actor: actor?.id ?? actor?.kind, ...where, err: error }, 'request failed')
    const [message, stack] = error instanceof Error ? [error.message, error.stack] : [String(error), null]
    const name = error instanceof Error ? error.name : 'thrown'
    house.lines.push({
      source: 'server',
      level: 'error',
      kind: 'error',
      name,
      message,
      stack: stack ?? null,
      route: operation ?? null,
      request_id: request.id,
      user_id: actor?.kind === 'user' ? actor.id : null,
      site_id,
    })
  }
  return send(reply, refusal, request.id)
}

/** Returns the fields of a body that a key consists of. Their columns have the same names, or end in `_key` if they contain the value as it is compared. */
function fieldsOf(key: string, body: unknown): string[] {
  const names = Array.from(key.matchAll(/\w+/g), ([word]) => word.replace(/_key$/, ''))
  return names.filter(name => name !== 'site_id' && name in fieldsIn(body))
}

/** 409: another record has the same values, which nothing but the database has checked. */
function taken(fields: readonly string[]): Refusal {
  const called = fields.length === 0 ? 'value' : fields.map(name => name.replace(/_id$/, '').replaceAll('_', ' ')).join(' and ')
  return conflict(
    'key_taken',
    `Another record already has this ${called}. Change ${fields.length > 1 ? 'one of them' : 'it'}, then try again.`,
    fields.length === 0 ? {} : { fields: fields.map(path => ({ path, message: 'is already used by another record.' })) },
  )
}

function refusalOf(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refused) return error.refusal
  const full = fullRefusal(error)
  if (full !== null) return full
  const broken = violated(error)
  if (broken?.what === 'unique') return taken(fieldsOf(broken.key, request.body))
  if (broken?.what === 'exclusion')
    return conflict('overlap', 'This record would overlap another one. Change one of the two, then try again.')
  if (broken?.what === 'reference') return conflict('in_use', 'A related record has just changed. Reload and try again.')
  if (unfit(error)) return invalid([{ path: '', message: 'has a value that can’t be stored.' }])
  if (error instanceof CommitInDoubt)
    return unavailable(
      'The connection to the database broke during the save, so your change may or may not have been saved. Reload to check, or repeat the request with the same Idempotency-Key; the change is then saved only once.',
      { in_doubt: true },
    )
  if (databaseGone(error)) return unavailable('The database can’t be reached. Nothing was changed. Try again in a moment.')
  const { code, statusCode } = fieldsIn(error)
  if (code === 'FST_REQ_FILE_TOO_LARGE' && request.walkdown) return fileTooLarge(request.walkdown.route)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413)
    return tooLarge('The request is too large for this call. Send less data at once.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) return unsupportedMedia(OTHER_TYPE)
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return malformed('The request can’t be read: it isn’t well-formed JSON or multipart. Correct it and send it again.')
  if (error instanceof Error && /^(Unexpected end of|Part terminated early|Malformed part header|Multipart)/.test(error.message))
    return malformed('The multipart body ends too early or is malformed. Send the request again.')
  return {
    status: 500,
    code: 'internal_error',
    detail: 'Something went wrong on our side. Nothing was changed. Give support the request id.',
  }
}
