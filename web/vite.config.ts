import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Names of everything that was built: the service worker keeps it, so that the app opens without a line. */
const built: Plugin = {
  name: 'walkdown-built',
  generateBundle(_, bundle) {
    const files = Object.keys(bundle).filter(name => !name.endsWith('.map') && name !== 'sw.js')
    const names = JSON.stringify(files.sort().map(name => `/${name}`))
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
