// The one way to call the service: typed by its own API document, with the token, and with refusals thrown as faults.

import createClient from 'openapi-fetch'
import type { components, paths } from '../../contract/api.gen.ts'
import { fieldsIn } from '../../shared/narrow.ts'
import { againAfter, isWorthSendingAgain, isWrite, retryAfterOf } from './again.ts'
import { tokenNow } from './auth.ts'
import { noteLoad } from './busy.ts'
import { takeEarly } from './early.ts'
import { Fault, unreached } from './fault.ts'
import { noteRead } from './heard.ts'
import { isReachable, lineHeld, lineLost } from './line.ts'

/** Schemas of the API by name. */
export type Schemas = components['schemas']

function taken(answer: Response): Response {
  lineHeld()
  noteLoad(answer)
  noteRead(answer.headers)
  return answer
}

/** Waits before a call that failed for now is made again; throws if nobody waits for it any longer. */
export async function beforeAgain(failures: number, fault: Parameters<typeof againAfter>[1], signal: AbortSignal): Promise<void> {
  await new Promise(done => setTimeout(done, againAfter(failures, fault, Math.random())))
  signal.throwIfAborted()
}

async function withToken(request: Request): Promise<Response> {
  const early = request.method === 'GET' ? await takeEarly(request.url)?.catch(() => null) : null
  if (early?.ok === true) return taken(early)
  if (!isWrite(request) && !(await isReachable())) throw unreached()
  const send = async (force: boolean) => {
    const asked = request.clone()
    const token = await tokenNow(force)
    if (token !== null) asked.headers.set('authorization', `Bearer ${token}`)
    return fetch(asked)
  }
  try {
    for (let failures = 1; ; failures++) {
      const first = await send(false)
      const answer = taken(first.status === 401 ? await send(true) : first)
      if (!(await isWorthSendingAgain(failures, request, answer))) return answer
      const busy = { unreached: false, status: answer.status, retry_after: retryAfterOf(answer.headers) }
      await beforeAgain(failures, busy, request.signal)
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    lineLost()
    throw unreached()
  }
}

/** Calls by path; prefer `ask`, which throws refusals. */
export const client = createClient<paths>({
  baseUrl: '/api',
  fetch: withToken,
})

type Answered<T> = { data?: T; error?: unknown; response: Response }

/** Returns the body of a response; throws a refusal as a `Fault`. */
export async function ask<T>(call: Promise<Answered<T>>): Promise<T> {
  return (await askWhole(call)).data
}

/** Returns the body of a response with its headers. */
export async function askWhole<T>(call: Promise<Answered<T>>): Promise<{ data: T; headers: Headers }> {
  const { data, error, response } = await call
  if (response.ok) return { data: data as T, headers: response.headers } // a 204 has no body, and its type says so
  const said = fieldsIn(fieldsIn(error).error)
  throw new Fault(response.status, said, response.headers.get('x-request-id'), retryAfterOf(response.headers))
}

/** Returns where a list continues, from the header `Link` of its response; null at its end. */
export function nextOf(headers: Headers): string | null {
  const found = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
  return found === undefined ? null : decodeURIComponent(found)
}

/** Returns the version of a record from the header `ETag` of its response; 0, which matches none, if the header isn’t there. */
export const versionOf = (headers: Headers): number => Number(/\d+/.exec(headers.get('etag') ?? '')?.[0] ?? 0)

/** Returns an idempotency key: a call that is sent twice under it has one effect. */
export const freshKey = (): Record<'Idempotency-Key', string> => ({ 'Idempotency-Key': crypto.randomUUID() })

/** Sends the version that was shown, so that another person's change is not overwritten. */
export const ifMatch = (version: number): Record<'If-Match', string> => ({ 'If-Match': `"${version}"` })

/** Sends a form with files; returns the response as JSON. */
export async function sendForm<T>(
  path: string,
  form: FormData,
  headers: Record<string, string> = freshKey(),
  method: 'POST' | 'PUT' = 'POST',
): Promise<T> {
  const answer = await withToken(new Request(`/api${path}`, { method, body: form, headers }))
  const body = answer.status === 204 ? undefined : await answer.json()
  if (answer.ok) return body as T // as the caller's path responds
  throw new Fault(answer.status, body?.error ?? {}, answer.headers.get('x-request-id'), retryAfterOf(answer.headers))
}

/** Returns a file of the service. */
export async function fetchFile(path: string, signal: AbortSignal | null = null): Promise<Blob> {
  const answer = await withToken(new Request(`/api${path}`, { signal }))
  if (answer.ok) return answer.blob()
  const body = await answer.json().catch(() => ({}))
  throw new Fault(answer.status, body.error ?? {}, answer.headers.get('x-request-id'), retryAfterOf(answer.headers))
}
