// Everyone asks for the history of every kind of record: the response is never a 500, and never reveals whether an id exists.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Tour } from '../../../../tests/calls.ts'
import { nothing, tour } from '../../../../tests/tour.ts'
import { toured } from '../../../../tests/toured.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'

describe('histories of records of every kind', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  let records: { id: string; kind: string; own_site: boolean }[]
  before(async () => {
    t = await tour(house)
    await t.superadmin.get(`/sites/${t.site_id}`)
    records = await house.rows(
      'select distinct on (kind) id, kind, site_id = $1 as own_site from record_directory order by kind, (site_id = $1) desc, id',
      [t.site_id],
    )
  })
  const ask = (by: Caller, kind: string, id: string) => by.get(`/audit/entity/${kind}/${id}`)

  test('10.11 anyone can ask for the history of any kind; a record that they can’t see looks like one that never existed', async () => {
    assert.ok(records.length > 15 && records.some(({ kind }) => kind === 'user'), records.map(({ kind }) => kind).join())
    const stranger = await t.stranger()
    let seen = 0
    for (const { id, kind } of records) {
      const never = { ...(await ask(stranger, kind, nothing())).body }
      for (const by of [stranger, t.as('viewer'), t.as('admin'), t.superadmin]) {
        const { status, text, body } = await ask(by, kind, id)
        assert.ok(status === 200 || status === 404, `${kind}: ${status} ${text}`)
        if (by === stranger || status === 404) assert.deepEqual([status, body], [404, never], kind)
        if (by === t.superadmin && status === 200) seen++
      }
    }
    assert.ok(seen > 12, `superadmins see ${seen} kinds`)
  })

  test('10.11 people read their own history, superadmins everyone’s, nobody else anyone’s', async () => {
    const id = t.as('viewer').user_id
    for (const [by, status] of [
      [t.as('viewer'), 200],
      [t.superadmin, 200],
      [t.as('admin'), 404],
      [await t.stranger(), 404],
      [house.nobody, 401],
    ] as const) {
      const reply = await ask(by, 'user', id)
      assert.equal(reply.status, status, reply.text)
      if (status === 200) assert.ok(reply.body.length > 0)
    }
  })
})
