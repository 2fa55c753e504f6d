// What commands print, and why an entry can't be reverted, in words.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'
import { rotateKeys } from '../kernel/statements/door.ts'
import { rotated } from './rotate-keys.ts'
import { verdict, verifySite } from './verify.ts'

describe('what commands say', () => {
  const house = useHouse()

  test('10.2 one fault is one fault, two are two faults, and the last line counts what was verified', async () => {
    const w = await house.world()
    const ids = [await w.contractor('Birch Steel'), await w.contractor('Cedar Fixings')]
    const lastOf = async (changed: readonly string[]) => {
      await house.rows('alter table contractor disable trigger user')
      for (const id of changed) await house.rows(`update contractor set name = 'Altered' || short_name where id = $1`, [id])
      await house.rows('alter table contractor enable trigger user')
      const said: string[] = []
      assert.equal(await verifySite(house.house, w.site_id, line => said.push(line)), changed.length === 0)
      return said.at(-1) ?? ''
    }
    assert.match(await lastOf([]), /^ok {5}\S+ head \d+;[0-9a-f]{64}$/)
    assert.equal(await lastOf(ids.slice(0, 1)), `BROKEN ${w.site_id} 1 fault`)
    assert.equal(await lastOf(ids), `BROKEN ${w.site_id} 2 faults`)
    assert.deepEqual(
      [verdict(1, 0), verdict(1, 1), verdict(3, 0), verdict(3, 1)],
      [
        'The audit log and everything it covers were verified.',
        'The verification failed.',
        'All 3 audit logs and everything they cover were verified.',
        'The verification of 1 of 3 audit logs failed.',
      ],
    )
  })

  test('10.2 rotate-keys lists the new key and the earlier ones that it ended or revoked', async () => {
    const w = await house.world()
    const first = await rotateKeys(house.house, w.site_id, null)
    const second = await rotateKeys(house.house, w.site_id, null)
    assert.deepEqual(rotated(second, null), [`New signing key: ${second.kid}.`, `No longer used: ${first.kid}.`])
    const third = await rotateKeys(house.house, w.site_id, 'The disk was stolen')
    const [fresh, revoked = ''] = rotated(third, 'The disk was stolen')
    assert.equal(fresh, `New signing key: ${third.kid}.`)
    assert.match(revoked, /^Revoked: \S+(, \S+)*\.$/)
    for (const { kid } of [first, second]) assert.ok(revoked.includes(kid))
    assert.deepEqual(rotated({ ended: [], kid: 'k' }, null), ['New signing key: k.'])
  })

  test('10.2 a revert that isn’t possible says why: the record was deleted since, or the entry was reverted already', async () => {
    const w = await house.world()
    const admin = w.as('admin')
    const entries = async (id: string, kind = 'contractor') => (await admin.get(`/audit/entity/${kind}/${id}`)).body
    const refusal = async (entry: { id: string }) => {
      const { status, body } = await admin.post(`/audit/revert/${entry.id}`, { reason: 'A slip' })
      assert.equal(status, 409)
      return [body.error.reason, body.error.detail]
    }
    const id = await w.contractor('Birch Steel')
    await admin.patch(`/contractors/${id}`, { short_name: 'BIR9' })
    const [changed] = await entries(id)
    assert.equal((await admin.del(`/contractors/${id}`)).status, 204)
    assert.deepEqual(await refusal(changed), [
      'changed_since',
      'Birch Steel has since been deleted, so this change can’t be reverted. Revert the deletion first.',
    ])
    const [deleted] = await entries(id)
    const back = await admin.post(`/audit/revert/${deleted.id}`, { reason: 'A slip' })
    assert.equal(back.status, 200, back.text)
    assert.equal((await refusal(deleted))[0], 'already_reverted')
  })
})
