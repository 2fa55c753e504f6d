import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Generated } from 'kysely'
import { MONDAY, useHouse, type World } from '../../../tests/world.ts'
import { guard } from '../../base/errors.ts'
import { id, instant, name, orNull, recordId, text } from '../../base/schema.ts'
import { rooms } from '../../groups.ts'
import { held } from '../access/domain.ts'
import { type GivenLife, lifeFaults } from '../lifecycle/door.ts'
import { defineRoom, plugRooms } from '../sockets/door.ts'
import { resource } from './door.ts'
import { routesOf } from './kit.ts'

type Stamps = { version: Generated<number>; created_at: Generated<string>; created_by: Generated<string | null> }
declare module '../../base/tables.gen.ts' {
  interface Tables {
    test_leak: Stamps & {
      site_id: string
      id: string
      updated_at: Generated<string>
      updated_by: Generated<string | null>
      deleted_at: string | null
      number: string
      name: string
      status: string
      contractor_id: string | null
      owner_id: string | null
      cause: string | null
      closed_at: string | null
      closed_by: string | null
    }
  }
}

const step = (action: string, from: string, to: string, actor: string, more: object = {}) => ({
  ...{ key: `${action}_${from}`, action, from, to, actor, guards: [], effects: [], requires: [] },
  ...more,
})
const noticed: string[] = []
const either = { own: 'test_leak_edit', any: 'test_leak_manage' }
const leaks = resource({
  kind: 'test_leak',
  path: '/sites/:site_id/test-leaks',
  noun: 'leak',
  shape: 'TestLeak',
  says: 'A leak on the site',
  number: 'LK',
  fields: {
    name: name('Name'),
    contractor_id: orNull(recordId('contractor', 'Contractor in charge')),
    cause: orNull(text('Cause', { max: 200, example: 'Frost' })),
  },
  computed: {
    owner_id: orNull(id('Person who took it on')),
    closed_at: orNull(instant('Closing time')),
    closed_by: orNull(id('Person who closed it')),
  },
  bin: true,
  list: { order: ['number'] },
  access: { view: 'site_view', create: either, change: either, remove: 'test_leak_manage', restore: 'test_leak_manage' },
  lifecycle: {
    graph: {
      states: [
        { key: 'open', label: 'Open', kind: 'initial' },
        { key: 'in_hand', label: 'In hand', kind: 'normal' },
        { key: 'ready', label: 'Ready', kind: 'normal' },
        { key: 'closed', label: 'Closed', kind: 'terminal' },
      ],
      transitions: [
        step('take', 'open', 'in_hand', 'side', { effects: ['own'] }),
        step('report_ready', 'in_hand', 'ready', 'owner', { guards: ['cause_known'] }),
        step('send_back', 'ready', 'in_hand', 'manager', { requires: ['reason'] }),
        step('close', 'ready', 'closed', 'manager'),
      ],
    },
    actors: {
      side: either,
      manager: 'test_leak_manage',
      owner: f => (f.me === f.row.owner_id ? null : guard('owner', 'Only the person who took it can report it ready.')),
    },
    guards: { cause_known: f => (f.row.cause === null ? guard('cause_known', 'Say first what caused the leak.') : null) },
    effects: {
      own: taken => {
        taken.set.owner_id = taken.ctx.actor.id
        taken.payload.note = 'taken'
        taken.more.push(async () => noticed.push(taken.row.number))
      },
    },
    steps: {
      take: { summary: 'Take on a leak', says: 'Takes it.', past: 'taken on', event: { verb: 'taken', says: 'A leak was taken on' } },
      report_ready: {
        summary: 'Report a leak ready',
        says: 'x.',
        past: 'reported ready',
        event: { verb: 'ready', says: 'A leak is ready' },
      },
      send_back: {
        ...{ summary: 'Send a leak back', says: 'x.', past: 'sent back', event: { verb: 'sent_back', says: 'A leak was sent back' } },
        body: { reason: text('Reason', { max: 200, example: 'Still wet' }) },
      },
      close: {
        ...{ summary: 'Close a leak', says: 'x.', past: 'closed', event: { verb: 'closed', says: 'A leak was closed' } },
        body: { cause: text('Cause', { max: 200, example: 'Frost' }), note: text('Note', { max: 200, example: 'Dry' }) },
        writes: ['cause'],
        stamps: { at: 'closed_at', by: 'closed_by' },
        bulk: true,
        passes_lock: true,
      },
    },
    tasks: {
      open: row => ({ kind: 'take_test_leak', bands: ['stage1'], contractor_id: row.contractor_id }),
      ready: () => ({ kind: 'close_test_leak', bands: ['stage1'] }),
    },
  },
})
const task = (kind: string) => ({
  ...{ kind, area: 'test-leaks', title: kind, action_label: 'Do', link_pattern: '/sites/{site_id}/leaks/{subject_id}' },
  ...{
    addressed_to: 'Coordinators',
    manual_resolve: false,
    urgency: 'info' as const,
    resolves_when: 'done',
    falls_back_to: 'stage1' as const,
  },
})
const room = defineRoom({
  name: 'test-leaks',
  says: 'Leaks of a site.',
  kinds: [leaks.kind],
  events: leaks.events,
  tasks: [task('take_test_leak'), task('close_test_leak')],
  permissions: {
    test_leak_edit: held(['member', 'coordinator', 'admin'], 'Edit leaks of one’s own'),
    test_leak_manage: held(['coordinator', 'admin'], 'Manage all leaks'),
  },
})

