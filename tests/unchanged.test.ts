// A change that changes nothing leaves nothing: no version, no entry in the audit log, no event (conventions §1).
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { routes } from '../server/groups.ts'
import type { Call, Tour } from './calls.ts'
import { asked, CALLS } from './cases.ts'
import { makeCall, tour } from './tour.ts'
import { toured } from './toured.ts'
import { useHouse } from './world.ts'

/** An equal value makes a version of these all the same: a clean-up joins those of features (`map.md` §1), and a workflow is published on purpose (decision 1069). */
const VERSIONED = ['reference_feature.change', 'permit_workflow.publish']
const IN_PLACE = ['PATCH', 'PUT']

describe('a change that changes nothing', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  before(async () => {
    t = await tour(house)
  })

  /** What every write moves: the numbers of each site’s audit log, events and map. */
  const heads = async () => await house.rows('select site_id, seq, event_no, revision from site_head order by site_id')

  for (const route of routes.filter(({ method, name }) => IN_PLACE.includes(method) && CALLS.has(name)).filter(asked)) {
    test(`${route.name}, sent again or with no field, leaves no version, audit entry or event`, async () => {
      const call = await CALLS.get(route.name)?.(t)
      assert.ok(call)
      const first = await makeCall(t, route, call)
      assert.ok(first.status < 300, first.text)
      const then = await heads()
      const same = async (body: Call['body'], what: string) => {
        const again = await makeCall(t, route, { ...call, body })
        assert.ok(again.status < 300 || again.status === 422, `${what}: ${again.status} ${again.text}`)
        assert.deepEqual(await heads(), then, `${what} wrote something`)
        if (again.status < 300) assert.equal(again.body?.version, first.body?.version, `${what} raised the version`)
      }
      if (!VERSIONED.includes(route.name)) await same(call.body, 'the same body')
      await same({}, 'an empty body')
    })
  }
})
