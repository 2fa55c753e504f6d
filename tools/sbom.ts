// The software bill of materials: every package that the service runs with, as CycloneDX JSON. `npm run sbom [-- FILE]`; without a file, into dist/.
// Made from the lockfile, so that it lists what `npm ci --omit=dev` installs, on every platform. `npm sbom --omit dev` leaves out packages that
// development uses, too (npm 11).
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

type Locked = {
  name?: string
  version: string
  license?: string
  integrity?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Component = Record<string, unknown> & { 'bom-ref': string; name: string; version: string }
type Bom = Record<string, unknown> & { specVersion: string; metadata: { component: { name: string } }; components: Component[] }

const json = <T>(file: string) => JSON.parse(readFileSync(`${root}${file}`, 'utf8')) as T // our own files
const nameIn = (path: string, { name }: Locked) => name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Packages of production by their place in the lockfile. What it calls `devOptional` is for development, and optional in production. */
export const productionPackages = (): [string, Locked][] =>
  Object.entries(json<{ packages: Record<string, Locked> }>('package-lock.json').packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true,
  )

/** The bill: the same for the same lockfile. */
export function billOfMaterials(): Bom {
  const { name, version, dependencies } = json<Locked & { name: string }>('package.json')
  const packages = new Map(productionPackages())
  /** The package that a name means at a place: as Node looks for it, from there upwards. */
  const found = (wanted: string, from: string): string | null => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const place = `${at === '' ? '' : `${at}/`}node_modules/${wanted}`
      const locked = packages.get(place)
      if (locked !== undefined) return purlOf(nameIn(place, locked), locked.version)
      if (at === '' || !at.includes('/node_modules/')) {
        const top = packages.get(`node_modules/${wanted}`)
        return top === undefined ? null : purlOf(nameIn(`node_modules/${wanted}`, top), top.version)
      }
    }
  }
  const own = purlOf(name, version)
  const components = new Map<string, Component>()
  const needs = new Map<string, Set<string>>()
  const need = (ref: string, names: Record<string, string> | undefined, from: string) => {
    const all = needs.get(ref) ?? new Set<string>()
    for (const wanted of Object.keys(names ?? {})) {
      const purl = found(wanted, from)
      if (purl !== null) all.add(purl)
    }
    needs.set(ref, all)
  }
  need(own, dependencies, '')
  for (const [path, locked] of packages) {
    const named = nameIn(path, locked)
    const purl = purlOf(named, locked.version)
    const [, digest] = /^sha512-(.+)$/.exec(locked.integrity ?? '') ?? []
    components.set(purl, {
      type: 'library',
      'bom-ref': purl,
      name: named,
      version: locked.version,
      scope: locked.optional === true || locked.devOptional === true ? 'optional' : 'required',
      ...(digest === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
      ...(locked.license === undefined ? {} : { licenses: [{ license: { name: locked.license } }] }),
      purl,
    })
    need(purl, { ...locked.dependencies, ...locked.optionalDependencies }, path)
  }
  const content = {
    metadata: { component: { type: 'application', 'bom-ref': own, name, version, purl: own } },
    components: [...components.values()],
    dependencies: [...needs].map(([ref, on]) => ({ ref, dependsOn: [...on] })),
  }
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const serial = `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serial, version: 1, ...content }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = resolve(process.argv[2] ?? `${root}dist/walkdown.cdx.json`)
  const bom = billOfMaterials()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
  console.log(`${file}: ${bom.components.length} components`)
}
