// How test files are run (tools/testing/lanes.ts): a run that is stopped ends, and starts no other file; a run ends although a test left something open.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('lanes', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`a run that gets ${signal} stops the file that is running and starts no other`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'walkdown-lanes-'))
      const log = join(folder, 'log')
      try {
        // Each file writes its name; the first one never ends.
        const write = (name: string, then: string) =>
          writeFile(
            join(folder, `${name}.mjs`),
            `import { appendFileSync } from 'node:fs'
             import { test } from 'node:test'
             test('waits', () => new Promise(() => {
               appendFileSync(${JSON.stringify(log)}, '${name}')
               console.log('started')
               ${then}
             }))`,
          )
        await write('a', 'setInterval(() => {}, 1000)')
        await write('b', 'process.exit()')
        const files = ['a', 'b'].map(name => join(folder, `${name}.mjs`))
        const runner = `import { runLane, stopLanes } from './tools/testing/lanes.ts'
          process.on('${signal}', stopLanes)
          const done = await runLane(${JSON.stringify(files)}, { env: {}, patterns: [], at_once: true })
          console.log('ended with ' + done.length)`
        const run = spawn(process.execPath, ['--input-type=module', '--eval', runner], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
        let said = ''
        run.stdout.on('data', text => {
          if (!said.includes('started') && String(text).includes('started')) run.kill(signal)
          said += text
        })
        await new Promise(done => run.on('close', done))
        assert.match(said, /ended with 1/)
        assert.equal(await readFile(log, 'utf8'), 'a')
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })

  test('a run ends although a test left something open, and says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-lanes-'))
    try {
      const file = join(folder, 'open.mjs')
      await writeFile(file, `import { test } from 'node:test'\ntest('leaves a timer', () => void setInterval(() => {}, 1000))`)
      const runner = `import { runLane } from './tools/testing/lanes.ts'
        const [done] = await runLane([${JSON.stringify(file)}], { env: { LEFT_OPEN_MS: '100' }, patterns: [], at_once: false })
        console.log(JSON.stringify(done))`
      const run = spawn(process.execPath, ['--input-type=module', '--eval', runner], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      run.stdout.on('data', text => (said += text))
      await new Promise(done => run.on('close', done))
      assert.match(said, /although none of the tests failed/)
      assert.match(said, /left something open: .*Timeout/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('an error that nobody catches fails the test in which it occurs, also when its hooks and other tests pass', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-lanes-'))
    try {
      const file = join(folder, 'stray.mjs')
      await writeFile(
        file,
        `import { beforeEach, describe, test } from 'node:test'
         import { setTimeout as wait } from 'node:timers/promises'
         describe('stray errors', () => {
           beforeEach(() => wait(1))
           test('passes before', () => wait(5))
           test('throws in a timer', async () => { await wait(1); setTimeout(() => { throw new Error('stray 1') }, 1); await wait(50) })
           test('throws in a timer and waits for ever', async () => {
             await wait(1); setTimeout(() => { throw new Error('stray 2') }, 1); await wait(60_000, null, { ref: false })
           })
           test('passes between', () => wait(5))
           test('leaves a promise alone', async () => { await wait(1); void Promise.reject(new Error('stray 3')); await wait(50) })
           test('passes after', () => wait(5))
         })`,
      )
      const runner = `import { runLane } from './tools/testing/lanes.ts'
        const outcomes = await runLane([${JSON.stringify(file)}], { env: {}, patterns: [], at_once: false })
        console.log('outcome ' + JSON.stringify(outcomes.map(({ failed, passed, suites, report }) => ({ failed, passed, suites, report }))))`
      const run = spawn(process.execPath, ['--input-type=module', '--eval', runner], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      run.stdout.on('data', text => (said += text))
      await new Promise(done => run.on('close', done))
      const outcomes = JSON.parse(said.slice(said.lastIndexOf('outcome ') + 'outcome '.length))
      assert.equal(outcomes.length, 1)
      const [{ failed, passed, suites, report }] = outcomes
      assert.deepEqual(failed, ['throws in a timer', 'throws in a timer and waits for ever', 'leaves a promise alone'])
      assert.deepEqual({ passed, suites }, { passed: 3, suites: 1 })
      for (const stray of ['stray 1', 'stray 2', 'stray 3']) assert.match(report, new RegExp(stray))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
