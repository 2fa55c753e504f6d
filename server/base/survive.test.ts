import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** Runs this code in a process with the safeguard. */
function inProcess(what: string): { code: number | null; said: string } {
  const script = `
    import pg from 'pg'
    import { surviveDatabase } from './survive.ts'
    surviveDatabase(line => console.log(line.split('\\n')[0]))
    const gone = () => Object.assign(new pg.DatabaseError('terminating connection', 0, 'error'), { code: '57P01' })
    ${what}
    setTimeout(() => console.log('still here'), 50)`
  const { status, stdout } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    cwd: HERE,
    encoding: 'utf8',
  })
  return { code: status, said: stdout }
}

describe('errors that no caller receives', () => {
  test('10.5 a broken connection to the database doesn’t end the process, whether the error is thrown or rejected', () => {
    for (const what of [
      'void Promise.reject(gone())',
      'setImmediate(() => { throw gone() })',
      "import { EventEmitter } from 'node:events'; setImmediate(() => new EventEmitter().emit('error', gone()))",
    ]) {
      const { code, said } = inProcess(what)
      assert.equal(code, 0, said)
      assert.match(said, /the service continues.*terminating connection/)
      assert.match(said, /still here/)
    }
  })

  test('10.5 any other error that nobody caught still ends it', () => {
    for (const what of ["void Promise.reject(new Error('a fault of ours'))", "setImmediate(() => { throw new TypeError('ours') })"]) {
      const { code, said } = inProcess(what)
      assert.equal(code, 1)
      assert.doesNotMatch(said, /still here/)
    }
  })
})
