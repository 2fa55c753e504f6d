import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Generated } from 'kysely'
import { MONDAY, useHouse, type World } from '../../../tests/world.ts'
import { flag, integer, name, orNull, recordId } from '../../base/schema.ts'
import { rooms } from '../../groups.ts'
import { held } from '../access/domain.ts'
import { filters } from '../listing/door.ts'
import { defineRoom, plugRooms } from '../sockets/door.ts'
import { resource } from './door.ts'
import { routesOf } from './kit.ts'

type Stamps = { version: Generated<number>; created_at: Generated<string>; created_by: Generated<string | null> }
declare module '../../base/tables.gen.ts' {
  interface Tables {
    test_gate: Stamps & {
      site_id: string
      id: string
      updated_at: Generated<string>
      updated_by: Generated<string | null>
      deleted_at: string | null
      number: string
      name: string
      contractor_id: string | null
      width_m: number | null
      wide: boolean
      hours: unknown
    }
  }
}

const noticed: string[] = []
const gates = resource({
  kind: 'test_gate',
  path: '/sites/:site_id/test-gates',
  noun: 'gate',
  shape: 'TestGate',
  says: 'A gate of the site',
  number: 'GT',
  fields: {
    name: name('Name'),
    contractor_id: orNull(recordId('contractor', 'Contractor in charge')),
    width_m: orNull(integer('Width, metres', { min: 1, max: 100 })),
  },
  computed: { wide: flag('Whether a lorry can pass') },
  unique: ['name'],
  bin: true,
  list: {
    order: ['?last width_m', 'lower(name)'],
    search: ['name'],
    filters: {
      contractor_id: filters.among('Contractors'),
      name: filters.oneOf(['North', 'South', 'East'], 'Names'),
      wide: filters.flag('Whether a lorry can pass'),
      before: filters.before('created_at', 'Created before this instant'),
    },
  },
  access: {
    view: 'site_view',
    create: { own: 'test_gate_edit', any: 'test_gate_manage' },
    change: { own: 'test_gate_edit', any: 'test_gate_manage' },
    remove: { own: 'test_gate_edit', any: 'test_gate_manage' },
    restore: 'test_gate_manage',
  },
  hooks: {
    faults: (_ctx, next) => (next.width_m === 13 ? [{ path: 'width_m', message: 'is unlucky.' }] : []),
    derive: (_ctx, next) => ({ wide: (next.width_m ?? 0) >= 4 }),
    after: (_ctx, row, was) => {
      noticed.push(`${was === null ? 'created' : row === null ? 'deleted' : 'changed'}`)
    },
  },
})
const room = defineRoom({
  name: 'test-gates',
  says: 'Gates of a site.',
  kinds: [gates.kind],
  events: gates.events,
  uses: gates.uses,
  permissions: {
    test_gate_edit: held(['member', 'coordinator', 'admin'], 'Edit gates of one’s own'),
    test_gate_manage: held(['coordinator', 'admin'], 'Edit all gates'),
  },
})

