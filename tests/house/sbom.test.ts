import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { billOfMaterials } from '../../tools/sbom.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SCHEMAS = `${root}node_modules/@cyclonedx/cyclonedx-library/res/schema`
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

describe('the software bill of materials', () => {
  const bom = billOfMaterials() as unknown as {
    specVersion: string
    metadata: { component: { name: string } }
    components: { name: string; version: string; hashes?: unknown[]; licenses?: unknown[] }[]
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

  test('10.13 it lists each package that is installed for production, with its digest and licence, and nothing else', () => {
    const { packages } = json(`${root}package-lock.json`) as {
      packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean; name?: string }>
    }
    const wanted = Object.entries(packages)
      .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
      .map(([path, { version, name }]) => `${name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`)
    const listed = bom.components.map(({ name, version }) => `${name}@${version}`)
    assert.deepEqual(
      [...new Set(wanted)].filter(one => !listed.includes(one)),
      [],
    )
    assert.deepEqual(
      listed.filter(one => !wanted.includes(one)),
      [],
    )
    assert.deepEqual(
      bom.components.filter(({ hashes, licenses }) => hashes === undefined || licenses === undefined).map(({ name }) => name),
      [],
    )
  })
})
