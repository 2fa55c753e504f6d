import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Arrived, type Conformity, type Operation, openConformity } from './conformity.ts'
import { useHouse } from './world.ts'

describe('checking responses against the API document', () => {
  const house = useHouse()
  let conformity: Conformity
  let list: Operation
  let create: Operation
  before(async () => {
    conformity = openConformity((await house.nobody.get('/openapi.json')).body)
    const named = (name: string) => conformity.operations.find(one => one.operationId === name) ?? assert.fail(name)
    list = named('contractor.list')
    create = named('contractor.create')
  })
  const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Arrived => ({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    bytes: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
  })

  test('10.4 a status, type, body or header that the document doesn’t have is a fault, and so is a missing one', async () => {
    assert.deepEqual(await conformity.faults(list, reply(200, [])), [])
    for (const wrong of [
      reply(202, []),
      reply(200, [], { 'content-type': 'text/csv' }),
      reply(200, undefined),
      reply(200, [{ id: 'not an id' }]),
      reply(200, [], { 'x-unknown': '1' }),
      reply(429, { error: { code: 'rate_limited', detail: 'Wait a moment.' } }),
      reply(429, { error: { code: 'rate_limited', detail: 'Wait a moment.' } }, { 'retry-after': 'soon' }),
      reply(404, { error: { code: 'no_such_code', detail: 'Gone.' } }),
    ])
      assert.equal((await conformity.faults(list, wrong)).length, 1, `${wrong.status} ${wrong.bytes}`)
  })

  test('10.4 a body and a parameter are checked against their schema', async () => {
    const site_id = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'
    assert.equal(await conformity.bodyFault(create, { site_id, name: 'Birch Steel' }), null)
    for (const wrong of [
      { site_id },
      { site_id: 'x', name: 'Birch' },
      { site_id, name: '' },
      { site_id, name: 'Birch', no_such_field: 1 },
      [],
    ])
      assert.notEqual(await conformity.bodyFault(create, wrong), null, JSON.stringify(wrong))
    assert.equal(await conformity.queryFault(list, 'limit', ['20']), null)
    for (const [name, text] of [
      ['limit', '0'],
      ['limit', 'many'],
      ['site_id', 'x'],
      ['no_such_parameter', '1'],
    ] as const)
      assert.notEqual(await conformity.queryFault(list, name, [text]), null, `${name}=${text}`)
  })

  test('10.4 a person who registers by a link is in the audit log as its holder', async () => {
    const w = await house.world()
    const made = await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'viewer', label: 'Gate' })
    const body = { name: 'Nina New', email: 'nina@example.com', password: 'kelp barn tax window' }
    const joined = await house.nobody.post(`/invite-links/register/${made.body.token}`, body)
    assert.equal(joined.status, 201, joined.text)
    const listed = await w.as('admin').get(`/audit/site/${w.site_id}`)
    const entry = listed.body.find((one: { cause: string }) => one.cause === 'invite.register')
    assert.deepEqual(entry.actor, { kind: 'link', id: null, name: 'invitation link' })
  })
})
