// The public page /verify (`permits-decisions.md` §4.2) checks whether a printed permit, a chain of signatures or an exported audit log is genuine.
// The check runs on the device, with the same code as the service after its types are stripped.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { fontFaces, MARK } from '../base/docs.ts'
import { sha256 } from '../base/ids.ts'

const SHARED = new URL('../../shared/', import.meta.url)

/** Lists the modules in `shared` that a script loads, directly or through others, by their paths below it. Imports of types only are left out. */
function modulesOf(source: string, at: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [, path = ''] of source.matchAll(/^import (?!type ).* from '(\.[^']+)'/gm)) {
    const module_ = new URL(path, `http://page/${at}`).pathname.slice(1)
    if (found.has(module_)) continue
    found.add(module_)
    modulesOf(stripTypeScriptTypes(readFileSync(new URL(module_, SHARED), 'utf8')), module_, found)
  }
  return found
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  'cache-control': 'no-cache',
}

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Is this permit still valid? · Walkdown</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/verify/page.css"><script src="/verify/look.js"></script><script type="module" src="/verify/page.js"></script></head>
<body><main>
<p class="brand">${MARK}<span>Walkdown</span></p>
<h1>Is this permit still valid?</h1>
<p>Point your phone’s camera at the QR code on a printed permit, and open the link that appears. Your device checks the permit. If you’re online, the service also checks whether the permit has changed since it was printed.</p>
<section id="verdict" hidden tabindex="-1" aria-live="assertive" aria-label="Result"></section>
<div id="camera" hidden><video id="video" playsinline muted aria-label="Camera"></video><button type="button" id="stop">Stop the camera</button></div>
<div class="ways">
<button type="button" id="scan" class="main wide" hidden>Scan with the camera</button>
<label class="file wide"><input type="file" id="file" accept="image/*,application/json,text/csv,text/plain,.json,.csv">Open a picture or a file</label>
</div>
<label class="above" for="paste">Or paste the text of the code</label>
<textarea id="paste" spellcheck="false" autocapitalize="off" autocomplete="off"></textarea>
<p></p><button type="button" id="check">Check</button>
<details><summary>What you can check here</summary>
<p class="soft">You can check a printed permit by its code. You can also check a permit’s signature chain (JSON) or a site’s audit log (CSV) that was exported from the service: the page compares every part with what the site signed.</p>
<p class="soft">This page shows only what is on the paper, whether it is genuine, and whether it is still valid. On this device it stores only its own files and the public keys of the sites whose permits you checked.</p>
</details>
<noscript><p><strong>This page checks the permit in your browser and needs JavaScript.</strong></p></noscript>
</main></body></html>
`

/** Adds the page and its files to the server. */
export function mountVerify(app: FastifyInstance): void {
  const own = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  const parts = new Map<string, { type: string; content: string }>()
  const script = (path: string, content: string) => parts.set(path, { type: 'text/javascript; charset=utf-8', content })
  // Made for the first person who opens the page: most starts of the service never need them.
  const make = () => {
    const modules = [...modulesOf(own('./page.js'), 'page.js')]
    for (const name of ['page.js', 'look.js']) script(`/verify/${name}`, own(`./${name}`))
    parts.set('/verify/page.css', { type: 'text/css; charset=utf-8', content: `${fontFaces()}\n${own('./page.css')}` })
    for (const path of modules) script(`/verify/${path}`, stripTypeScriptTypes(readFileSync(new URL(path, SHARED), 'utf8')))
    parts.set('/verify', { type: 'text/html; charset=utf-8', content: PAGE })
    const version = sha256([...parts.values()].map(part => part.content).join('\0')).slice(0, 12)
    // The page's worker also caches its fonts, so that it looks the same without a connection.
    const fonts = [...fontFaces().matchAll(/url\(([^)]+)\)/g)].map(([, path]) => path)
    script(
      '/verify/worker.js',
      own('./worker.js')
        .replace('...PARTS_OF_PAGE', [...modules.map(path => `/verify/${path}`), ...fonts].map(path => `'${path}'`).join(', '))
        .replace("'walkdown-verify-VERSION'", `'walkdown-verify-${version}'`),
    )
  }
  for (const route of ['/verify', '/verify/*']) {
    app.get(route, async (request, reply) => {
      if (parts.size === 0) make()
      const [path = ''] = request.url.split('?', 1)
      const part = parts.get(path)
      if (part === undefined) return reply.callNotFound()
      if (path.endsWith('worker.js')) reply.header('service-worker-allowed', '/verify')
      return reply.headers({ ...HEADERS, 'content-type': part.type }).send(part.content)
    })
  }
}
