// The web app: its built files, and one page for every URL of the app. Nothing is loaded from other origins.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fieldsIn } from '../shared/narrow.ts'
import type { House } from './base/ctx.ts'

/** The folder of the built app. */
export const WEB_DIR = fileURLToPath(new URL('../dist/web', import.meta.url))

/** URLs of the app. The rest of the service has its own URLs; any other URL doesn't exist. */
const PAGES = ['/', '/signed-in', '/join', '/sites/*']

/** Returns the other origins that the app can connect to: the identity provider and the base map. */
function elsewhereOf({ settings }: House): string {
  const origins = [settings.oidc_issuer, settings.map.style_url, settings.map.tiles_url, settings.map.glyphs_url]
    .filter(url => url !== null)
    .map(url => new URL(url.replace(/\{[^}]*\}/g, 'x')).origin)
  return [...new Set(origins)].join(' ')
}

/** Returns the inline scripts of the page in the form that a content security policy needs, as hashes (CSP3 §4.2.3). */
const inlineScripts = (html: string): string =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)]
    .map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    .join(' ')

/** Returns the content security policy: the app can load from and connect to itself and the origins above. */
export function policyOf(html: string, elsewhere: string, socket: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts(html)}`,
    "style-src 'self'",
    `img-src 'self' blob: data: ${elsewhere}`,
    `connect-src 'self' ${socket} ${elsewhere}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "media-src 'self' blob:",
    "object-src 'none'",
    "frame-src 'self' blob:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
    .map(rule => rule.trim())
    .join('; ')
}

/** Adds the app to the server; false if it has not been built. */
export async function mountWeb(app: FastifyInstance, house: House): Promise<boolean> {
  const index = `${WEB_DIR}/index.html`
  if (!existsSync(index)) return false
  const elsewhere = elsewhereOf(house)
  // Some browsers don't count a WebSocket to the same host as 'self'.
  const socket = new URL(house.settings.public_url).origin.replace(/^http/, 'ws')
  const page = async (reply: FastifyReply) => {
    const html = await readFile(index, 'utf8')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(html, elsewhere, socket),
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=()',
      })
      .send(html)
  }
  for (const path of PAGES) app.get(path, (_, reply) => page(reply))
  app.get('/index.html', (_, reply) => page(reply))
  // Browsers request this icon for every page that doesn't specify one.
  app.get('/favicon.ico', async (_, reply) => reply.type('image/svg+xml').send(await readFile(`${WEB_DIR}/icons/mark.svg`)))
  await app.register(async files => {
    // A URL that can be no file's (too long, with a NUL or two dots) has none.
    files.setErrorHandler((error, _, reply) => {
      const { statusCode = 500 } = fieldsIn(error)
      if (typeof statusCode !== 'number' || statusCode >= 500) throw error
      reply.callNotFound()
    })
    await files.register(fastifyStatic, {
      root: WEB_DIR,
      index: false,
      preCompressed: true,
      setHeaders(reply, path) {
        const named = path.includes('/assets/')
        reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache')
        // A worker has its own policy, sent with its file: the map's worker fetches the tiles of the base map.
        if (path.includes('-worker-')) reply.header('content-security-policy', `default-src 'none'; connect-src 'self' ${elsewhere}`)
        if (path.includes('/sw.js')) reply.header('content-security-policy', "default-src 'self'")
      },
    })
  })
  return true
}
