import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readSettings } from '../base/settings.ts'
import { openEngine } from './command.ts'

describe('a command before the first start of the service', () => {
  // The account that runs the database must be able to enter the directory, and nobody else. For root, these are two accounts.
  for (const [what, prepare] of [
    ['that doesn’t exist yet', async () => {}],
    ['that is empty and closed', async (path: string) => void (await mkdir(path, { mode: 0o700 }))],
  ] as const)
    test(`10.9 it creates the database in a data directory ${what}, for its owner only`, async () => {
      const parent = await mkdtemp(join(tmpdir(), 'walkdown-command-'))
      await rm(parent, { recursive: true })
      await mkdir(parent, { mode: 0o755 })
      const DATA_DIR = join(parent, 'data')
      await prepare(DATA_DIR)
      const { engine } = await openEngine(readSettings({ DATA_DIR }), false, () => {})
      try {
        assert.equal((await stat(DATA_DIR)).mode & 0o777, 0o700)
        assert.equal((await stat(join(DATA_DIR, 'pg'))).isDirectory(), true)
      } finally {
        await engine.stop()
        await rm(parent, { recursive: true, force: true })
      }
    })
})
