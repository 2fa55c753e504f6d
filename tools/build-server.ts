// Builds the service into one file, dist/server/main.js: a start that imports 2,000 files spends most of its time on that (decision 1001); and the programs of its
// child processes into files without TypeScript (decision 1075). `--if-needed`: only what was built from files that have changed.
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT, factsOf, isAsBuilt, MADE_OF, PROGRAMS, programName } from '../server/base/built.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packages of many small files. The others are imported as they are: some find files of their own by their path. */
const PACKED = ['typebox', 'kysely', 'jsts', 'jose']
/** What else it depends on: how it is built, and the packages that npm installed. The last one exists only once it has. */
const ALSO = ['tools/build-server.ts', 'package-lock.json', 'node_modules/.package-lock.json']

/** Returns the path in the package of one of our own modules; null for others. */
function ownFile(id: string): string | null {
  const file = relative(root, id.split('?')[0] ?? id)
  return file.startsWith('..') || file.startsWith('node_modules') || id.startsWith('\0') ? null : file
}

/** Builds entries, by the names of their files, into a folder two levels below the package. */
async function bundle(folder: string, entries: Record<string, string>): Promise<void> {
  if (process.argv.includes('--if-needed') && isAsBuilt(folder)) return
  const { build } = await import('vite')
  const made_of = new Map(ALSO.filter(file => existsSync(`${root}${file}`)).map(file => [file, factsOf(file)]))
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: PACKED },
    build: {
      ssr: true,
      outDir: `${root}${folder}`,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `${root}${file}`])),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
    plugins: [
      {
        name: 'own-files',
        enforce: 'pre',
        // Before it is read, so that an edit during the build counts as one after it.
        load(id) {
          const file = ownFile(id)
          if (file !== null) made_of.set(file, factsOf(file))
        },
        // Migrations, fonts and the programs of child processes are found from the module that needs them, so each keeps its place.
        transform(code, id) {
          const file = ownFile(id)
          if (file === null) return null
          return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(`../../${file}`)}, import.meta.url).href`)
        },
      },
    ],
  })
  writeFileSync(`${root}${folder}${MADE_OF}`, JSON.stringify(Object.fromEntries(made_of)))
}

const programs = globSync('server/**/actions/child.ts', { cwd: root })
await bundle(BUILT, { main: 'server/main.ts' })
await bundle(PROGRAMS, Object.fromEntries(programs.map(file => [programName(file), file])))
