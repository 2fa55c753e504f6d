import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { boxAt, pointAt } from '../../../../tests/geo.ts'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'

type Warning = { code: string; detail: string; ids: string[] }
const at = (time: string) => `2026-03-16T${time}:00.000Z`
const among = (warnings: Warning[]) => warnings.find(warning => warning.code === 'blockers_open')

describe('open blockers in the review of a permit', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))

  /** A site with two gangs of different contractors in each other’s way in a zone: Acme’s work has stopped. */
  const stopped = async () => {
    const w = await permitWorld(house)
    const coordinator = w.as('coordinator')
    const made = async (path: string, body: object, by = coordinator) => {
      const reply = await by.post(path, { site_id: w.site_id, ...body })
      assert.equal(reply.status, 201, reply.text)
      return reply.body
    }
    const zone = await made('/reference-features/zones', { name: 'Bay 1', outline: boxAt(0, 0, 40) }, w.as('hse'))
    const gangs = { kinds: ['worker'] }
    const rule = { name: 'Gangs near gangs', a: gangs, b: gangs, when: { within_m: 10 }, outcome: { severity: 'red' } }
    await made('/clash-rules', rule, w.as('hse'))
    const yonder = await w.contractor('Yonder')
    const gang = (x: number, contractor_id: string) => {
      const [lon, lat] = pointAt(x, 0)
      const place = { zone_id: zone.id, point: { lon, lat } }
      return made('/workers/', {
        ...{ name: `Gang ${x}`, trade: 'Fixer', radius_m: 1, place, start_at: at('09:00'), end_at: at('14:00'), contractor_id },
      })
    }
    const mine = await gang(0, w.acme)
    await gang(6, yonder)
    const [episode] = (await coordinator.get(`/clashes/episodes?site_id=${w.site_id}`)).body
    const affected = episode.a.contractor_id === w.acme ? 'a' : 'b'
    const blocker = await made('/clashes/declare-blocker', { episode_id: episode.id, affected })
    return { w, zone, mine, blocker }
  }
  const shown = async (w: PermitWorld, permit: Permit, by: Caller, step = 'endorse') =>
    among((await w.read(permit, by)).advice[step]?.warnings ?? [])

  test('§2 blockers_open: a review lists the open blockers at the place of the permit, the step repeats it and is not blocked', async () => {
    const { w, zone, blocker } = await stopped()
    const permit = await w.at('requested', { place: { zone_id: zone.id } })
    const warning = await shown(w, permit, w.as('hse'))
    assert.match(warning?.detail ?? '', /This blocker is open: BLK-\d{6} \(.*Bay 1\)\.$/)
    assert.deepEqual(warning?.ids, [blocker.id])
    const endorsed = await w.step(permit, 'endorse', w.as('coordinator'))
    assert.equal(endorsed.status, 200, endorsed.text)
    assert.ok(among(endorsed.body.warnings))
    const resolved = await w.as('coordinator').post(`/sites/${w.site_id}/blockers/${blocker.id}/resolve`, { how: 'Moved' })
    assert.equal(resolved.status, 200, resolved.text)
    assert.equal(await shown(w, permit, w.as('hse'), 'approve'), undefined)
  })

  test('§2 blockers_open: also of work that the permit covers, wherever the permit is', async () => {
    const { w, mine } = await stopped()
    const permit = await w.at('requested')
    assert.equal(await shown(w, permit, w.as('hse')), undefined)
    const linked = { entity_type: 'worker', entity_ids: [mine.id] }
    const reply = await w.as('coordinator').post(`/permits/applications/${permit.id}/link`, linked)
    assert.equal(reply.status, 200, reply.text)
    assert.ok(await shown(w, permit, w.as('hse')))
  })

  test('§2 blockers_open: an issuer who can’t see a blocker doesn’t read of it', async () => {
    const { w, zone } = await stopped()
    const stranger = await w.join('member', await w.contractor('Elsewhere'), 'Ed Elsewhere')
    await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: stranger.user_id })
    const permit = await w.at('approved', { place: { zone_id: zone.id } })
    assert.equal(await shown(w, permit, stranger, 'issue'), undefined)
    const known = await w.join('member', w.acme, 'Ada Acme')
    await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: known.user_id })
    assert.ok(await shown(w, permit, known, 'issue'))
  })
})
