import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'

/** The manifest of each room (base/room.ts), with its folder. They are read as text, because they name pages that only the build can load. */
const MANIFESTS = globSync('rooms/*/*/room.ts', { cwd: import.meta.dirname }).map(file => ({
  folder: `/${file.slice(0, -'room.ts'.length)}`,
  text: readFileSync(`${import.meta.dirname}/${file}`, 'utf8'),
}))

/** Rooms whose pages are for an office with a connection: a phone stores them only once they have been opened. */
const OFFICE = MANIFESTS.filter(({ text }) => /^ {2}office: true,$/m.test(text)).map(({ folder }) => folder)
const isOffice = (file: string | null): boolean => OFFICE.some(folder => file?.includes(folder) === true)

/** Libraries that every page needs. */
const LIBRARIES =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@tanstack\/(?:react-)?(?:router|router-core|query|query-core|store|history))\//
/** Our own modules that every page needs, including the rooms' manifests and texts, dates and digests. Listings and forms come with the first page that has one, and what no first screen needs comes later: such files are left out by name. */
const BASE =
  /\/web\/(?:base(?!\/(?:(?:records|later)\/|(?:condition-json|hours|job|operator|permit-name|pins|save|views|kit\/(?:form|own-colour|pickers|progress|public-frame|restored))\.))|words|shell(?!\/(?:capture|command-menu|shortcuts|me-panel|sites|site-picture|signed-in)\.))\/.*\.tsx?$|\/web\/rooms\/.*\/(?:room|(?:[a-z]+-)?words)\.ts$|\/shared\/(?:time|topics|proof\/canonical)\.ts$|vite\/preload-helper/
/** Our modules that most pages for the field need: cards of permits and the steps that they allow, filters, alerts, and the doors to the map and to the site now. */
const FIELD_PARTS =
  /\/web\/rooms\/(?:permits\/permits\/(?:data|steps|arrived|standing|site-now|board-query|tiles|parts\/(?:card|conflict-badge|status|stopped|people|tiles|type-chip))|map\/map\/(?:door|looks|label-styles-data)|messages\/alerts\/(?:data|model|banner|parts\/call))\.tsx?$|\/web\/base\/records\/filters\.tsx$|\/shared\/proof\/content\.ts$/
/**
 * Modules of rooms that only define things: a page that uses one part behind the door of a room doesn't load the others. Texts that add themselves to the
 * catalogue are imported for that alone.
 */
const DEFINING = /\/web\/rooms\/(?!.*\/(?:loaded|says)\.ts$).*\.tsx?$/
/** What the pages of the field and the stored drafts of permits use of the permits' room: it is fetched together. */
const PERMIT_PARTS =
  /\/web\/rooms\/permits\/permits\/(?:door|drafts|changes|extension-end|behalf|parts\/(?:body|advice|conflicts|fire-watch|step-dialog|files|history|extension-conflicts))\.tsx?$|\/web\/base\/records\/(?:photo-strip\.tsx|picture\.ts|pictures-kept\.ts)$|\/web\/base\/kit\/restored\.tsx$/

type Chunk = {
  type: 'chunk'
  fileName: string
  isEntry: boolean
  facadeModuleId: string | null
  imports: string[]
  dynamicImports: string[]
  viteMetadata?: { importedCss: Set<string>; importedAssets: Set<string> }
}
type Bundle = Record<string, Chunk | { type: 'asset' }>

/** Lists everything that a chunk imports. */
const withIt = ({ fileName, viteMetadata }: Chunk): string[] => [
  fileName,
  ...(viteMetadata?.importedCss ?? []),
  ...(viteMetadata?.importedAssets ?? []),
]

/**
 * Lists what the worker stores immediately, and what it stores once it is requested. It stores immediately every part of the app, through all
 * imports, except what is imported only by office pages.
 */
function partsOf(bundle: Bundle): { first: string[]; later: string[] } {
  const chunks = Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk' && one.fileName !== 'sw.js')
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const reached = new Set<Chunk>()
  const reach = (chunk: Chunk | undefined) => {
    if (chunk === undefined || reached.has(chunk)) return
    reached.add(chunk)
    for (const name of chunk.imports) reach(byName.get(name))
    for (const name of chunk.dynamicImports) if (!isOffice(byName.get(name)?.facadeModuleId ?? null)) reach(byName.get(name))
  }
  for (const chunk of chunks) if (chunk.isEntry) reach(chunk)
  const first = new Set([...reached].flatMap(withIt))
  const later = new Set(chunks.flatMap(withIt).filter(file => !first.has(file)))
  // Files that no chunk imports, and that every current browser needs: pages and fonts. No current browser needs the fonts in the older format.
  for (const name of Object.keys(bundle)) if (!later.has(name) && name !== 'sw.js') first.add(name)
  const sorted = (files: Set<string>) =>
    [...files]
      .filter(name => !/\.(?:map|woff|html)$/.test(name))
      .sort()
      .map(name => `/${name}`)
  return { first: sorted(first), later: sorted(later) }
}

