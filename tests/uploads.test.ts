// Every call that takes a file says so when there is none (conventions §1, Errors: every fault of the shape at once).
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { routes } from '../server/groups.ts'
import type { Tour } from './calls.ts'
import { asked, CALLS } from './cases.ts'
import { makeCall, tour } from './tour.ts'
import { toured } from './toured.ts'
import { useHouse } from './world.ts'

describe('an upload without its file', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  before(async () => {
    t = await tour(house)
  })

  for (const route of routes.filter(({ upload, name }) => upload !== undefined && CALLS.has(name)).filter(asked))
    test(`conventions §1 ${route.name} is 422 at "file" with the other faults; with JSON in place of a form it is 415`, async () => {
      const call = await CALLS.get(route.name)?.(t)
      assert.ok(call)
      if (call.parts === undefined) return // a call that can also be made in JSON
      const { body, parts } = call
      const fields = [...parts.filter(({ filename }) => filename === undefined), { name: 'no_such_field', value: '1' }]
      const refused = await makeCall(t, route, { ...call, body, parts: fields })
      assert.equal(refused.status, 422, refused.text)
      const paths = refused.body.error.fields.map(({ path }: { path: string }) => path)
      assert.deepEqual(paths.filter((path: string) => ['file', 'no_such_field'].includes(path)).sort(), ['file', 'no_such_field'])
      const { parts: _parts, ...json } = call
      assert.equal((await makeCall(t, route, { ...json, body: body ?? {} })).status, 415)
    })
})
