// The API document as a readable page: plain HTML, made on the server, no scripts.

import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fieldsIn, itemsIn, mapValues } from '../../shared/narrow.ts'

type Json = Record<string, unknown>

/** Escapes text for HTML, including attributes. */
export const safe = (text: unknown): string =>
  String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)
const inline = (text: unknown): string => safe(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** The style of every page that the server makes itself: calm, legible, light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #f4f3f0; --card: #fff; --ink: #1d1f21; --soft: #5c6066; --line: #d8d6d1; --blue: #1f4e8c; --hi: #d9730d }
@media (prefers-color-scheme: dark) { :root { --ground: #17191b; --card: #1f2225; --ink: #e9e7e3; --soft: #a2a6ab; --line: #363a3e; --blue: #8db6ee; --hi: #f0a04b } }
* { box-sizing: border-box } body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 "IBM Plex Sans", system-ui, sans-serif }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 6rem } h1 { font-size: 1.75rem; margin: 0 0 .5rem } h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem }
a { color: var(--blue) } p { margin: .25rem 0 .75rem; max-width: 70ch } .soft { color: var(--soft) }
code, pre, .path { font-family: "IBM Plex Mono", ui-monospace, monospace; font-size: .875em }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto; max-height: 24rem }
details { background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: .375rem 0 } summary { padding: .625rem .75rem; cursor: pointer; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline }
summary:focus-visible, a:focus-visible { outline: 3px solid var(--hi); outline-offset: 2px } .body { padding: 0 .75rem .75rem }
.verb { font: 600 .8rem "IBM Plex Mono", ui-monospace, monospace; min-width: 4rem; color: var(--blue) } table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line) }
nav { columns: 14rem; margin: 1rem 0 } nav a { display: block; padding: .125rem 0 } .card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; margin: 1rem 0 }`

/** The logo of the product, as the app shows it. */
export const MARK = `<svg viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="12" fill="#24466f"/><rect x="14" y="12" width="36" height="40" rx="4" fill="#f7f5f0"/><rect x="14" y="12" width="7" height="40" rx="2" fill="#e2711d"/><path d="M27 35l6 6 11-15" fill="none" stroke="#24466f" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const ASSETS = fileURLToPath(new URL('../../dist/web/assets', import.meta.url))

/** Returns the fonts of the built app (IBM Plex), so that a browser fetches each font once; nothing if the app was not built. */
export function fontFaces(): string {
  const files = existsSync(ASSETS) ? readdirSync(ASSETS) : []
  return [
    ['IBM Plex Sans', 'sans', 400],
    ['IBM Plex Sans', 'sans', 500],
    ['IBM Plex Sans', 'sans', 600],
    ['IBM Plex Mono', 'mono', 400],
  ]
    .flatMap(([family, name, weight]) => {
      const file = files.find(one => one.startsWith(`ibm-plex-${name}-latin-${weight}-normal-`) && one.endsWith('.woff2'))
      return file === undefined
        ? []
        : [`@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url(/assets/${file}) format("woff2")}`]
    })
    .join('')
}

