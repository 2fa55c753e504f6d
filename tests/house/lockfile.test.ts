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
  // npm leaves out what the registry at hand does not hold, says nothing, and `npm ci` then refuses the whole file (EUSAGE).
  test('names each optional package that a package may bring, so that npm ci takes it on every platform', () => {
    const locked = read()
    const missing = Object.entries(locked).flatMap(([folder, its]) =>
      Object.keys(its.optionalDependencies ?? {})
        .filter(name => !(`${folder}/node_modules/${name}` in locked) && !(`node_modules/${name}` in locked))
        .map(name => `${folder === '' ? 'package.json' : folder} → ${name}`),
    )
    assert.deepEqual(missing, [])
  })
})
