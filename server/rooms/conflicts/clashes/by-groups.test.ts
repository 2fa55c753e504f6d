import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt, pointAt } from '../../../../tests/geo.ts'
import { CHECKLIST, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Reply, useHouse } from '../../../../tests/world.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`

describe('clash rules by smart groups', () => {
  const house = useHouse()
  const made = async (reply: Promise<Reply>): Promise<{ id: string }> => {
    const { status, body, text } = await reply
    assert.equal(status, 201, text)
    return body
  }
  const trade = (value: string) => ({ field: 'trade', op: 'eq', value })
  const group = (w: PermitWorld, name: string, predicate: unknown) =>
    made(w.as('hse').post('/smart-groups/', { site_id: w.site_id, name, subject: 'entity', visibility: 'shared', predicate }))

  test('§18 a clash rule applies to the members of a group, also through another group, and follows a change of its condition; permits are still compared', async () => {
    const w = await permitWorld(house)
    const [lon, lat] = pointAt(0, 0)
    const common = { site_id: w.site_id, start_at: at('10:00'), end_at: at('12:00') }
    for (const [name, work] of [
      ['Fixers', 'Steel fixer'],
      ['Joiners', 'Joiner'],
    ] as const)
      await made(w.as('coordinator').post('/workers/', { ...common, name, trade: work, place: { point: { lon, lat } } }))
    await made(
      w.as('coordinator').post('/active-areas/', { ...common, name: 'Bay', area_kind: 'laydown', place: { polygon: boxAt(5, 0, 5) } }),
    )
    const steel = await group(w, 'Steel', trade('Steel fixer'))
    const outer = await group(w, 'Rebar', { field: 'group_ids', op: 'overlaps', value: [steel.id] })
    const content = (op: string) => ({
      ...{ a: { kinds: ['worker'] }, b: { kinds: ['active_area'] }, outcome: { severity: 'red' } },
      when: { all: [{ within_m: 10 }, { field: 'a.group_ids', op, value: [outer.id] }] },
    })
    const rule = await made(w.as('hse').post('/clash-rules', { site_id: w.site_id, name: 'Near the bay', ...content('overlaps') }))
    const found = async (): Promise<string[]> => {
      const reply = await w.as('coordinator').get(`/clashes?site_id=${w.site_id}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.body.filter((one: { rule_id: string }) => one.rule_id === rule.id).map(({ a }: { a: { label: string } }) => a.label)
    }
    assert.deepEqual(await found(), ['Fixers'])
    const preview = await w.as('hse').post('/clash-rules/dsl/preview', {
      ...{ site_id: w.site_id, from: at('09:00'), to: at('13:00'), definition: content('disjoint') },
    })
    assert.equal(preview.status, 200, preview.text)
    assert.deepEqual([preview.body.problems, preview.body.matches.red], [[], 1])
    const changed = await w.as('hse').patch(`/smart-groups/${steel.id}`, { predicate: trade('Joiner') })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await found(), ['Joiners'])
    const permit = await w.at('requested', {
      categories: ['HW'],
      start_at: at('10:00'),
      end_at: at('12:00'),
      place: { point: { lon, lat } },
    })
    assert.equal(permit.status, 'requested')
  })
  test('§4.3 a clash rule by a group whose condition asks for live permits follows the permits of its members', async () => {
    const w = await permitWorld(house)
    const [lon, lat] = pointAt(0, 0)
    const common = { site_id: w.site_id, start_at: at('10:00'), end_at: at('18:00') }
    const gang = await made(
      w.as('coordinator').post('/workers/', { ...common, name: 'Fixers', trade: 'Fixer', place: { point: { lon, lat } } }),
    )
    await made(
      w.as('coordinator').post('/active-areas/', { ...common, name: 'Bay', area_kind: 'laydown', place: { polygon: boxAt(5, 0, 5) } }),
    )
    const without = await group(w, 'Without a permit', { field: 'has_live_permit', op: 'eq', value: false })
    const rule = await made(
      w.as('hse').post('/clash-rules', {
        ...{ site_id: w.site_id, name: 'Near the bay', a: { kinds: ['worker'] }, b: { kinds: ['active_area'] } },
        ...{
          when: { all: [{ within_m: 10 }, { field: 'a.group_ids', op: 'overlaps', value: [without.id] }] },
          outcome: { severity: 'red' },
        },
      }),
    )
    const found = async (): Promise<number> => {
      const reply = await w.as('coordinator').get(`/clashes?site_id=${w.site_id}&rule_id=${rule.id}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.body.length
    }
    const permit = await w.at('approved', { start_at: at('09:00'), end_at: at('18:00') })
    const linked = await w.step(permit, 'link', w.as('coordinator'), { entity_type: 'worker', entity_ids: [gang.id] })
    assert.deepEqual([linked.status, await found()], [200, 1])
    await w.step(permit, 'issue', w.issuer)
    assert.equal((await w.step(permit, 'countersign', w.receiver)).body.status, 'issued')
    assert.equal(await found(), 0)
    assert.equal((await w.step(permit, 'close-out', w.as('coordinator'), { checklist: CHECKLIST })).body.status, 'closed')
    assert.equal(await found(), 1)
  })
})