describe('a plain area with a lifecycle', () => {
  const house = useHouse({}, { more_routes: routesOf(leaks, { order: 'by number' }) })
  before(async () => {
    plugRooms([...rooms, room])
    await house.rows(`create table test_leak (
      site_id uuid not null references site (site_id), id uuid not null, version integer not null, created_at timestamptz(3) not null, created_by uuid,
      updated_at timestamptz(3) not null, updated_by uuid, deleted_at timestamptz(3), number text not null, name text not null, status text not null,
      contractor_id uuid, owner_id uuid, cause text, closed_at timestamptz(3), closed_by uuid, primary key (site_id, id))`)
    await house.rows(`select make_record('test_leak')`)
  })
  after(() => plugRooms(rooms))

  const at = (w: World) => `/sites/${w.site_id}/test-leaks`
  const make = async (w: World, body: Record<string, unknown> = {}, as: 'coordinator' | 'member' = 'coordinator') => {
    const made = await w.as(as).post(at(w), { name: 'Roof', ...body })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const act = (w: World, as: 'coordinator' | 'member' | 'viewer', id: string, verb: string, body: object = {}) =>
    w.as(as).post(`${at(w)}/${id}/${verb}`, body)
  const tasksOf = async (id: string) =>
    (await house.rows('select kind, status from task where subject_id = $1 order by raised_at, kind', [id])).map(
      row => `${row.kind} ${row.status}`,
    )

  test('a record goes from its first state to its last by its steps: columns, stamps, effects by name, events, history and tasks', async () => {
    const w = await house.world()
    const leak = await make(w)
    assert.equal(leak.status, 'open')
    assert.deepEqual(
      ['take', 'report_ready', 'send_back', 'close'].map(action => leak.permissions[`can_${action}`]),
      [true, false, false, false],
    )
    assert.deepEqual(await tasksOf(leak.id), ['take_test_leak open'])
    const taken = await act(w, 'coordinator', leak.id, 'take')
    assert.deepEqual([taken.status, taken.body.status, taken.body.owner_id], [200, 'in_hand', w.as('coordinator').user_id])
    assert.deepEqual(noticed, [leak.number])
    const early = await act(w, 'coordinator', leak.id, 'report-ready')
    assert.deepEqual(
      [early.status, early.body.error.guard, early.body.error.detail],
      [409, 'cause_known', 'Say first what caused the leak.'],
    )
    await w.as('coordinator').patch(`${at(w)}/${leak.id}`, { cause: 'Frost' })
    assert.equal((await act(w, 'coordinator', leak.id, 'report-ready')).body.status, 'ready')
    assert.deepEqual((await tasksOf(leak.id)).sort(), ['close_test_leak open', 'take_test_leak resolved'])
    const unsaid = await act(w, 'coordinator', leak.id, 'send-back')
    assert.deepEqual([unsaid.status, unsaid.body.error.fields[0].path], [422, 'reason'])
    assert.equal((await act(w, 'coordinator', leak.id, 'send-back', { reason: 'Still wet' })).body.status, 'in_hand')
    await act(w, 'coordinator', leak.id, 'report-ready')
    const closed = await act(w, 'coordinator', leak.id, 'close', { cause: 'Burst pipe', note: 'Dry' })
    const { status, cause, closed_at, closed_by } = closed.body
    assert.deepEqual([status, cause, closed_at, closed_by], ['closed', 'Burst pipe', MONDAY, w.as('coordinator').user_id])
    const events = await house.rows('select kind, payload from event where subject_id = $1 order by event_no', [leak.id])
    assert.deepEqual(
      events.map(row => row.kind.replace('test_leak.', '')),
      ['created', 'taken', 'changed', 'ready', 'sent_back', 'ready', 'closed'],
    )
    assert.deepEqual([events[1].payload.from_status, events[1].payload.status], ['open', 'in_hand'])
    const [latest, , back] = (await w.as('admin').get(`/audit/entity/test_leak/${leak.id}`)).body
    assert.deepEqual([latest.action, latest.reason, back.reason], ['transition', 'Dry', 'Still wet'])
    assert.ok((await tasksOf(leak.id)).every(line => line.endsWith('resolved')))
  })

  test('a step that the state, the caller or the body forbids is refused with its reason, and changes nothing; flag and call agree', async () => {
    const w = await house.world()
    const leak = await make(w)
    const early = await act(w, 'coordinator', leak.id, 'close')
    assert.deepEqual(
      [early.status, early.body.error.code, early.body.error.detail],
      [409, 'invalid_transition', 'This leak is open, so it can’t be closed now.'],
    )
    assert.deepEqual(early.body.error.allowed, ['take'])
    assert.equal((await act(w, 'viewer', leak.id, 'take')).status, 403)
    const theirs = await make(w, { contractor_id: await w.contractor('Beam Ltd') })
    const refused = await act(w, 'member', theirs.id, 'take')
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'test_leak_manage'])
    assert.equal((await w.as('member').get(`${at(w)}/${theirs.id}`)).body.permissions.can_take, false)
    assert.equal((await (await w.stranger()).post(`${at(w)}/${leak.id}/take`)).status, 404)
    assert.equal((await act(w, 'coordinator', leak.id, 'close', { colour: 'red' })).status, 422)
    const mine = await make(w, {}, 'member')
    assert.equal((await act(w, 'member', mine.id, 'take')).status, 200)
    const other = await act(w, 'coordinator', mine.id, 'report-ready')
    assert.deepEqual([other.status, other.body.error.guard], [409, 'owner'])
    assert.equal((await w.as('viewer').get(`${at(w)}/${leak.id}`)).body.version, 1)
  })

  test('if two people take the same step at once, one is refused', async () => {
    const w = await house.world()
    const leak = await make(w)
    const both = await Promise.all([1, 2, 3, 4].map(() => act(w, 'coordinator', leak.id, 'take')))
    assert.deepEqual(both.map(r => r.status).sort(), [200, 409, 409, 409])
  })

  test('fields are changed only in the states that allow it, and the flag says why not', async () => {
    const w = await house.world()
    const leak = await make(w, { cause: 'Frost' })
    for (const verb of ['take', 'report-ready', 'close']) assert.equal((await act(w, 'coordinator', leak.id, verb)).status, 200, verb)
    const late = await w.as('coordinator').patch(`${at(w)}/${leak.id}`, { name: 'Wall' })
    assert.deepEqual([late.status, late.body.error.detail], [409, 'This leak is closed, so it can’t be changed now.'])
    const { permissions } = (await w.as('coordinator').get(`${at(w)}/${leak.id}`)).body
    assert.deepEqual([permissions.can_change, permissions.change.because[0].code], [false, 'invalid_transition'])
    assert.deepEqual((await w.as('viewer').get(`${at(w)}?status=closed`)).body.length, 1)
    assert.deepEqual((await w.as('viewer').get(`${at(w)}?status=open&status=ready`)).body, [])
  })

  test('if a step is taken for several records, each has its own result, and a record that the caller can’t see is refused as if it didn’t exist', async () => {
    const w = await house.world()
    const ready = await make(w, { cause: 'Frost' })
    for (const verb of ['take', 'report-ready']) await act(w, 'coordinator', ready.id, verb)
    const open = await make(w)
    const elsewhere = await make(await house.world())
    const done = await w.as('coordinator').post(`${at(w)}/close-bulk`, { ids: [open.id, ready.id, elsewhere.id], note: 'Dry' })
    assert.equal(done.status, 200, done.text)
    assert.deepEqual(done.body.done, [{ id: ready.id, label: ready.number }])
    assert.deepEqual(
      done.body.refused.map((one: { id: string; label: string | null; code: string }) => [one.id, one.label, one.code]).sort(),
      [
        [elsewhere.id, null, 'not_found'],
        [open.id, open.number, 'invalid_transition'],
      ].sort(),
    )
    assert.equal((await w.as('viewer').post(`${at(w)}/close-bulk`, { ids: [open.id] })).status, 403)
    assert.equal((await w.as('coordinator').post(`${at(w)}/close-bulk`, { ids: [] })).status, 422)
  })

  test('on a locked site only the steps that pass the lock are possible, and the flags agree', async () => {
    const w = await house.world()
    const leak = await make(w, { cause: 'Frost' })
    for (const verb of ['take', 'report-ready']) await act(w, 'coordinator', leak.id, verb)
    assert.equal((await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover' })).status, 200)
    const { permissions } = (await w.as('coordinator').get(`${at(w)}/${leak.id}`)).body
    assert.deepEqual([permissions.can_close, permissions.can_send_back, permissions.can_change], [true, false, false])
    assert.equal((await act(w, 'coordinator', leak.id, 'send-back', { reason: 'Wet' })).body.error.reason, 'site_locked')
    assert.equal((await act(w, 'coordinator', leak.id, 'close')).body.status, 'closed')
  })

  test('deleting a record resolves its task, and restoring it raises the task of its state again', async () => {
    const w = await house.world()
    const leak = await make(w)
    await w.as('coordinator').del(`${at(w)}/${leak.id}`)
    assert.deepEqual(await tasksOf(leak.id), ['take_test_leak resolved'])
    assert.equal((await act(w, 'coordinator', leak.id, 'take')).status, 404)
    const [kept] = (await w.as('coordinator').get(`${at(w)}?deleted=true`)).body
    assert.equal(kept.permissions.can_take, false)
    await w.as('coordinator').post(`${at(w)}/${leak.id}/restore`)
    assert.deepEqual((await tasksOf(leak.id)).sort(), ['take_test_leak open', 'take_test_leak resolved'])
  })

  test('a lifecycle with a fault isn’t accepted: unknown and unused words, dead ends, tasks of unknown states', () => {
    const life = leaks.given.lifecycle ?? assert.fail()
    const faults = (more: object) => lifeFaults({ ...life, ...more } as GivenLife<never>) // faulty on purpose
    assert.deepEqual(faults({}), [])
    assert.match(faults({ effects: {} }).join(' '), /The effect “own” is unknown/)
    assert.match(faults({ guards: { ...life.guards, spare: () => null } }).join(' '), /doesn’t use the guard “spare”/)
    assert.match(faults({ steps: { take: life.steps.take } }).join(' '), /The action “close” is unknown/)
    assert.match(faults({ tasks: { gone: () => ({ kind: 'x' }) } }).join(' '), /unknown state “gone”/)
    const graph = { ...life.graph, transitions: life.graph.transitions.filter(t => t.action !== 'close') }
    assert.match(faults({ graph }).join(' '), /Closed can’t be reached/)
  })
})
