// What the handler returned, as the response that is sent.
import { isRecord } from '../../shared/narrow.ts'
import type { Done } from './deliver.ts'
import type { EdgeOptions } from './edge-options.ts'
import type { FieldFault } from './errors.ts'
import { type Answer, isAnswer, type Route } from './http.ts'
import { showsVersion } from './openapi-headers.ts'
import type { Checker } from './validate.ts'

/** Turns the handler's result into a response that can be sent and stored. */
export async function finish(route: Route, result: unknown, checker: Checker, options: EdgeOptions): Promise<Done> {
  const said: Pick<Answer, 'status' | 'headers' | 'body' | 'text' | 'file' | 'stream'> = isAnswer(result)
    ? result
    : { headers: {}, body: result }
  const status =
    said.status ??
    route.status ??
    (route.reply === null && said.text === undefined && said.file === undefined && said.stream === undefined ? 204 : 200)
  if (said.file !== undefined) return { status, headers: said.headers, file: said.file }
  if (said.stream !== undefined) return { status, headers: said.headers, stream: said.stream }
  if (said.text !== undefined) {
    if (options.strict_replies && route.reply !== null && said.text.type.startsWith('application/json')) {
      strict(route, JSON.parse(said.text.content.toString()), checker)
    }
    const { type, content } = said.text
    const headers = { 'content-type': type, ...said.headers }
    return typeof content === 'string' ? { status, headers, payload: content } : { status, headers, bytes: content }
  }
  if (route.reply === null || said.body === undefined) return { status, headers: said.headers, payload: null }
  const payload = await checker.writeLong(route.reply, said.body)
  if (options.strict_replies) strict(route, JSON.parse(payload), checker)
  const version = showsVersion(route) && isRecord(said.body) && 'version' in said.body ? said.body.version : undefined
  const etag: Record<string, string> = typeof version === 'number' && said.headers.etag === undefined ? { etag: `"${version}"` } : {}
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...etag, ...said.headers },
    payload,
  }
}

/** Refuses a response that doesn’t match its schema: in tests. */
export function strict(route: Route, value: unknown, checker: Checker): void {
  const faults: FieldFault[] = []
  if (route.reply !== null) checker.check(route.reply, value, faults)
  if (faults.length > 0)
    throw new Error(`The response of ${route.name} doesn’t match its schema: ${faults.map(f => `${f.path} ${f.message}`).join('; ')}`)
}