/** Writes the names of all built files, for the service worker. */
const built: Plugin = {
  name: 'walkdown-built',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const names = JSON.stringify(partsOf(bundle as unknown as Bundle)) // in the form that Vite and its bundler produce
      this.emitFile({ type: 'asset', fileName: 'built.json', source: names })
      // A browser recognises a new worker by its bytes: without the build in them, it would keep yesterday's app forever.
      const worker = bundle['sw.js']
      if (worker?.type === 'chunk') worker.code += `\n// ${createHash('sha256').update(names).digest('hex')}\n`
    },
  },
}

/** Pages that people open first on a phone, by the part of their URL after the site. */
const FIELD: Record<string, string> = Object.fromEntries(
  MANIFESTS.flatMap(({ folder, text }) =>
    [...text.matchAll(/\{ path: '\/(\w+)[^']*', load: \(\) => import\('\.\/([\w-]+\.tsx)'\), field: true \}/g)].map(([, part, file]) => [
      part,
      `${folder}${file}`,
    ]),
  ),
)

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}

/** Builds a script that runs before the app as one small file: its imports are copied into it, so that it waits for nothing. */
async function smallScript(name: string, format: 'es' | 'iife'): Promise<{ fileName: string; source: string }> {
  const made = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', rollupOptions: { input: `${import.meta.dirname}/${name}.ts`, output: { format } } },
  })
  const [chunk] = [made].flat().flatMap(one => ('output' in one ? one.output : []))
  if (chunk?.type !== 'chunk') throw new Error(`${name}.ts was not built as a chunk.`)
  const hash = createHash('sha256').update(chunk.code).digest('base64url').slice(0, 8)
  return { fileName: `assets/${name}-${hash}.js`, source: chunk.code }
}
const earlyScript = once(() => smallScript('early', 'es'))
const lookScript = once(() => smallScript('first-look', 'iife'))

/** Adds what the page needs before the app: the appearance, the early requests, and the parts to fetch for the page at this URL. */
const early: Plugin = {
  name: 'walkdown-early',
  apply: 'build',
  async generateBundle() {
    this.emitFile({ type: 'asset', ...(await earlyScript()) })
  },
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle }) {
      const [look, { fileName }] = [await lookScript(), await earlyScript()]
      const chunks = Object.values(bundle ?? {}).filter(one => one.type === 'chunk')
      const already = new Set(chunks.filter(one => one.isEntry).flatMap(one => [one.fileName, ...one.imports]))
      const parts = Object.entries(FIELD).map(([name, file]) => {
        const page = chunks.find(one => one.facadeModuleId?.endsWith(file))
        if (page === undefined) throw new Error(`${file} isn’t part of the app.`)
        return [name, [page.fileName, ...page.imports].filter(one => !already.has(one)).map(one => `/${one}`)]
      })
      return {
        // In the page itself, after the colours that it changes: nothing is painted before it has run, and it waits for nothing. The service allows
        // only these bytes to run (server/web.ts).
        html: html.replace('<title>', () => `<script>${look.source.trim()}</script>\n    <title>`),
        tags: [
          {
            tag: 'script',
            attrs: { type: 'application/json', id: 'parts' },
            children: JSON.stringify(Object.fromEntries(parts)),
            injectTo: 'head',
          },
          { tag: 'script', attrs: { type: 'module', async: true, src: `/${fileName}` }, injectTo: 'head' },
        ],
      }
    },
  },
}

/** Style sheets load in any order, and the first one decides the order of the layers, so each one states it. */
const layers: Plugin = {
  name: 'walkdown-layers',
  enforce: 'pre',
  transform: (code, id) => (/\/web\/.*\.css$/.test(id) ? `@layer base, kit, rooms;\n${code}` : undefined),
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [layers, react(), early, built],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      treeshake: { moduleSideEffects: [{ test: DEFINING, sideEffects: false }] },
      input: { app: `${import.meta.dirname}/index.html`, sw: `${import.meta.dirname}/sw.ts` },
      output: {
        entryFileNames: chunk => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // What every page needs is in two files, and what most pages for the field need is in two more, not in twenty: over a slow mobile connection, requests cost more than bytes.
        // Libraries are separate, because they change less often than our code.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: LIBRARIES, priority: 2 },
            { name: 'base', test: BASE, priority: 1 },
            { name: 'field', test: FIELD_PARTS, priority: 1 },
            { name: 'permits', test: PERMIT_PARTS, priority: 1 },
          ],
        },
      },
    },
  },
})
