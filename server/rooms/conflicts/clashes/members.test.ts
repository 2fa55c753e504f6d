import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { sql } from '../../../base/db.ts'
import { membersOf } from '../../../kernel/predicates/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { thingSide } from '../kit/domain/thing-sides.ts'
import { thingRows } from '../kit/queries/things.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`
const HERE = { point: { lon: -0.0877, lat: 51.5079 } }

describe('things as conditions read them', () => {
  const house = useHouse()

  test('§0.4 a smart group reads the same of a thing in SQL as a clash rule reads of it in memory', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const common = { site_id: w.site_id, contractor_id: w.acme, start_at: at('10:00'), end_at: at('16:00'), place: HERE }
    const by = w.as('coordinator')
    for (const [path, body] of [
      ['/workers/', { name: 'Welders', trade: 'Welder', headcount: 4, permit_id: permit.id }],
      ['/plant/', { name: 'TC1', category: 'tower_crane', last_examined_on: '2025-03-20', permit_id: permit.id }],
      ['/plant/', { name: 'Hoist', category: 'hoist', last_examined_on: '2025-03-20' }],
      ['/plant/', { name: 'Roller', category: 'roller' }],
      ['/active-areas/', { name: 'Bay', area_kind: 'lifting', place: { polygon: boxAt(0, 0, 20) } }],
      ['/deliveries/', { name: 'Gas', supplier_name: 'Gas Ltd', vehicle_kind: 'rigid' }],
    ] as const) {
      const made = await by.post(path, { ...common, ...body })
      assert.equal(made.status, 201, made.text)
    }
    const now = at('09:00')
    house.clock(now)
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test.members' }, w.site_id, async ctx => {
      const moment = at('11:00')
      const day = { from: at('00:00'), to: at('23:00') }
      const sides = (await thingRows(ctx.db, w.site_id, { ...day, near: null }, now)).map(row => thingSide(row, 'Europe/London', now).facts)
      const rows: Record<string, unknown>[] = []
      for (const one of membersOf('entity')) {
        const relation = await one.at(ctx, w.site_id, moment, true)
        rows.push(...(await sql<Record<string, unknown>>`select m.* from ${relation} m`.execute(ctx.db)).rows)
      }
      const sorted = (all: readonly object[]) => all.map(one => JSON.stringify(Object.entries(one).sort())).sort()
      assert.equal(rows.length, 6)
      assert.deepEqual(sorted(rows), sorted(sides))
    })
  })
})
