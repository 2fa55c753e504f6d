// Rules of the conventions that every endpoint has in common, proved over all of them: a new endpoint is asked without anyone adding it here.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from '../server/base/http.ts'
import { loose } from '../server/base/schema.ts'
import { routes as all } from '../server/groups.ts'
import type { Call, Tour } from './calls.ts'
import { asked, CALLS, CASES } from './cases.ts'
import { makeCall, paramsOf, pathOf, tour } from './tour.ts'
import { type Reply, useHouse } from './world.ts'

const routes = all.filter(asked)
const fieldsOf = (schema: Route['query']) => loose(schema).properties ?? {}
const pathsIn = ({ body }: Reply): string[] => (body?.error?.fields ?? []).map((field: { path: string }) => field.path)

describe('the conventions, over every endpoint', () => {
  const house = useHouse()
  let t: Tour
  before(async () => {
    t = await tour(house)
  })

  const called = async (route: Route): Promise<{ call: Call; done: Reply } | null> => {
    const call = CASES.get(route.name)?.ends_site ? undefined : await CALLS.get(route.name)?.(t)
    if (call === undefined) return null
    const done = await makeCall(t, route, call)
    assert.ok(done.status < 300, `${route.name}: ${done.status} ${done.text}`)
    return { call, done }
  }

  test('conventions §1 Bodies: what a GET of a record shows can be sent back to its PATCH as it is, and a field that the record doesn’t have is refused', async () => {
    // A body that says first what it is can’t be what a GET shows.
    const without = new Set(['floor_plan.place', 'notification_preference.set'])
    let sent = 0
    for (const route of routes.filter(({ method, name }) => method === 'PATCH' && !without.has(name))) {
      const made = await called(route)
      if (made === null) continue
      const { call } = made
      const reading = all.find(({ method, path }) => method === 'GET' && path === route.path)
      const query = fieldsOf(reading?.query).site_id === undefined ? '' : `?site_id=${t.site_id}`
      const shown =
        reading === undefined
          ? made.done
          : await call.by.get(`${pathOf(reading, { ...paramsOf(reading, t.params), ...call.params })}${query}`)
      assert.equal(shown.status, 200, `${route.name}: ${shown.text}`)
      const again = await makeCall(t, route, { ...call, body: shown.body })
      assert.equal(again.status, 200, `${route.name}: ${again.text}`)
      const more = await makeCall(t, route, { ...call, body: { ...shown.body, no_such_field: 1 } })
      assert.deepEqual([more.status, pathsIn(more)], [422, ['no_such_field']], `${route.name}: ${more.text}`)
      sent++
    }
    assert.ok(sent > 15 || routes.length < all.length, `only ${sent} were sent back`)
  })

  test('conventions §1 Bodies: a step without fields of its own accepts an empty body, and refuses a field that its record doesn’t have', async () => {
    let sent = 0
    for (const route of routes) {
      if (route.method === 'GET' || route.method === 'DELETE' || route.body !== undefined || route.raw || route.upload) continue
      const call = await CALLS.get(route.name)?.(t)
      if (call === undefined) continue
      const strange = await makeCall(t, route, { ...call, body: { no_such_field: 1 } })
      assert.deepEqual([strange.status, pathsIn(strange)], [422, ['no_such_field']], `${route.name}: ${strange.text}`)
      const empty = await makeCall(t, route, { ...call, body: '' }, { headers: { 'content-type': 'application/json' } })
      assert.ok(empty.status < 300, `${route.name}: ${empty.text}`)
      sent++
    }
    assert.ok(sent > 5 || routes.length < all.length, `only ${sent} were sent`)
  })
})
