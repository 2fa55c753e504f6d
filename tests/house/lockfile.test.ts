import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

interface Locked {
  version?: string
  integrity?: string
  optional?: boolean
  os?: string[]
  optionalDependencies?: Record<string, string>
}

const read = (): Record<string, Locked> =>
  JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).packages as Record<string, Locked>

describe('the lockfile', () => {
  // npm silently leaves out packages that the registry does not have, and `npm ci` then refuses the whole file (EUSAGE).
  test('the lockfile lists each optional package that another package may need, so that npm ci accepts the lockfile on every platform', () => {
    const locked = read()
    const missing = Object.entries(locked).flatMap(([folder, its]) =>
      Object.keys(its.optionalDependencies ?? {})
        .filter(name => !(`${folder}/node_modules/${name}` in locked) && !(`node_modules/${name}` in locked))
        .map(name => `${folder === '' ? 'package.json' : folder} → ${name}`),
    )
    assert.deepEqual(missing, [])
  })

  // An optional package for another platform can lack its digest: npm never downloaded it on ours.
  test('each package in the lockfile has an exact version, and a digest that npm ci compares unless it is an optional package for one platform', () => {
    const packages = Object.entries(read()).filter(([folder]) => folder !== '')
    assert.ok(packages.length > 100)
    const loose = packages.filter(([, its]) => !/^\d+\.\d+\.\d+/.test(its.version ?? ''))
    const unchecked = packages.filter(
      ([, its]) => !/^sha512-/.test(its.integrity ?? '') && !(its.optional === true && its.os !== undefined),
    )
    assert.deepEqual(
      [...loose, ...unchecked].map(([folder]) => folder),
      [],
    )
  })
})
