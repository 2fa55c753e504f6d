import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptySite, type Occupied } from './apart.ts'
import { type Corners, FRAME } from './ground.ts'
import { JOBS } from './jobs.ts'
import { type Plan, planDemo } from './plan.ts'
import { takenByRegister } from './register.ts'
import { STORIES } from './stories.ts'

/** Returns whether a place is inside an outline, or on its edge. */
function surrounds(corners: Corners, [x, y]: readonly [number, number]): boolean {
  let inside = false
  for (const [i, [x1, y1]] of corners.entries()) {
    const [x2, y2] = corners[(i + 1) % corners.length] ?? [x1, y1]
    const off = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    if (Math.abs(off) < 1e-9 && Math.min(x1, x2) <= x && x <= Math.max(x1, x2) && Math.min(y1, y2) <= y && y <= Math.max(y1, y2))
      return true
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}

/** Returns the permits of a plan that take their place at the end of it. */
function counted({ permits, steps }: Plan): { number: number; until: string; work: Occupied }[] {
  const verbs = Map.groupBy(steps, step => step.permit)
  return permits.flatMap(({ job, spot, start_at, end_at, parent, made_of }, number) => {
    const done = (verbs.get(number) ?? []).map(step => step.verb)
    if (!done.includes('submit') || done.some(verb => verb === 'close-out' || verb === 'reject' || verb === 'withdraw')) return []
    const of = { ...(parent === undefined ? {} : { parent }), ...(made_of === undefined ? {} : { made_of }) }
    const to = done.includes('sweep') ? null : end_at
    return [{ number, until: done.at(-1) ?? '', work: { types: job.types, spot, from: start_at, to, ...of } }]
  })
}

/** Counts the conflicts of a plan, with the register. */
function conflictsOf(now: string, plan: Plan) {
  const site = emptySite()
  let [red, amber] = [0, 0]
  const add = (id: number | string, work: Occupied) => {
    const met = site.meets(work)
    red += met.red
    amber += met.amber
    site.put(id, work)
  }
  for (const [i, work] of takenByRegister(now).entries()) add(`register ${i}`, work)
  for (const { number, work } of counted(plan)) add(number, work)
  return { red, amber }
}

const TIMES = ['2026-03-17T10:40:00.000Z', '2026-03-21T23:05:00.000Z', '2026-10-25T01:10:00.000Z', '2027-01-01T05:59:00.000Z']

describe('the places of the demo site', () => {
  test('each drawn place is inside its building or zone, and on a level that the building has', () => {
    for (const { title, spots } of JOBS)
      for (const { says, building, level, zone, at } of spots) {
        const around = FRAME.find(one => (zone === undefined ? one.kind === 'building' && one.code === building : one.code === zone))
        if (building !== undefined) {
          const levels = FRAME.find(one => one.kind === 'building' && one.code === building)?.levels
          assert.ok(levels !== undefined && level !== undefined && level >= levels.from && level <= levels.to, `${title}, ${says}: level`)
        }
        if (at === undefined) continue
        const [x, y, width, height] = at
        for (const corner of [
          [x, y],
          [x + width, y],
          [x, y + height],
          [x + width, y + height],
        ] as const)
          assert.ok(around !== undefined && surrounds(around.corners, corner), `${title}, ${says}: ${corner}`)
      }
  })

  test('most permits have a drawn place; a few have only a level or a zone, and one or two have none', () => {
    for (const now of TIMES) {
      const { permits } = planDemo(now)
      const drawn = permits.filter(one => one.spot.at !== undefined).length
      const unplaced = permits.filter(({ spot }) => spot.at === undefined && spot.building === undefined && spot.zone === undefined).length
      assert.ok(drawn > permits.length * 0.8 && permits.length - drawn - unplaced >= 2, `${drawn} of ${permits.length} drawn`)
      assert.ok(unplaced <= 4, `${unplaced} without a place`)
    }
  })
})

describe('the conflicts of the plan', () => {
  for (const now of TIMES)
    test(`at ${now} the site is well planned: a handful of red conflicts between permits, and a few dozen amber ones`, () => {
      const { red, amber } = conflictsOf(now, planDemo(now))
      assert.ok(red >= 4 && red <= 12, `${red} red`)
      assert.ok(amber >= 10 && amber <= 50, `${amber} amber`)
    })

  test('its red conflicts include hot work above a confined space: approved despite it with the reason, and waiting for approval', () => {
    const site = emptySite()
    const plan = planDemo(TIMES[0] ?? '')
    const parts = counted(plan).slice(0, STORIES.length)
    const reds = parts.map(({ number, until, work }) => {
      const { red } = site.meets(work)
      site.put(number, work)
      return red > 0 ? `${work.types.join()} ${until}` : null
    })
    assert.deepEqual(
      reds.filter(said => said !== null),
      ['HW countersign', 'HW endorse', 'LIFT submit', 'EXC submit'],
    )
    const [, live] = STORIES
    const approval = plan.steps.find(step => step.permit === 1 && step.verb === 'approve')
    assert.equal(approval?.body?.red_conflict_reason, live?.despite)
    assert.deepEqual(parts[0]?.work.types, ['CSE'])
  })
})
