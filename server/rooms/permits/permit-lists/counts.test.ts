import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fewestStatements } from '../../../../bench/record.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'

const YESTERDAY = '2026-03-15T09:00:00.000Z'
const SOON = { start_at: '2026-03-16T09:00:00.000Z', end_at: '2026-03-16T12:00:00.000Z' }

/** The lists of the counts, as the board asks for them; a live permit is inside its window, and the clock shows 09:00. */
const LISTS: Record<string, string> = {
  live: 'status=issued&handed_back=false&from=2026-03-16T09:00:00.000Z&to=2026-03-16T09:00:00.001Z',
  soon: 'soon=true',
  awaiting_countersign: 'awaiting_countersign=true',
  in_review: 'status=requested&status=endorsed',
  expired: 'status=expired&handed_back=false',
  handed_back: 'handed_back=true',
  stopped: 'stopped=true',
  under_way: ['draft', 'corrections_requested', 'requested', 'endorsed', 'approved', 'issued', 'expired'].map(s => `status=${s}`).join('&'),
  changed: `updated_since=${YESTERDAY}`,
}

describe('763 the numbers of a site', () => {
  const house = useHouse()

  test('763 each number is the length of its list, for a reviewer, a member and a viewer', async () => {
    const w = await permitWorld(house)
    await w.at('issued', { categories: ['GEN'], ...SOON })
    await w.at('issued', { categories: ['GEN'], start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-18T12:00:00.000Z' })
    for (const state of ['draft', 'requested', 'endorsed', 'signed', 'closed'] as const) await w.at(state)
    await w.draft({}, w.as('coordinator'))
    const back = await w.at('issued', { categories: ['GEN'], ...SOON })
    assert.equal((await w.step(back, 'hand-back', w.receiver)).status, 200)
    const expected = { live: 1, soon: 2, awaiting_countersign: 1, in_review: 2, expired: 0, handed_back: 1, stopped: 0, under_way: 7 }
    assert.deepEqual((await w.as('coordinator').get(`/permits/counts?site_id=${w.site_id}`)).body, expected)
    for (const role of ['coordinator', 'member', 'viewer'] as const) {
      const { body } = await w.as(role).get(`/permits/counts?site_id=${w.site_id}&updated_since=${YESTERDAY}`)
      const lengths: Record<string, number> = {}
      for (const [name, query] of Object.entries(LISTS))
        lengths[name] = Number((await w.as(role).get(`/permits?site_id=${w.site_id}&limit=1&${query}`)).headers['x-total-count'])
      assert.deepEqual(body, lengths, role)
    }
  })

  test('763 all numbers are read in one statement', async () => {
    const w = await permitWorld(house)
    const path = `/permits/counts?site_id=${w.site_id}&updated_since=${YESTERDAY}`
    await w.as('member').get(path)
    // The other one finds the person.
    assert.equal((await fewestStatements(() => w.as('member').get(path))).length, 2)
  })

  test('763 a stranger gets 404, and an instant that isn’t one gets 422', async () => {
    const w = await permitWorld(house)
    assert.equal((await (await w.stranger()).get(`/permits/counts?site_id=${w.site_id}`)).status, 404)
    assert.equal((await w.as('member').get(`/permits/counts?site_id=${w.site_id}&updated_since=monday`)).status, 422)
  })

  test('site-and-people.md §1 live permits keep a site from being locked and deleted; their numbers are shown to those who could do it, and to nobody else', async () => {
    const w = await permitWorld(house)
    const live = await w.at('issued', { categories: ['GEN'], ...SOON })
    const path = `/sites/${w.site_id}`
    const lock = (who: Caller, more = {}) => who.post(`${path}/lock`, { locked: true, reason: 'Handed over', ...more })
    const reads = async (who: Caller) => [(await who.get(path)).body, (await who.get(`/sites?id=${w.site_id}`)).body[0]]
    const refused = await lock(w.as('admin'))
    assert.deepEqual([refused.status, refused.body.error.guard], [409, 'no_live_permits'])
    assert.deepEqual(refused.body.error.permit_numbers, [live.permit_number])
    for (const { permissions } of await reads(w.as('admin')))
      for (const action of ['lock', 'delete']) {
        const [because] = permissions[action].because
        assert.equal(because.code, 'no_live_permits')
        assert.match(because.detail, new RegExp(`^A permit on this site isn’t closed out: ${live.permit_number}. Close it out first.$`))
      }
    const others = [
      ...(['member', 'viewer', 'client', 'coordinator', 'hse'] as const).map(role => w.as(role)),
      await w.join('member', await w.contractor('Other Ltd')),
    ]
    for (const who of others)
      for (const site of await reads(who)) {
        assert.equal(site.permissions.lock.allowed, false)
        assert.doesNotMatch(JSON.stringify(site), new RegExp(String(live.permit_number)))
        const sent = await fewestStatements(() => who.get(path))
        assert.ok(
          sent.every(({ text }) => !/permit_number/.test(text)),
          'they aren’t read either',
        )
      }
    const forced = await lock(w.as('admin'), { force: true })
    assert.deepEqual([forced.status, forced.body.live_permits], [200, [live.permit_number]])
  })
})