/** Makes a whole page; `style` is added to the common style. */
export const pageOf = (title: string, body: string, lang = 'en', style = ''): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${safe(title)}</title><link rel="icon" href="/icons/mark.svg" type="image/svg+xml"><style>${fontFaces()}${STYLE}${style}</style></head><body><main>${body}</main></body></html>`

const NOTE_STYLE = `main { max-width: 32rem } .brand { display: flex; align-items: center; gap: 12px; margin: 0 0 16px; font-weight: 600; font-size: 20px } .brand svg { width: 36px; height: 36px } .card { border-left: 6px solid var(--blue); padding: 24px } .act { display: flex; align-items: center; justify-content: center; min-height: 56px; margin: 16px 0; padding: 8px 16px; border-radius: 6px; background: #1f4e8c; color: #fff; font-weight: 600; text-decoration: none }`

/** Makes a page with one message. */
const notePage = (title: string, card: string, head = ''): string =>
  pageOf(
    `${title} · Walkdown`,
    `<p class="brand">${MARK}<span>Walkdown</span></p><div class="card"><h1>${title}</h1>${card}</div>`,
    'en',
    NOTE_STYLE,
  ).replace('</head>', `${head}</head>`)

/** Makes the page for a URL that does not exist. */
export const lostPage = (): string =>
  notePage(
    'Page not found',
    '<p>This page doesn’t exist. Check that the link is complete: mail programs sometimes break long links over two lines.</p><p><a class="act" href="/">Go to your sites</a></p><p><a href="/verify">Verify a paper permit</a></p>',
  )

const busy = new Map<boolean, string>()

/** Returns the page for a request that is refused under overload. `reload`: it loads itself again, so the person only has to wait. */
export function busyPage(reload: boolean): string {
  const next = reload ? 'This page loads again in a few seconds.' : 'Nothing was changed. Go back, wait a few seconds and try again.'
  const page =
    busy.get(reload) ??
    notePage(
      'The service is busy',
      `<p>Too many people are using the service at the moment. ${next}</p>`,
      reload ? '<meta http-equiv="refresh" content="5">' : '',
    )
  busy.set(reload, page) // a refusal must cost next to nothing
  return page
}

/** Returns whether a browser asks for a page, rather than a program for data. */
export const asksForPage = (request: { method: string; headers: { accept?: string | undefined } }): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && (request.headers.accept ?? '').includes('text/html')

/** Headers of such a page: nothing from other origins, and no scripts at all. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
}

function fieldsOf(schema: Json, document: Json): string {
  const target = resolve(schema, document)
  const properties = mapValues(fieldsIn(target.properties), fieldsIn)
  const required = new Set(itemsIn(target.required))
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${safe(name)}</code>${required.has(name) ? ' *' : ''}</td><td><code>${safe(typeOf(field))}</code></td><td>${inline(field.description ?? '')}</td></tr>`,
  )
  return rows.length === 0
    ? ''
    : `<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function resolve(schema: Json, document: Json): Json {
  if (typeof schema.$ref !== 'string') return schema
  const name = schema.$ref.split('/').at(-1) ?? ''
  return fieldsIn(fieldsIn(fieldsIn(document.components).schemas)[name] ?? schema)
}

function typeOf(schema: Json): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(s => typeOf(fieldsIn(s))).join(' | ')
  if (schema.type === 'array') return `${typeOf(fieldsIn(schema.items))}[]`
  if (Array.isArray(schema.enum)) return schema.enum.map(v => JSON.stringify(v)).join(' | ')
  return [schema.type ?? 'any'].flat().join(' | ') + (schema.format === undefined ? '' : ` (${schema.format})`)
}

function operationOf(verb: string, path: string, op: Json, document: Json): string {
  const parameters = itemsIn(op.parameters).map(fieldsIn)
  const content = mapValues(fieldsIn(fieldsIn(op.requestBody).content), fieldsIn)
  const [bodyType, body] = Object.entries(content)[0] ?? []
  const responses = Object.entries(mapValues(fieldsIn(op.responses), fieldsIn))
  const success = responses[0]?.[1]
  const shown = Object.values(fieldsIn(success?.content)).map(fieldsIn)[0]
  const example = (value: unknown) => (value === undefined ? '' : `<pre>${safe(JSON.stringify(value, null, 2))}</pre>`)
  return `<details id="${safe(op.operationId)}"><summary><span class="verb">${verb.toUpperCase()}</span><span class="path">${safe(path)}</span><span class="soft">${inline(op.summary)}</span></summary><div class="body">
<p>${inline(op.description)} <span class="soft"><code>${safe(op.operationId)}</code></span></p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4><table><tbody>${parameters.map(p => `<tr><td><code>${safe(p.name)}</code>${p.required ? ' *' : ''}</td><td>${safe(p.in)}</td><td><code>${safe(typeOf(fieldsIn(p.schema)))}</code></td><td>${inline(p.description)}</td></tr>`).join('')}</tbody></table>`}
${body === undefined ? '' : `<h4>Body (${safe(bodyType)})</h4>${fieldsOf(fieldsIn(body.schema), document)}${example(body.example)}`}
<h4>Responses</h4><table><tbody>${responses.map(([status, r]) => `<tr><td><code>${status}</code></td><td>${inline(r.description)}</td></tr>`).join('')}</tbody></table>
${shown === undefined ? '' : example(shown.example)}</div></details>`
}

/** Makes the reference of the API as one page. */
export function docsPage(document: Json): string {
  const paths = mapValues(fieldsIn(document.paths), verbs => mapValues(fieldsIn(verbs), fieldsIn))
  const byTag = new Map<string, string[]>()
  for (const [path, verbs] of Object.entries(paths)) {
    for (const [verb, op] of Object.entries(verbs)) {
      const [tag = 'service'] = itemsIn(op.tags).map(String)
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationOf(verb, `/api${path}`, op, document)])
    }
  }
  const tags = [...byTag.keys()].sort()
  const info = fieldsIn(document.info)
  const body = `<h1>${safe(info.title)} API</h1><p>${inline(info.description)}</p><p>Machine-readable: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Areas">${tags.map(tag => `<a href="#area-${safe(tag)}">${safe(tag)}</a>`).join('')}</nav>
${tags.map(tag => `<h2 id="area-${safe(tag)}">${safe(tag)}</h2>${(byTag.get(tag) ?? []).join('')}`).join('')}`
  return pageOf('Walkdown API', body)
}
