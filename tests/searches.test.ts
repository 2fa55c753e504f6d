// Every search of a list (`q`) ignores case and accents, by one function of the database or its twin in the service.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../bench/record.ts'
import { namesSite, type Route } from '../server/base/http.ts'
import { loose } from '../server/base/schema.ts'
import { routes } from '../server/groups.ts'
import { searchable } from '../shared/text.ts'
import { asked, CASES } from './cases.ts'
import { paramsOf, pathOf, tour } from './tour.ts'
import { toured } from './toured.ts'
import { useHouse } from './world.ts'

/** A search that another service answers. */
const ELSEWHERE = ['site.geocode']
/** Lists that are filtered in memory: their own tests search them. */
const IN_MEMORY = ['clash_rule.list', 'notification_rule.list', 'rule_profile.list_rules']
const searches = (route: Route): boolean =>
  route.method === 'GET' && loose(route.query).properties?.q !== undefined && ![...ELSEWHERE, ...IN_MEMORY].includes(route.name)

describe('searches of lists', () => {
  const house = useHouse({}, { prepared: toured })

  test('1111 every search of a list ignores accents', async () => {
    const t = await tour(house)
    const lists = routes.filter(searches).filter(asked)
    assert.ok(process.env.WALKDOWN_TEST_ROOMS !== undefined || lists.length > 15, `${lists.length} lists`)
    for (const route of lists) {
      const query = [CASES.get(route.name)?.query ?? [], 'q=M%C3%BCller', namesSite(route.query) ? `site_id=${t.site_id}` : []].flat()
      const path = `${pathOf(route, paramsOf(route, t.params))}?${query.join('&')}`
      let status = 0
      const sent = await recording(async () => {
        for (const by of [t.as('hse'), t.as('admin'), t.superadmin]) if (status !== 200) status = (await by.get(path)).status
      })
      assert.equal(status, 200, path)
      assert.ok(
        sent.some(({ text, values }) => text.includes('search_text(') || values.includes('%muller%')),
        `${path}: ${sent.map(({ text }) => text).join('\n')}`,
      )
    }
  })

  test('1111 the service and the database ignore accents in the same way, for every letter that has two forms', async () => {
    const letters: string[] = []
    for (let c = 1; c < 0x30000; c++) {
      // Node.js knows the last one from a newer version of Unicode than PostgreSQL.
      if ((c >= 0xd800 && c <= 0xdfff) || c === 0xa7f1) continue
      const letter = String.fromCodePoint(c)
      if (c < 0x2100 || c % 101 === 0 || letter.normalize('NFKD') !== letter || letter.toLowerCase() !== letter) letters.push(letter)
    }
    assert.ok(letters.length > 10_000)
    const words = [...letters, ...letters.map(letter => ` x${letter}É\u0301 `)]
    const answers = await house.rows('select search_text(w) as words from unnest($1::text[]) with ordinality as u(w, n) order by n', [
      words,
    ])
    const wrong = words
      .filter((word, i) => answers[i].words !== searchable(word))
      .map(word => [...word].map(c => c.codePointAt(0)?.toString(16)).join(' '))
    assert.deepEqual(wrong, [])
    assert.deepEqual(['Müller', 'ŁÓDŹ', 'Straße', 'Sønder Ærø', 'ＡＣＭＥ ﬁrst', 'Ёлка', 'Ñandú'].map(searchable), [
      'muller',
      'lodz',
      'strasse',
      'sonder aero',
      'acme first',
      'елка',
      'nandu',
    ])
  })

  test('1111 “Müller” is found by “muller”, and “Muller” by “müller”, in lists of the database and in lists in memory', async () => {
    const w = await house.world()
    const [hse, site_id] = [w.as('hse'), w.site_id]
    for (const name of ['Müller Gerüste', 'Muller Steel'])
      assert.equal((await w.as('admin').post('/contractors/', { site_id, name, trades: ['scaffolding'] })).status, 201)
    const rule = { site_id, event_kind: 'permit.submitted', audience: [{ role: 'hse' }], title: 'Permit' }
    for (const name of ['Prüfen Müller', 'Muller check'])
      assert.equal((await hse.post('/notification-rules/', { ...rule, name })).status, 201)
    for (const path of ['/contractors/', '/notification-rules/'])
      for (const q of ['muller', 'MÜLLER']) {
        const { body } = await hse.get(`${path}?site_id=${site_id}&q=${encodeURIComponent(q)}`)
        assert.equal(body.length, 2, `${path} ${q}`)
      }
  })
})
