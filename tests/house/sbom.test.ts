import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { billOfMaterials } from '../../tools/sbom.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SCHEMAS = `${root}node_modules/@cyclonedx/cyclonedx-library/res/schema`
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

type Locked = {
  name?: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

describe('the software bill of materials', () => {
  const bom = billOfMaterials() as unknown as {
    specVersion: string
    metadata: { component: { name: string } }
    components: { name: string; version: string; hashes?: unknown[]; licenses?: unknown[]; scope: string }[]
  }

  test('10.13 it is valid by the schema of CycloneDX', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(json(`${SCHEMAS}/${name}.SNAPSHOT.schema.json`), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
    const valid = ajv.compile(json(`${SCHEMAS}/bom-${bom.specVersion}.SNAPSHOT.schema.json`))
    assert.ok(valid(bom), JSON.stringify(valid.errors?.slice(0, 5)))
    assert.equal(bom.metadata.component.name, 'walkdown')
    assert.ok(!valid({ ...bom, components: [{ name: 'nameless' }] }), 'the schema refuses what is none')
  })

  test('10.13 it lists each package that production needs, with its digest and licence, and none for development', () => {
    // The packages are found from package.json by what each one requires, as npm does, and not by the flags in the lockfile.
    const { packages } = json(`${root}package-lock.json`) as { packages: Record<string, Locked> }
    const wanted = new Set<string>()
    const seen = new Set<string>()
    const walk = (names: Record<string, string> | undefined, from: string): void => {
      for (const name of Object.keys(names ?? {})) {
        let at = from
        while (at !== '' && packages[`${at}/node_modules/${name}`] === undefined)
          at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : ''
        const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
        const locked = packages[path]
        if (locked === undefined || seen.has(path)) continue
        seen.add(path)
        wanted.add(`${locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${locked.version}`)
        walk({ ...locked.dependencies, ...locked.optionalDependencies }, path)
      }
    }
    const own = packages['']
    assert.ok(own)
    walk({ ...own.dependencies, ...own.optionalDependencies }, '')
    const listed = bom.components.map(({ name, version }) => `${name}@${version}`)
    assert.ok(listed.includes('fastify@5.12.8') && !listed.some(one => /^(@redocly|@stoplight|@biomejs|playwright)/.test(one)))
    assert.deepEqual(
      [...wanted].filter(one => !listed.includes(one)),
      [],
    )
    assert.deepEqual(
      bom.components
        .filter(({ hashes, licenses, scope }) => scope === 'required' && (hashes === undefined || licenses === undefined))
        .map(({ name }) => name),
      [],
    )
  })
})
