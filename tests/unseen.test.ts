// A record that the caller may not see does not exist (`conventions.md`): the permits of one contractor are looked for in everything that others can read.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namesSite } from '../server/base/http.ts'
import { loose } from '../server/base/schema.ts'
import { routes } from '../server/groups.ts'
import { permitWorld } from './permits.ts'
import { pathOf } from './tour.ts'
import { type Caller, useHouse } from './world.ts'

/** What a query must have besides its site. */
const GIVEN: Readonly<Record<string, string>> = {
  from: '2026-03-14T00:00:00.000Z',
  to: '2026-03-16T09:00:00.000Z',
  at: '2026-03-16T09:00:00.000Z',
  date: '2026-03-16',
  work_date: '2026-03-16',
  lon: '-0.0877',
  lat: '51.5079',
  q: 'Bankside',
}

describe('what a person may not see', () => {
  const house = useHouse()

  test('conventions §5 a permit is in no response to someone who can’t see it: not its number, its id or its title', async () => {
    const w = await permitWorld(house)
    const title = 'Weld the zirconium flange'
    const issued = await w.at('issued', { title, categories: ['GEN'] })
    const requested = await w.at('requested', { title: `${title} of line 2` })
    const draft = await w.draft({ title: `${title} of line 3` })
    const wordsOf = (permits: readonly (typeof draft)[]) =>
      permits.flatMap(({ id, title: said, permit_number }) => [id, ...[said, permit_number].filter(word => typeof word === 'string')])
    const stranger = await w.join('member', await w.contractor('Glaziers Ltd'))
    const unseen: [string, Caller, string[]][] = [
      ['the member of another contractor', stranger, [...wordsOf([issued, requested, draft]), title]],
      ['a viewer', w.as('viewer'), wordsOf([requested, draft])],
      ['a reviewer', w.as('hse'), wordsOf([draft])],
    ]
    const answered = new Set<string>()
    for (const route of routes.filter(one => one.method === 'GET')) {
      const { properties = {}, required = [] } = route.query === undefined ? {} : loose(route.query)
      const query = new URLSearchParams(Object.entries(GIVEN).filter(([name]) => required.includes(name)))
      if (properties.site_id !== undefined) query.set('site_id', w.site_id)
      const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '').filter(name => name !== 'site_id')
      for (const id of named.length === 0 ? [''] : named.includes('contractor_id') ? [w.acme] : [issued.id, requested.id, draft.id]) {
        const path = pathOf(route, { site_id: w.site_id, ...Object.fromEntries(named.map(name => [name, id])) })
        for (const [who, caller, words] of unseen) {
          const { status, text } = await caller.get(`${path}?${query}`)
          if (status === 200) answered.add(route.name)
          const [found] = words.filter(word => !path.includes(word) && text.includes(word))
          assert.equal(found, undefined, `${who} reads it at ${path}?${query}: ${text.slice(0, 2000)}`)
        }
      }
    }
    const lists = routes.filter(one => one.method === 'GET' && namesSite(one.query))
    assert.ok(answered.size > lists.length / 2, `${answered.size} of ${lists.length} routes were read`)
  })
})
