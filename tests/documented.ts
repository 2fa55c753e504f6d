// Every response that a test gets is in the API document: its status, and its content type.
import type { FastifyInstance } from 'fastify'
import type { Route } from '../server/base/http.ts'
import { documentPath, openApi } from '../server/base/openapi.ts'
import { apiDocument } from '../server/document.ts'
import { routes } from '../server/groups.ts'

type Operation = { responses: Record<string, { content?: Record<string, unknown>; headers?: Record<string, unknown> }> }

let operations: Map<string, Operation> | null = null

/** Operations of the document by their names; those of further routes, too. */
export function documented(more: readonly Route[] = []): Map<string, Operation> {
  const own = openApi(more, { version: '0', server: '/api', groups: [] })
  return new Map(
    [
      { document: apiDocument('0'), of: routes },
      { document: own, of: more },
    ].flatMap(({ document, of }) => {
      const paths = document.paths as Record<string, Record<string, Operation>> // as `openApi` makes it
      return of.flatMap(route => {
        const operation = paths[documentPath(route)]?.[route.method.toLowerCase()]
        return operation === undefined ? [] : [[route.name, operation] as const]
      })
    }),
  )
}

/** Makes a server fail if it responds with something that its document doesn't have. */
export function mustBeDocumented(app: FastifyInstance, more: readonly Route[] = []): void {
  if (more.length > 0) operations = null
  app.addHook('onSend', async (request, reply, payload) => {
    const route = request.walkdown?.route
    if (route === undefined) return payload
    operations ??= documented(more)
    const fault = faultOf(operations.get(route.name), reply.statusCode, reply.getHeader('content-type'), payload)
    if (fault === null) return payload
    // As a 500, whatever was asked for: a test that expects a refusal must not take this for it.
    const detail = `${route.name} answers ${reply.statusCode} ${fault}, which its API document doesn’t have.`
    reply.code(500).removeHeader('content-length').header('content-type', 'application/json; charset=utf-8')
    return JSON.stringify({ error: { code: 'internal_error', detail } })
  })
}

/** Returns why a response isn’t one that the document lists for an operation; null when it is. */
export function faultOf(operation: Operation | undefined, status: number, type: unknown, payload: unknown): string | null {
  const response = operation?.responses[String(status)]
  if (response === undefined) return 'at all'
  if (payload === undefined || payload === null || payload === '') return null
  const media = String(type ?? '').split(';')[0] ?? ''
  return response.content?.[media] === undefined ? `as "${media}"` : null
}
