// Checks responses against nothing but the API document, with another validator than the service's, so that one of them finds what the
// other overlooks.
import '@hyperjump/json-schema/formats'
import { type OutputUnit, registerSchema, setShouldValidateFormat, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1'

type Json = Parameters<Awaited<ReturnType<typeof validate>>>[0]
export type Schema = { [keyword: string]: unknown }
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
type Media = Record<string, { schema?: Schema }>
export type Response = { content?: Media; headers?: Record<string, { required?: boolean; schema?: Schema; $ref?: string }> }
/** An operation of the document, with its place in it. */
export type Operation = {
  operationId: string
  method: string
  path: string
  parameters: Parameter[]
  requestBody?: { required?: boolean; content: Media }
  responses: Record<string, Response>
}

/** The document, as far as the tests read it. */
export type ApiDocument = {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components: { schemas: Record<string, Schema>; headers?: Response['headers'] }
}

/** A response as it arrived. */
export type Arrived = { status: number; headers: Record<string, unknown>; bytes: Buffer }

export type Conformity = {
  operations: readonly Operation[]
  /** Lists what is in a response and not in the document; empty if the document covers it all. */
  faults(operation: Operation, reply: Arrived): Promise<string[]>
  /** Returns why a body isn't one that the operation accepts; null if it is. */
  bodyFault(operation: Operation, body: unknown): Promise<string | null>
  /** Returns why a parameter in the query, given as its texts, isn't one that the operation accepts; null if it is. */
  queryFault(operation: Operation, name: string, texts: readonly string[]): Promise<string | null>
}

const AT = 'https://walkdown.test/api-document'

/** Headers of the transport and of every response, whatever the operation. */
const GENERAL = new Set(
  `accept-encoding cache-control connection content-encoding content-length content-security-policy content-type cross-origin-opener-policy
  cross-origin-resource-policy date keep-alive permissions-policy referrer-policy strict-transport-security transfer-encoding vary
  www-authenticate x-content-type-options x-frame-options x-request-id`.split(/\s+/),
)

const pointer = (...steps: string[]) =>
  `${AT}#/${steps.map(step => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

/** Reads a document. The whole of it must be valid OpenAPI 3.1, which the first check verifies. */
export function openConformity(document: ApiDocument): Conformity {
  setShouldValidateFormat(true)
  unregisterSchema(AT)
  registerSchema(document as unknown as Parameters<typeof registerSchema>[0], AT, 'https://spec.openapis.org/oas/3.1/schema-base') // a document that only has the parts named above
  const compiled = new Map<string, ReturnType<typeof validate>>()
  const fault = async (at: string, value: unknown): Promise<string | null> => {
    const check = compiled.get(at) ?? validate(at)
    compiled.set(at, check)
    const output = (await check)(value as Json, 'BASIC') // parsed from JSON
    if (output.valid) return null
    const told = (output.errors ?? []) as OutputUnit[] // BASIC is a flat list
    return told
      .slice(-3)
      .map(unit => `${unit.instanceLocation} breaks ${unit.absoluteKeywordLocation.split('#')[1]}`)
      .join('; ')
  }
  const operations = Object.entries(document.paths).flatMap(([path, at]) =>
    Object.entries(at).map(([method, operation]) => ({ ...operation, parameters: operation.parameters ?? [], method, path })),
  )
  const inside = ({ path, method }: Operation) => ['paths', path, method]

  async function headerFaults(operation: Operation, response: Response, reply: Arrived): Promise<string[]> {
    const found: string[] = []
    const known = new Map(Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), { name, header }]))
    for (const name of Object.keys(reply.headers))
      if (!GENERAL.has(name) && !known.has(name)) found.push(`sends the header ${name}, which the document doesn’t have`)
    for (const [name, { name: written, header }] of known) {
      const shared = header.$ref?.split('/').pop()
      const its = shared === undefined ? header : document.components.headers?.[shared]
      const value = reply.headers[name]
      if (value === undefined) {
        if (its?.required === true) found.push(`lacks the header ${name}`)
        continue
      }
      const at =
        shared === undefined
          ? pointer(...inside(operation), 'responses', String(reply.status), 'headers', written, 'schema')
          : pointer('components', 'headers', shared, 'schema')
      const wrong = await fault(at, its?.schema?.type === 'integer' ? Number(value) : String(value))
      if (wrong !== null) found.push(`sends the header ${name} as “${String(value)}”: ${wrong}`)
    }
    return found
  }

  return {
    operations,
    async faults(operation, reply) {
      const status = String(reply.status)
      const response = operation.responses[status]
      if (response === undefined) return [`has no ${status} in the document`]
      const found = await headerFaults(operation, response, reply)
      const media = String(reply.headers['content-type'] ?? '').split(';')[0] ?? ''
      const content = response.content
      if (reply.bytes.length === 0) {
        if (content !== undefined) found.push(`has no body, although the document has one for ${status}`)
        return found
      }
      if (content?.[media] === undefined) return [...found, `has “${media}” for ${status}, which the document doesn’t have`]
      if (media === 'application/json') {
        const at = pointer(...inside(operation), 'responses', status, 'content', media, 'schema')
        const wrong = await fault(at, JSON.parse(reply.bytes.toString()))
        if (wrong !== null) found.push(wrong)
      }
      if (media === 'application/pdf' && !reply.bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) found.push('is not the PDF that it says')
      return found
    },
    async bodyFault(operation, body) {
      if (operation.requestBody?.content['application/json'] === undefined) return null
      // If no body is required, null counts as no body.
      if (body === null && operation.requestBody.required !== true) return null
      return fault(pointer(...inside(operation), 'requestBody', 'content', 'application/json', 'schema'), body)
    },
    async queryFault(operation, name, texts) {
      const index = operation.parameters.findIndex(parameter => parameter.in === 'query' && parameter.name === name)
      const schema = operation.parameters[index]?.schema
      if (schema === undefined) return `${name} is no parameter`
      const items = schema.type === 'array' ? (schema.items as Schema) : schema // as `list` makes it
      const values = texts.map(text => typed(text, items))
      const at = pointer(...inside(operation), 'parameters', String(index), 'schema')
      return fault(at, schema.type === 'array' ? values : values.length === 1 ? values[0] : values)
    },
  }
}

/** Reads a text of a query as the type of its parameter (OpenAPI, style `form`). */
function typed(text: string, { type }: Schema): unknown {
  const types = [type].flat()
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if ((types.includes('integer') || types.includes('number')) && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  return text
}
