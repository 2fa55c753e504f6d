// The software bill of materials: every package that the service runs with, as CycloneDX JSON. `npm run sbom [-- FILE]`; without a file, into dist/.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

type Bom = { metadata: { component: { name: string; purl?: string } } & Record<string, unknown> } & Record<string, unknown>

/** Reads the lockfile, so that what is listed is what `npm ci --omit=dev` installs, on every platform alike. */
export function billOfMaterials(): Bom {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['sbom', '--omit', 'dev', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  const bom = JSON.parse(stdout) as Bom // npm's own format
  const { name, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { name: string; version: string } // our own file
  // npm names it after the directory that it stands in.
  Object.assign(bom.metadata.component, { name, purl: `pkg:npm/${name}@${version}` })
  return bom
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = resolve(process.argv[2] ?? `${root}dist/walkdown.cdx.json`)
  const bom = billOfMaterials()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
  console.log(`${file}: ${(bom.components as unknown[]).length} components`)
}
