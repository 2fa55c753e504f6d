import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BUILT, builtService, factsOf, isAsBuilt, MADE_OF, PROGRAMS, programName, programOf } from '../server/base/built.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('11.4 compiled code', () => {
  test('11.4 the second start reads the code that the first one compiled, and compiles again only what has changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-compiled-'))
    try {
      await cp(join(root, 'tools/run.js'), join(folder, 'tools/run.js'))
      await cp(join(root, 'package.json'), join(folder, 'package.json'))
      const part = (value: number) => writeFile(join(folder, 'part.ts'), `export const part: number = ${value}\n`)
      await part(1)
      await writeFile(join(folder, 'main.ts'), "import { part } from './part.ts'\nconsole.log(part)\n")
      const env = { PATH: process.env.PATH ?? '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
      const start = () => {
        const { stdout, stderr } = spawnSync(process.execPath, ['tools/run.js', 'main.ts'], { cwd: folder, env, encoding: 'utf8' })
        return `${stdout}${stderr}`
      }
      const accepted = (said: string, file: string) => said.split('\n').some(line => line.includes(file) && line.includes('was accepted'))
      assert.equal(accepted(start(), 'main.ts'), false)
      const second = start()
      assert.ok(accepted(second, 'main.ts') && accepted(second, 'part.ts'), second)
      await part(2)
      const third = start()
      assert.match(third, /^2$/m)
      assert.ok(accepted(third, 'main.ts') && !accepted(third, 'part.ts'), third)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('11.4 the built service', () => {
  test('11.4 it runs only while every file that it was built from is as it was; otherwise the sources run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-built-'))
    try {
      const here = pathToFileURL(`${folder}/`)
      const file = (name: string) => join(folder, name)
      const found = () => builtService(here)?.href ?? null
      const build = () =>
        writeFile(
          file(`${BUILT}${MADE_OF}`),
          JSON.stringify(Object.fromEntries(['server/a.ts', 'lock.json'].map(name => [name, factsOf(name, here)]))),
        )
      await mkdir(file('server'))
      await mkdir(file(BUILT), { recursive: true })
      await writeFile(file('server/a.ts'), 'export const a = 1')
      await writeFile(file('lock.json'), '{}')
      assert.equal(found(), null, 'nothing was built')
      await build()
      const built = new URL(`${BUILT}main.js`, here).href
      assert.equal(found(), built)
      await writeFile(file('server/a.ts'), 'export const a = 12')
      assert.equal(found(), null, 'a file was edited')
      await build()
      assert.equal(found(), built)
      await utimes(file('lock.json'), 1, 2)
      assert.equal(found(), null, 'a file of the same size was written later')
      await build()
      await rm(file('server/a.ts'))
      assert.equal(found(), null, 'a file is gone')
      for (const broken of ['', '{"server', '[]', '{}', 'null']) {
        await writeFile(file(`${BUILT}${MADE_OF}`), broken)
        assert.equal(found(), null, broken)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('11.4 a child process runs the program that was built, while every file that it was built from is as it was; otherwise its source', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-programs-'))
    try {
      const file = 'server/kernel/imports/actions/child.ts'
      /** Returns what runs in a package that was built (not if null), and whose source was written again since (not if empty). */
      const runs = async (name: string, since: string | null) => {
        const here = pathToFileURL(`${join(folder, name)}/`)
        const path = (of: string) => fileURLToPath(new URL(of, here))
        await mkdir(path('server/kernel/imports/actions'), { recursive: true })
        await mkdir(path(PROGRAMS), { recursive: true })
        await writeFile(path(file), 'export {}')
        if (since !== null) await writeFile(path(`${PROGRAMS}${MADE_OF}`), JSON.stringify({ [file]: factsOf(file, here) }))
        if (since !== null && since !== '') await writeFile(path(file), since)
        return relative(path('.'), programOf(new URL(file, here), here))
      }
      assert.equal(await runs('as-it-was', ''), 'dist/programs/kernel-imports.js')
      assert.equal(await runs('edited', 'export { }'), file)
      assert.equal(await runs('never-built', null), file)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('11.4 each program of a child process has a name of its own, and is found as it was built', () => {
    const programs = globSync('server/**/actions/child.ts', { cwd: root })
    assert.equal(programs.length, 5)
    assert.equal(new Set(programs.map(programName)).size, programs.length)
    const built = isAsBuilt(PROGRAMS)
    for (const file of programs) {
      const runs = relative(root, programOf(new URL(`../${file}`, import.meta.url)))
      assert.equal(runs, built ? `${PROGRAMS}${programName(file)}.js` : file)
      assert.ok(existsSync(join(root, runs)), runs)
    }
  })
})
