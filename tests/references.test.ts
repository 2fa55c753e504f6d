// Every id in a body that refers to another record: an id that the site doesn't have gives 422 on that field, whether it exists on another site or nowhere.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { remembered } from '../server/base/memo.ts'
import { type Loose, loose, TARGET, type TSchema } from '../server/base/schema.ts'
import { type Call, type Tour, withPart } from './calls.ts'
import { asked, CALLS, CASES, routeNamed } from './cases.ts'
import { makeCall, nothing, tour } from './tour.ts'
import { toured } from './toured.ts'
import { useHouse } from './world.ts'

type Step = string | 0

/** Paths in a body at which its schema expects an id; the first element represents all elements of a list. */
function idsIn(schema: TSchema | Loose, at: readonly Step[] = []): Step[][] {
  const given = loose(schema)
  const target = given[TARGET] ?? given
  if (target.format === 'uuid') return [[...at]]
  return [
    ...Object.entries(target.properties ?? {}).flatMap(([name, inner]) => idsIn(inner, [...at, name])),
    ...(target.items === undefined ? [] : idsIn(target.items, [...at, 0])),
    ...(target.anyOf ?? []).flatMap(inner => idsIn(inner, at)),
  ]
}

/** Returns the body with this value at the path; a missing list or object is created. */
function withAt(body: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === 0) {
    const [first, ...others] = Array.isArray(body) ? body : []
    return [withAt(first, rest, value), ...others]
  }
  const fields = (body ?? {}) as Record<string, unknown> // a body of the tour
  return { ...fields, [step]: withAt(fields[step], rest, value) }
}

const written = (path: readonly Step[]) => path.join('.')

const cases = [...CALLS.keys()].flatMap(name => {
  const { body } = routeNamed(name)
  return body === undefined
    ? []
    : [...new Map(idsIn(body).map(path => [written(path), path])).values()]
        .filter(path => path.at(-1) !== 'site_id')
        .map(path => ({ name, path, title: `${name} ${written(path)}` }))
})

describe('ids of other records in a body', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  let elsewhere: Tour
  const made = new Map<string, Promise<Call | undefined>>()
  before(async () => {
    t = await tour(house)
    elsewhere = await tour(house)
  })

  test('10.12 many endpoints take ids of other records, and the list of exceptions is current', () => {
    assert.ok(cases.length > 10, `${cases.length} ids`)
    const excepted = [...CASES].flatMap(([name, one]) => Object.keys(one.no_reference ?? {}).map(path => `${name} ${path}`))
    assert.deepEqual(
      excepted.filter(title => !cases.some(one => one.title === title)),
      [],
    )
  })

  for (const { name, path, title } of cases) {
    if (!asked({ name }) || CASES.get(name)?.no_reference?.[written(path)] !== undefined) continue
    test(`10.12 ${title} of another site is refused on that field`, async () => {
      const field = path.findLast(step => step !== 0) ?? ''
      const kind = String(field).replace(/s$/, '')
      // Each of these calls is refused, so all references of an endpoint are tried with one.
      const call = await remembered(made, name, async () => CALLS.get(name)?.(t))
      assert.ok(call)
      for (const id of [elsewhere.params[kind] ?? elsewhere.params.contractor_id, nothing()]) {
        const { [CASES.get(name)?.instead_of?.[written(path)] ?? '']: _, ...sent } = (call.body ?? {}) as Record<string, unknown> // bodies of the tour are objects
        const { status, body, text } = await makeCall(t, routeNamed(name), {
          ...withPart(call, String(field), id),
          body: withAt(sent, path, id),
        })
        assert.equal(status, 422, text)
        const named: string[] = body.error.fields?.map((fault: { path: string }) => fault.path.replace(/\[0\]|\b0\.?/g, '')) ?? []
        assert.ok(
          named.some(one => one.split('.').at(-1) === field),
          `${field} is not among ${text}`,
        )
      }
    })
  }
})
