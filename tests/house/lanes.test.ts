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
})
