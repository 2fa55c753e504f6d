// What people are asked while appointments change: the tasks of permits follow both, whichever comes first.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, type Permit, permitWorld } from '../permits.ts'
import { useHouse } from '../world.ts'

describe('appointments that change while permits move on', () => {
  const house = useHouse({}, { pool: 8 })
  const issuers = async (permit: Permit): Promise<string[]> =>
    (await house.rows("select user_ids from task where subject_id = $1 and kind = 'issue_permit' and status = 'open'", [permit.id]))[0]
      ?.user_ids ?? []

  test('1091 people who are appointed at the same time, and while a permit is approved, all get its issue task', async () => {
    const w = await permitWorld(house)
    const permits = [await w.at('approved'), await w.at('endorsed'), await w.at('endorsed')]
    const people = await Promise.all([1, 2, 3, 4, 5, 6].map(n => w.join('member', null, `Issuer ${n}`)))
    const replies = await Promise.all([
      ...people.map(({ user_id }) => w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id })),
      ...permits.slice(1).map(permit => w.step(permit, 'approve', w.as('hse'))),
    ])
    assert.deepEqual([...new Set(replies.map(({ status }) => status))].toSorted(), [200, 201])
    const all = [w.issuer, ...people].map(({ user_id }) => user_id).toSorted()
    for (const permit of permits) assert.deepEqual((await issuers(permit)).toSorted(), all)
  })

  test('1091 a permit that is closed out, or signed by its issuer, while someone is appointed has no open task for that afterwards', async () => {
    const w = await permitWorld(house)
    const live = await Promise.all([1, 2, 3, 4, 5, 6].map(() => w.at('issued')))
    const approved = await Promise.all([1, 2, 3, 4].map(() => w.at('approved')))
    const people = await Promise.all([1, 2, 3, 4].map(n => w.join('member', null, `Issuer ${n}`)))
    const replies = await Promise.all([
      ...people.map(({ user_id }) => w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id })),
      ...live.map(permit => w.step(permit, 'close-out', w.as('coordinator'), { checklist: CHECKLIST })),
      ...approved.map(permit => w.step(permit, 'issue', w.issuer)),
    ])
    assert.deepEqual([...new Set(replies.map(({ status }) => status))].toSorted(), [200, 201])
    const open = await house.rows(
      "select kind, subject_label from task where site_id = $1 and status = 'open' and subject_kind = 'permit'",
      [w.site_id],
    )
    assert.deepEqual(open, [])
  })
})
