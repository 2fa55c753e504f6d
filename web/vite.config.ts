import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Rooms whose pages are for an office with a line: a phone keeps them once they were opened, not before. */
const OFFICE = /\/rooms\/(?:map|workflow|import|people|settings|rules|audit)\//

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

/** Everything that a chunk brings with it. */
const withIt = ({ fileName, viteMetadata }: Chunk): string[] => [
  fileName,
  ...(viteMetadata?.importedCss ?? []),
  ...(viteMetadata?.importedAssets ?? []),
]

/**
 * What the worker keeps at once, and what it keeps once it was asked for. At once: all that the app is made of, through whatever it loads, but
 * not what is loaded for an office alone.
 */
function partsOf(bundle: Bundle): { first: string[]; later: string[] } {
  const chunks = Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk' && one.fileName !== 'sw.js')
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
  const reached = new Set<Chunk>()
  const reach = (chunk: Chunk | undefined) => {
    if (chunk === undefined || reached.has(chunk)) return
    reached.add(chunk)
    for (const name of chunk.imports) reach(byName.get(name))
    for (const name of chunk.dynamicImports) if (!OFFICE.test(byName.get(name)?.facadeModuleId ?? '')) reach(byName.get(name))
  }
  for (const chunk of chunks) if (chunk.isEntry) reach(chunk)
  const first = new Set([...reached].flatMap(withIt))
  const later = new Set(chunks.flatMap(withIt).filter(file => !first.has(file)))
  // What no chunk names, and each browser of today has: pages and fonts. Fonts in the older form are for none of them.
  for (const name of Object.keys(bundle)) if (!later.has(name) && name !== 'sw.js') first.add(name)
  const sorted = (files: Set<string>) =>
    [...files]
      .filter(name => !/\.(?:map|woff)$/.test(name))
      .sort()
      .map(name => `/${name}`)
  return { first: sorted(first), later: sorted(later) }
}

/** Names of everything that was built, for the service worker. */
const built: Plugin = {
  name: 'walkdown-built',
  generateBundle(_, bundle) {
    const names = JSON.stringify(partsOf(bundle as unknown as Bundle)) // as Vite and its bundler fill it
    this.emitFile({ type: 'asset', fileName: 'built.json', source: names })
    // A browser looks for a new worker by its bytes: without the build in them it would keep yesterday's app for ever.
    const worker = bundle['sw.js']
    if (worker?.type === 'chunk') worker.code += `\n// ${createHash('sha256').update(names).digest('hex')}\n`
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), built],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { app: `${import.meta.dirname}/index.html`, sw: `${import.meta.dirname}/sw.ts` },
      output: { entryFileNames: chunk => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
})
