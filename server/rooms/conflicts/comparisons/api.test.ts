import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chance, seedOf } from '../../../../tests/chance.ts'
import { type Permit, permitWorld } from '../../../../tests/permits.ts'
import { spot } from '../../../../tests/sides.ts'
import { useHouse } from '../../../../tests/world.ts'

describe('conflicts between permits, in lists and one by one', () => {
  const house = useHouse()

  test('§4.6 a list finds the same conflicts as each permit by itself, before and after every change', async t => {
    const c = chance(seedOf(41, 'changes'))
    t.diagnostic(`SEED=${c.seed}`)
    const w = await permitWorld(house)
    const codes = ['HW', 'CSE', 'WAH', 'EXC', 'LIFT']
    const place = () => {
      const [lon, lat] = spot(c.below(40), c.below(40))
      return { point: { lon, lat } }
    }
    const permits: Permit[] = []
    for (let i = 0; i < 12; i++) {
      const hour = 6 + c.below(8)
      const at = (h: number) => `2026-03-17T${String(h).padStart(2, '0')}:00:00.000Z`
      permits.push(
        await w.at('requested', { categories: [c.of(codes)], place: place(), start_at: at(hour), end_at: at(hour + 1 + c.below(6)) }),
      )
    }
    const hse = w.as('hse')
    const listed = async () => {
      const { body } = await hse.get(`/permits/applications?site_id=${w.site_id}`)
      return new Map((body as Permit[]).map(permit => [permit.id, permit.conflicts]))
    }
    const agrees = async () => {
      const list = await listed()
      for (const { id } of permits) assert.deepEqual(list.get(id), (await w.read({ id }, hse)).conflicts)
      return [...list.values()].flat().length
    }
    const before = await agrees()
    assert.ok(before > 0, 'there is something to compare')
    for (const permit of permits.slice(0, 2)) {
      await w.step(permit, 'withdraw', w.as('member'))
      await agrees()
    }
    const [, , third] = permits
    assert.ok(third !== undefined)
    await w.step(third, 'request-corrections', hse, { note: 'Move it' })
    await w.as('member').patch(`/permits/applications/${third.id}`, { place: place() })
    await agrees()
    const [rule] = ((await hse.get(`/clash-rules?site_id=${w.site_id}`)).body as Permit[]).filter(
      one => one.system_key === 'permit_proximity',
    )
    await hse.patch(`/clash-rules/${rule?.id}`, { outcome: { cells: { '*|*': 'red' } } })
    assert.ok((await agrees()) > 0)
  })
})
