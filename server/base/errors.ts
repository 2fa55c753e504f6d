// Refusals, all in one shape. Codes and reasons are those of conventions §1; each has one factory function here.
import { withoutStop } from '../../shared/text.ts'
import type { Reason } from './reasons.ts'

/** Why something is not possible: its code and a sentence; lists start with the most important one. Used in refusals and in `permissions`. */
export type Because = { code: string; detail: string }

/** A refusal: HTTP status, code of conventions §1, a sentence that a foreman can act on, and the context in the response. */
export type Refusal = { status: number; code: string; detail: string; context?: Record<string, unknown> }

/** A verdict of a rule: null if nothing forbids it. */
export type Verdict = Refusal | null

/** The one error that handlers throw on purpose. The edge turns it into the envelope of conventions §1. */
export class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.detail}`)
    this.name = 'Refused'
    this.refusal = refusal
  }
}

/** Throws the first refusal in the list, if there is one. */
export function enforce(verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) if (verdict !== null) throw new Refused(verdict)
}

/** Throws this refusal. */
export function refuse(refusal: Refusal): never {
  throw new Refused(refusal)
}

/** Explains the same verdicts for `permissions`: allowed, or why not, the most important first. */
export function explain(verdicts: readonly Verdict[]): { allowed: boolean; because: Because[] } {
  const because = verdicts.flatMap(v => (v === null ? [] : [{ code: codeOf(v), detail: v.detail }]))
  return { allowed: because.length === 0, because }
}

/** Returns the most specific code of a refusal: the gate, guard or reason if there is one, otherwise its code. */
export function codeOf(refusal: Refusal): string {
  const { gate, guard, reason } = refusal.context ?? {}
  for (const name of [gate, guard, reason]) if (typeof name === 'string') return name
  return refusal.code
}

const make =
  (status: number, code: string) =>
  (detail: string, context?: Record<string, unknown>): Refusal =>
    context === undefined ? { status, code, detail } : { status, code, detail, context }

/** 400: the body is not JSON, or the multipart is broken. */
export const malformed = make(400, 'malformed_request')

/** 408: the request took too long to arrive. */
export const requestTimeout = make(408, 'request_timeout')
/** 431: URL and headers are longer than the service accepts. */
export const headersTooLarge = make(431, 'headers_too_large')

/** Reasons of a 401 (`site-and-people.md` §5). */
export type TokenFault = 'missing' | 'malformed' | 'expired' | 'wrong_issuer' | 'wrong_audience' | 'bad_signature' | 'disabled'
/** 401: no token, or one that can't be verified; always with its reason. */
export const unauthenticated = (reason: TokenFault, detail: string): Refusal => ({
  status: 401,
  code: 'unauthenticated',
  detail,
  context: { reason },
})

/** Says that a role lacks a permission, by what the permission is for: people don’t know its key, which the context has. */
export const lacksWords = (says: string): string =>
  `Your role on this site doesn’t include this permission: “${says}”. Ask a site manager or an administrator.`

/** 403: a member whose role does not allow it. `because` is given if the role allows it but a rule forbids it. */
export const forbidden = (permission: string, detail?: string, because?: Because[]): Refusal => ({
  status: 403,
  code: 'forbidden',
  detail: detail ?? 'Your role on this site doesn’t allow this. Ask a site manager or an administrator.',
  context: because === undefined ? { permission } : { permission, because },
})

/** 403: a permit draft that is not the caller's (`permits.md` R4). */
export const permitOwnership = (detail: string): Refusal => make(403, 'permit_ownership_error')(detail)

/** 404: absent, or not visible to the caller; the response is the same for both. */
export const notFound = (): Refusal => ({ status: 404, code: 'not_found', detail: 'This doesn’t exist, or you don’t have access to it.' })

/** 409 `permit_gate_error`: a gate of `permits-decisions.md` §2 refuses; the context says what blocks it. */
export const gate = (name: string, detail: string, context: Record<string, unknown> = {}): Refusal => ({
  status: 409,
  code: 'permit_gate_error',
  detail,
  context: { gate: name, ...context },
})

/** 409 `invalid_transition`: the record's state has no such step; `allowed` lists the steps that it has. */
export const wrongStep = (status: string, allowed: readonly string[], detail: string): Refusal => ({
  status: 409,
  code: 'invalid_transition',
  detail,
  context: { status, allowed },
})

/** 409 `invalid_transition` by a guard that isn't a permit gate; the context says what blocks it (`ids`, `missing` …). */
export const guard = (name: string, detail: string, context: Record<string, unknown> = {}): Refusal => ({
  status: 409,
  code: 'invalid_transition',
  detail,
  context: { guard: name, because: [{ code: name, detail }], ...context },
})

/** 409 `conflict`: anything else that the present facts forbid; always with its reason. */
export const conflict = (reason: Reason, detail: string, context: Record<string, unknown> = {}): Refusal => ({
  status: 409,
  code: 'conflict',
  detail,
  context: { reason, ...context },
})

/** 409 `site_locked`: the site is locked; shows who locked it, when and why. */
export const siteLocked = (site: { locked_at: string | null; locked_by_name: string | null; lock_reason: string | null }): Refusal =>
  conflict(
    'site_locked',
    `${site.locked_by_name ?? 'A site manager or administrator'} locked this site: ${withoutStop(site.lock_reason ?? 'no reason given')}. You can’t do this until a site manager or administrator unlocks the site.`,
    { locked_by: site.locked_by_name, locked_at: site.locked_at, lock_reason: site.lock_reason },
  )

/** 412: `If-Match` has a version other than the current one. */
export const versionConflict = (version: number): Refusal => ({
  status: 412,
  code: 'version_conflict',
  detail: 'This record has changed since you opened it. Reload the record and make your change again.',
  context: { version },
})

/** 413: more bytes, pixels or rows than this call accepts. */
export const tooLarge = make(413, 'too_large')
/** 415: this call doesn't accept this type of file, as shown by its bytes. */
export const unsupportedMedia = make(415, 'unsupported_media_type')

/** One fault of a body or query: its path, and what is wrong. */
export type FieldFault = { path: string; message: string }

/** 422: every fault of the request at once. */
export const invalid = (fields: FieldFault[], context: Record<string, unknown> = {}): Refusal => ({
  status: 422,
  code: 'validation_failed',
  detail: fields.length === 1 ? sentence(fields[0]) : `${fields.length} fields need correcting: ${pathsOf(fields)}.`,
  context: { fields, ...context },
})

const NAMED_AT_MOST = 10
const pathsOf = (fields: readonly FieldFault[]) => {
  const paths = fields.slice(0, NAMED_AT_MOST).map(field => field.path || 'request')
  return `${paths.join(', ')}${fields.length > NAMED_AT_MOST ? ' and others' : ''}`
}

const sentence = (fault: FieldFault | undefined) =>
  fault === undefined ? 'The request isn’t valid.' : fault.path === '' ? `The request ${fault.message}` : `${fault.path}: ${fault.message}`

/** 422 for a single field. */
export const invalidField = (path: string, message: string, context: Record<string, unknown> = {}): Refusal =>
  invalid([{ path, message }], context)

/** What is wrong with a parameter or a part of a form that can't be repeated. */
export const REPEATED = 'is sent more than once. Send it once.'

/** 422 `workflow_invalid`: the graph has these problems (`permits-decisions.md` §3). */
export const workflowInvalid = (problems: readonly Record<string, unknown>[]): Refusal => ({
  status: 422,
  code: 'workflow_invalid',
  detail: `The workflow can’t be saved: it has ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}. Correct ${problems.length === 1 ? 'it' : 'them'} first.`,
  context: { problems },
})

/** 429: too many calls; `retry_after_seconds` becomes the header `Retry-After`. */
export const rateLimited = (retry_after_seconds: number, detail = 'Too many requests. Wait a moment and try again.'): Refusal => ({
  status: 429,
  code: 'rate_limited',
  detail,
  context: { retry_after_seconds },
})

/** 503: temporarily unavailable; `Retry-After` gives the time to wait. */
export const unavailable = (detail: string, context: Record<string, unknown> = {}): Refusal => ({
  status: 503,
  code: 'unavailable',
  detail,
  context: { retry_after_seconds: 2, ...context },
})

/** 422, `reason: malware_found`: the malware scanner found something in an uploaded file. */
export const malwareFound = (field: string, filename: string): Refusal => ({
  status: 422,
  code: 'validation_failed',
  detail: `“${filename}” contains malware, so it was refused and nothing was stored. Scan the device that the file comes from, and send a clean file.`,
  context: { reason: 'malware_found', fields: [{ path: field, message: 'contains malware.' }] },
})
/** 413, `reason: scanner_limit`: the malware scanner accepts only smaller files than the service does. */
export const scannerLimit = (filename: string): Refusal =>
  tooLarge(
    `"${filename}" is too large for the malware scanner of this service, so nothing was stored. Send a smaller file, or ask the person who runs the service to raise the scanner’s limit.`,
    { reason: 'scanner_limit' },
  )
/** 503, `reason: scanner_unavailable`: an uploaded file couldn't be scanned, and no file is stored unscanned. */
export const scannerAway = (): Refusal =>
  unavailable('The file couldn’t be scanned for malware, so nothing was stored. Try again in a moment.', {
    reason: 'scanner_unavailable',
    retry_after_seconds: 10,
  })

/** 503 for background work that has given up, and for something that isn't set up: trying again won't help, so no time is given. */
export const givenUp = (detail: string, context: Record<string, unknown> = {}): Refusal => ({
  status: 503,
  code: 'unavailable',
  detail,
  context,
})

/** Returns whether a refusal is only for now: it says when to try again. */
export const isTemporary = (refusal: Refusal): boolean => typeof refusal.context?.retry_after_seconds === 'number'

/** The error for a file storage that can’t be reached for now. */
export const storageAway = (): Refusal => unavailable('The file storage can’t be reached. Nothing was changed. Try again in a moment.')

/** 507: no space is left to store anything; `Retry-After` says when to try again. */
export const storageFull = (): Refusal => ({
  status: 507,
  code: 'unavailable',
  detail:
    'There is no space left to store this, so nothing was changed. Ask the person who runs the service to free some space, then try again.',
  context: { reason: 'storage_full', retry_after_seconds: 60 },
})

/** Every code that a response can have, with its status: the OpenAPI document and the house tests read it. */
export const CODES = {
  malformed_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  permit_ownership_error: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  permit_gate_error: 409,
  invalid_transition: 409,
  conflict: 409,
  version_conflict: 412,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  workflow_invalid: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const
export type Code = keyof typeof CODES

/** Refuses a change whose `If-Match` has another version than the record: for a record that its path doesn’t name. */
export function expectVersion(if_match: string | undefined, version: number): void {
  if (!namesVersion(if_match, version)) refuse(versionConflict(version))
}

/** Returns whether `If-Match`, if there is one, has this version (RFC 9110 §13.1.1). */
export const namesVersion = (if_match: string | undefined, version: number): boolean =>
  if_match === undefined ||
  if_match.trim() === '*' ||
  if_match.split(',').some(v => v.trim().replace(/^W\//, '').replaceAll('"', '') === String(version))