describe('a plain area', () => {
  const house = useHouse({}, { more_routes: routesOf(gates, { order: 'the narrowest first' }) })
  before(async () => {
    plugRooms([...rooms, room])
    await house.rows(`create table test_gate (
      site_id uuid not null references site (site_id), id uuid not null, version integer not null, created_at timestamptz(3) not null, created_by uuid,
      updated_at timestamptz(3) not null, updated_by uuid, deleted_at timestamptz(3), number text not null, name text not null, contractor_id uuid, width_m integer,
      wide boolean not null, primary key (site_id, id))`)
    await house.rows(`select make_record('test_gate')`)
  })
  after(() => plugRooms(rooms))

  const at = (w: World) => `/sites/${w.site_id}/test-gates`
  const make = async (w: World, body: Record<string, unknown>, as: 'coordinator' | 'member' = 'coordinator') => {
    const made = await w.as(as).post(at(w), body)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  test('a new record is returned with its number, computed fields, flags, version and URL', async () => {
    const w = await house.world()
    const made = await w.as('coordinator').post(at(w), { name: 'North', width_m: 5 })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.location, `/api${at(w)}/${made.body.id}`)
    assert.deepEqual([made.body.number, made.body.wide, made.body.contractor_id, made.body.version], ['GT-000001', true, null, 1])
    const one = await w.as('viewer').get(`${at(w)}/${made.body.id}`)
    assert.equal(one.headers.etag, '"1"')
    assert.deepEqual([one.body.permissions.can_change, one.body.permissions.change.because[0].code], [false, 'forbidden'])
    assert.equal((await w.as('viewer').post(at(w), { name: 'South' })).status, 403)
    assert.equal((await (await w.stranger()).get(`${at(w)}/${made.body.id}`)).status, 404)
    const [event] = await house.rows(`select kind, subject_label from event where subject_id = $1`, [made.body.id])
    assert.deepEqual(event, { kind: 'test_gate.created', subject_label: 'GT-000001' })
  })

  test('the list can be filtered by record, by value, by flag and by time; text is found whatever its case, and % stands for itself', async () => {
    const w = await house.world()
    const own = await w.contractor('Acme Fencing')
    await make(w, { name: 'North', width_m: 5, contractor_id: own })
    await make(w, { name: 'South', width_m: 2 })
    await make(w, { name: 'West 100%' })
    const names = async (query: string) => {
      const found = await w.as('viewer').get(`${at(w)}?${query}`)
      assert.equal(found.status, 200, found.text)
      assert.equal(found.headers['x-total-count'], String(found.body.length))
      return found.body.map((one: { name: string }) => one.name)
    }
    assert.deepEqual(await names(`contractor_id=${own}`), ['North'])
    assert.deepEqual(await names('name=South&name=East'), ['South'])
    assert.deepEqual([await names('wide=true'), await names('wide=false')], [['North'], ['South', 'West 100%']])
    assert.deepEqual([await names(`before=${MONDAY}`), (await names('before=2126-01-01T00:00:00Z')).length], [[], 3])
    assert.deepEqual([await names('q=OUT'), await names('q=%25'), await names('q=_')], [['South'], ['West 100%'], []])
  })

  test('a refusal lists every fault at once, and nothing is changed', async () => {
    const w = await house.world()
    const bad = await w.as('coordinator').post(at(w), { name: 'North', contractor_id: w.site_id, width_m: 13 })
    assert.deepEqual([bad.status, bad.body.error.fields.map((f: { path: string }) => f.path)], [422, ['contractor_id', 'width_m']])
    assert.equal((await w.as('coordinator').post(at(w), { width_m: 3 })).status, 422)
    assert.equal((await w.as('coordinator').post(at(w), { name: 'x', colour: 'red' })).status, 422)
    assert.deepEqual((await w.as('viewer').get(at(w))).body, [])
  })

  test('a PATCH changes only the fields that are sent; the body of a GET can be sent as a PATCH; unchanged values make no audit entry', async () => {
    const w = await house.world()
    const gate = await make(w, { name: 'North', width_m: 5 })
    const path = `${at(w)}/${gate.id}`
    const changed = await w.as('coordinator').patch(path, { width_m: 2 }, { 'if-match': '"1"' })
    assert.deepEqual([changed.status, changed.body.name, changed.body.wide, changed.body.version], [200, 'North', false, 2])
    assert.equal((await w.as('coordinator').patch(path, { width_m: 3 }, { 'if-match': '"1"' })).status, 412)
    assert.equal((await w.as('coordinator').patch(path, changed.body)).body.version, 2)
    assert.equal((await w.as('coordinator').patch(path, { width_m: null })).body.width_m, null)
    const history = (await w.as('admin').get(`/audit/entity/test_gate/${gate.id}`)).body
    assert.equal(history.length, 3)
  })

  test('a name that is taken is refused, whatever its case, even if several people send it at once', async () => {
    const w = await house.world()
    const gate = await make(w, { name: 'North' })
    const same = await w.as('coordinator').post(at(w), { name: 'NORTH' })
    assert.deepEqual([same.status, same.body.error.reason, same.body.error.existing_id], [409, 'key_taken', gate.id])
    const both = await Promise.all([1, 2, 3].map(() => w.as('coordinator').post(at(w), { name: 'South' })))
    assert.deepEqual(both.map(r => r.status).sort(), [201, 409, 409])
    const numbers = (await house.rows('select number from test_gate where site_id = $1 order by number', [w.site_id])).map(r => r.number)
    assert.deepEqual(numbers, ['GT-000001', 'GT-000002'], 'a refused record takes no number')
  })

  test('people edit their own records and those of their contractor; others need the permission for all', async () => {
    const w = await house.world()
    const other = await w.contractor('Beam Ltd')
    const theirs = await make(w, { name: 'Theirs', contractor_id: other })
    const refused = await w.as('member').patch(`${at(w)}/${theirs.id}`, { width_m: 2 })
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'test_gate_manage'])
    assert.equal((await w.as('member').del(`${at(w)}/${theirs.id}`)).status, 403)
    const mine = await make(w, { name: 'Mine' }, 'member')
    assert.equal((await w.as('member').patch(`${at(w)}/${mine.id}`, { width_m: 2 })).status, 200)
    assert.equal((await w.as('member').patch(`${at(w)}/${mine.id}`, { contractor_id: other })).status, 422)
    const [own] = await house.rows('select contractor_id from membership where site_id = $1 and user_id = $2', [
      w.site_id,
      w.as('member').user_id,
    ])
    const ours = await make(w, { name: 'Ours', contractor_id: own.contractor_id })
    assert.equal((await w.as('member').patch(`${at(w)}/${ours.id}`, { width_m: 2 })).status, 200)
    const flags = (await w.as('member').get(at(w))).body.map((gate: { name: string; permissions: { can_change: boolean } }) => [
      gate.name,
      gate.permissions.can_change,
    ])
    assert.deepEqual(Object.fromEntries(flags), { Theirs: false, Mine: true, Ours: true })
  })

  test('a deleted record is in the bin until it is restored; its name is free meanwhile', async () => {
    const w = await house.world()
    const gate = await make(w, { name: 'North' })
    const path = `${at(w)}/${gate.id}`
    assert.equal((await w.as('coordinator').del(path)).status, 204)
    assert.equal((await w.as('coordinator').del(path)).status, 404)
    assert.equal((await w.as('coordinator').get(path)).status, 404)
    assert.deepEqual((await w.as('viewer').get(at(w))).body, [])
    assert.deepEqual((await w.as('viewer').get(`${at(w)}?deleted=true`)).body, [], 'the bin is for those who can restore')
    const [kept] = (await w.as('coordinator').get(`${at(w)}?deleted=true`)).body
    assert.deepEqual([kept.id, kept.permissions.can_restore, kept.permissions.can_change], [gate.id, true, false])
    await make(w, { name: 'North' })
    assert.equal((await w.as('coordinator').post(`${path}/restore`)).body.error.reason, 'key_taken')
    assert.equal((await w.as('member').post(`${path}/restore`)).status, 403)
    assert.deepEqual(noticed.slice(-2), ['deleted', 'created'])
  })

  test('pages follow the order, with empty values where the order says; search ignores case and accents', async () => {
    const w = await house.world()
    for (const [title, width_m] of [
      ['b', null],
      ['a', null],
      ['C', 3],
      ['é', 3],
      ['d', 1],
    ] as const)
      await make(w, { name: title, width_m })
    const names: string[] = []
    let path: string | null = `${at(w)}?limit=2`
    while (path !== null) {
      const found = await w.as('viewer').get(path)
      assert.equal(found.headers['x-total-count'], '5')
      names.push(...found.body.map((gate: { name: string }) => gate.name))
      const next = found.headers['x-next-cursor'] ?? /cursor=([^&>]+)/.exec(String(found.headers.link ?? ''))?.[1]
      path = next === undefined ? null : `${at(w)}?limit=2&cursor=${String(next)}`
    }
    assert.deepEqual(names, ['d', 'C', 'é', 'a', 'b'])
    assert.deepEqual((await w.as('viewer').get(`${at(w)}?q=É`)).body.length, 1)
    assert.equal((await w.as('viewer').get(`${at(w)}?cursor=nonsense`)).status, 422)
  })

  test('records that others refer to can’t be deleted, and the refusal counts them', async () => {
    const w = await house.world()
    const contractor_id = await w.contractor('Beam Ltd')
    await make(w, { name: 'North', contractor_id })
    const refused = await w.as('admin').del(`/contractors/${contractor_id}`)
    assert.deepEqual([refused.status, refused.body.error.in_use], [409, { test_gates: 1 }])
  })

  test('a change is reverted from the audit log', async () => {
    const w = await house.world()
    const gate = await make(w, { name: 'North', width_m: 5 })
    await w.as('coordinator').patch(`${at(w)}/${gate.id}`, { width_m: 2 })
    const [latest] = (await w.as('admin').get(`/audit/entity/test_gate/${gate.id}`)).body
    const done = await w.as('admin').post(`/audit/revert/${latest.id}`, { reason: 'Wrong gate' })
    assert.equal(done.status, 200, done.text)
    assert.equal((await w.as('viewer').get(`${at(w)}/${gate.id}`)).body.width_m, 5)
  })
})
