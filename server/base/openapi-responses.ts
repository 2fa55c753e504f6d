// The responses of an endpoint in the API document: success, further ones, and refusals.
import { CODES, malwareFound, type Refusal, scannerAway, scannerLimit, storageFull } from './errors.ts'
import type { Route } from './http.ts'
import { filesOf, isTagged, outOfRangeHeaders, refusalHeaders, sendsFiles, successHeaders, unchangedHeaders } from './openapi-headers.ts'
import { codesOf, exampleOf, type Json, MEANS, used } from './openapi-parts.ts'

export function successOf(route: Route, status: number): Json {
  const files = filesOf(route)
  if (route.reply === null && files.length === 0) return { description: 'Done; the response has no body', ...successHeaders(route, status) }
  return {
    description: route.reply === null ? 'The file' : 'Done',
    ...successHeaders(route, status),
    content: {
      ...(route.reply === null ? {} : { 'application/json': { schema: used(route.reply), example: exampleOf(route.reply) } }),
      ...Object.fromEntries(
        files.map(type => [type, { schema: { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) } }]),
      ),
    },
  }
}

/** Returns further responses that aren’t refusals: those that the route lists, and those to conditional and partial requests. */
export function furtherOf(route: Route): Json {
  const said = Object.entries(route.also ?? {}).map(([status, description]) => [
    status,
    {
      description,
      ...successHeaders(route, Number(status)),
      ...(route.reply === null ? {} : { content: { 'application/json': { schema: used(route.reply), example: exampleOf(route.reply) } } }),
    },
  ])
  const files = sendsFiles(route)
  return {
    ...Object.fromEntries(said),
    ...(isTagged(route)
      ? { 304: { description: '`If-None-Match` has the current version; the response has no body', ...unchangedHeaders(route) } }
      : {}),
    ...(files
      ? {
          206: {
            description: 'The part of the file that was requested with `Range`',
            ...successHeaders(route, 206),
            content: Object.fromEntries(filesOf(route).map(type => [type, { schema: { type: 'string', format: 'binary' } }])),
          },
          416: {
            description: 'The file has no such part; `Content-Range` says how long the file is. The response has no body',
            ...outOfRangeHeaders(route),
          },
        }
      : {}),
  }
}

/** Refusals by the malware scanner, of endpoints that accept files. */
const BY_SCANNER: readonly { refusal: Refusal; means: string }[] = [
  { refusal: scannerLimit('survey.pdf'), means: 'the malware scanner accepts only smaller files.' },
  { refusal: malwareFound('file', 'survey.pdf'), means: 'a file contains malware.' },
  { refusal: scannerAway(), means: 'the malware scanner isn’t responding, and no file is stored unscanned.' },
]

/** A refusal as a response shows it. */
const shownRefusal = ({ code, detail, context: { retry_after_seconds: _, ...context } = {} }: Refusal): Json => ({
  code,
  detail,
  ...context,
})

/** Returns the refusals of an endpoint, by status. */
export function refusalsOf(route: Route): Json {
  const byStatus = Map.groupBy(codesOf(route), code => String(CODES[code]))
  const refused: [string, Json][] = [...byStatus].map(([status, codes]) => {
    const scans = route.upload === undefined ? [] : BY_SCANNER.filter(({ refusal }) => String(refusal.status) === status)
    return [
      status,
      {
        description: [
          ...codes.map(code => `\`${code}\`: ${MEANS[code]}`),
          ...scans.map(({ refusal, means }) => `With \`reason: ${refusal.context?.reason}\`, ${means}`),
        ].join(' '),
        ...refusalHeaders(status),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries([
              ...codes.map(code => [code, { value: { error: { code, detail: MEANS[code] } } }]),
              ...scans.map(({ refusal }) => [refusal.context?.reason, { value: { error: shownRefusal(refusal) } }]),
            ]),
          },
        },
      },
    ]
  })
  const { status, code, detail } = storageFull()
  const full = { error: { code, detail, reason: 'storage_full' } }
  return {
    ...Object.fromEntries(refused),
    [status]: {
      description: '`unavailable`, `reason: storage_full`: no space is left to store anything.',
      ...refusalHeaders(String(status)),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: { storage_full: { value: full } } } },
    },
  }
}
