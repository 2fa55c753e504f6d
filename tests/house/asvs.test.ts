import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { asvsPage, evidenceFaults, type Requirement, requirements } from '../../tools/gen/asvs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

/** Maximum number of requirements that are not met. Reduce it with each requirement that is newly met. */
const NOT_MET = 1
/** Sections of the standard that ask for documentation; elsewhere a page shows nothing, except for these requirements. */
const DOCUMENTATION = /^V(2\.1|5\.1|6\.1|7\.1|8\.1|11\.1|13\.1|14\.1|15\.1|16\.1)\./
const ABOUT_DOCUMENTS = ['V6.2.10', 'V16.2.3']

/** Levels by requirement, from the list of the standard. */
const standard = new Map(
  read('tests/data/security/asvs-5.0.0.txt')
    .split('\n')
    .filter(line => line.startsWith('V'))
    .flatMap(line => {
      const [section = '', levels = ''] = line.split(' ')
      return [...levels].map((level, i): [string, string] => [`${section}.${i + 1}`, level])
    }),
)

describe('the table of the OWASP ASVS', () => {
  const all = requirements()
  const those = (fits: (one: Requirement) => boolean) => all.filter(fits).map(one => one.id)

  test('10.4 each requirement of levels 1 and 2 is there once, with its level', () => {
    assert.deepEqual([standard.size, [...standard.values()].filter(level => level !== '3').length], [345, 253])
    assert.deepEqual(
      all.map(one => `${one.id} ${one.level}`),
      [...standard].filter(([, level]) => level !== '3').map(([id, level]) => `${id} ${level}`),
    )
  })

  test('10.4 each test and heading that it cites exists; tests show what is met, pages what has to be written down', () => {
    assert.deepEqual(evidenceFaults(), [])
    assert.deepEqual(
      those(one => (one.file !== '') !== (one.status === 'met' || one.status === 'operation')),
      [],
    )
    assert.deepEqual(
      those(one => one.status === 'operation' && one.file !== 'docs/operating.md'),
      [],
    )
    assert.deepEqual(
      those(
        one => one.status === 'met' && !one.file.endsWith('.test.ts') && !DOCUMENTATION.test(one.id) && !ABOUT_DOCUMENTS.includes(one.id),
      ),
      [],
    )
    assert.deepEqual(
      those(one => one.what.length < 5 || one.evidence.length < 4),
      [],
    )
  })

  test('10.4 the number of requirements that are not met never grows', () => {
    assert.equal(all.filter(one => one.status === 'not_met').length, NOT_MET)
  })

  test('10.4 the page equals the one that the table generates', () => {
    assert.equal(read('docs/security/asvs.md'), asvsPage())
  })
})
