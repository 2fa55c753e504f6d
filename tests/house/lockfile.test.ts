import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

interface Locked {
  version?: string
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
})
