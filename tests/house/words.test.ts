import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { REASONS } from '../../server/base/reasons.ts'
import { rooms } from '../../server/groups.ts'
import { actorOf } from '../../server/kernel/access/domain.ts'
import { allPermissions } from '../../server/kernel/access/door.ts'
import { allEvents } from '../../server/kernel/events/door.ts'
import { allJobs } from '../../server/kernel/jobs/door.ts'
import { allTasks } from '../../server/kernel/tasks/door.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const code = globSync(['server/rooms/**/*.ts', 'server/kernel/**/*.ts'], { cwd: root })
  .filter(file => !file.endsWith('.test.ts'))
  .map(file => readFileSync(`${root}${file}`, 'utf8'))
  .join('\n')
const all = (pattern: RegExp) => [...new Set([...code.matchAll(pattern)].map(found => found[1] ?? ''))].sort()

describe('words', () => {
  test('every emitted event is registered, and every registered one has a sentence', () => {
    const known = new Set(allEvents().map(event => event.kind))
    const emitted = all(/kind: '([a-z_]+\.[a-z_]+)'/g)
    assert.deepEqual(
      emitted.filter(kind => !known.has(kind)),
      [],
    )
    assert.deepEqual(
      allEvents()
        .filter(event => !/^[A-Z].+[^.]$/.test(event.says))
        .map(event => event.kind),
      [],
    )
  })

  test('values in a message are in curly quotation marks, as everywhere else', () => {
    const quoted = code.split('\n').filter(line => /(?<![:=,{])"\$\{/.test(line))
    const straight = quoted.filter(line => !/\betag\b/.test(line) && !/"\$\{\w+\}":/.test(line))
    assert.deepEqual(straight, [])
  })

  test('every task has a text for its button in the app', () => {
    const texts = readFileSync(`${root}web/rooms/messages/tasks/words.ts`, 'utf8')
    assert.deepEqual(
      allTasks().flatMap(({ kind }) => (texts.includes(`'tasks.next.${kind}':`) ? [] : kind)),
      [],
    )
  })

  test('every task that is raised is registered, with its card', () => {
    const known = new Set(allTasks().map(task => task.kind))
    const raised = all(/raiseTask\(ctx, [a-z_.]+, \{ kind: '([a-z_]+)'/g)
    assert.deepEqual(
      raised.filter(kind => !known.has(kind)),
      [],
    )
    for (const task of allTasks())
      assert.ok(task.title && task.action_label && task.link_pattern.includes('{site_id}') && task.resolves_when, task.kind)
  })

  test('every job that is queued is registered', () => {
    const known = new Set(allJobs().map(job => job.kind))
    assert.deepEqual(
      all(/enqueue\('([a-z_]+)'/g).filter(kind => !known.has(kind)),
      [],
    )
  })

  test('every permission that is checked exists', () => {
    const asked = all(/\b(?:can|lacks|holds)\('([a-z0-9_]+)'\)/g)
    assert.deepEqual(
      asked.filter(name => !allPermissions().has(name)),
      [],
    )
  })

  test('§9 a role that lacks a permission reads what it is for, and never its key', () => {
    const person = { id: '00000000-0000-7000-8000-000000000001', name: 'Vic Viewer', is_superadmin: false }
    const actor = actorOf(person, null, allPermissions(), { site_creation: 'superadmin' })
    for (const [key, { says }] of allPermissions()) {
      const detail = actor.lacks(key)?.detail ?? ''
      assert.ok(detail.includes(`“${says}”`), `${key}: ${detail}`)
      assert.doesNotMatch(detail, /[a-z]_[a-z]/)
    }
  })

  test('every reason of a conflict is listed, and every listed one is used', () => {
    const used = all(/conflict\(\s*'([a-z_]+)'/g)
    assert.deepEqual(
      used.filter(reason => !(REASONS as readonly string[]).includes(reason)),
      [],
    )
  })

  test('rooms have the names of the endpoint list', () => {
    const names = rooms.map(room => room.name)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
  })
})
