import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { MONDAY, useHouse, type World } from '../../../../tests/world.ts'
import { ids } from '../../../base/ids.ts'

describe('smart groups in notification rules', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))

  const HOT = { field: 'permit_types', op: 'overlaps', value: ['HW'] }
  const group = async (w: World, more: object = {}): Promise<string> => {
    const body = { site_id: w.site_id, name: 'Hot work', subject: 'permit', visibility: 'shared', predicate: HOT }
    const made = await w.as('coordinator').post('/smart-groups/', { ...body, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const within = (...group_ids: string[]) => ({ field: 'group_ids', op: 'overlaps', value: group_ids })
  const ruleOf = (w: World, when: unknown, more: object = {}) => ({
    ...{ site_id: w.site_id, name: 'Tell us', event_kind: 'permit.submitted', when, audience: [{ role: 'hse' }] },
    ...{ title: 'Look', enabled: true, ...more },
  })
  const write = (w: World, when: unknown, more: object = {}) => w.as('hse').post('/notification-rules/', ruleOf(w, when, more))
  const made = async (w: World, when: unknown, more: object = {}) => {
    const reply = await write(w, when, more)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const submit = async (w: PermitWorld, categories: string[]) => {
    const permit = await w.draft({ categories, start_at: '2026-03-17T10:00:00.000Z', end_at: '2026-03-17T16:00:00.000Z' })
    await w.step(permit, 'submit', w.as('member'))
    return w.read(permit)
  }
  const sent = async (w: World, kind: string): Promise<string[]> =>
    (await w.as('hse').get(`/notifications/?site_id=${w.site_id}&kind=${kind}`)).body.map(
      (one: { subject: { label: string } }) => one.subject.label,
    )
  const faults = async (w: World, when: unknown, more: object = {}) => {
    const refused = await write(w, when, more)
    assert.equal(refused.status, 422, refused.text)
    return refused.body.error.fields
  }

  test('§18 a rule that asks about a smart group is triggered by the permits in it, and follows the group when its condition changes', async () => {
    const w = await permitWorld(house)
    const id = await group(w)
    const rule = await made(w, within(id))
    assert.match(rule.explanation, /^When a permit is submitted, and the permit is in Hot work, notify/)
    await submit(w, ['GEN'])
    assert.deepEqual(await sent(w, rule.kind), [])
    const hot = await submit(w, ['HW'])
    assert.deepEqual(await sent(w, rule.kind), [hot.permit_number])
    assert.equal((await w.as('hse').patch(`/smart-groups/${id}`, { predicate: { ...HOT, value: ['GEN'] } })).status, 200)
    const plain = await submit(w, ['GEN'])
    await submit(w, ['HW'])
    assert.deepEqual((await sent(w, rule.kind)).toSorted(), [hot.permit_number, plain.permit_number].toSorted())
  })

  test('§18 a rule asks about groups within groups, and about permits that are in none of several', async () => {
    const w = await permitWorld(house)
    const hot = await group(w)
    const either = await group(w, { name: 'Either', predicate: { any: [within(hot), { ...HOT, value: ['CSE'] }] } })
    const rule = await made(w, { not: within(either) })
    const nested = await made(w, { field: 'group_ids', op: 'contains_all', value: [hot, either] }, { name: 'Both' })
    await submit(w, ['HW'])
    const plain = await submit(w, ['GEN'])
    assert.deepEqual(await sent(w, rule.kind), [plain.permit_number])
    assert.equal((await sent(w, nested.kind)).length, 1)
  })

  test('§18 a rule on the map asks about the gang although it is planned for another day', async () => {
    const w = await permitWorld(house)
    const id = await group(w, { name: 'Steel', subject: 'entity', predicate: { field: 'trade', op: 'eq', value: 'Steel fixer' } })
    const rule = await made(w, within(id), { event_kind: 'map_entity.created' })
    const gang = (trade: string) =>
      w.as('coordinator').post('/workers/', {
        ...{ site_id: w.site_id, name: `Gang of ${trade}`, trade, place: { point: { lon: -0.0877, lat: 51.5079 } } },
        ...{ start_at: '2026-03-18T08:00:00.000Z', end_at: '2026-03-18T17:00:00.000Z' },
      })
    assert.equal((await gang('Plumber')).status, 201)
    assert.equal((await gang('Steel fixer')).status, 201)
    assert.deepEqual(await sent(w, rule.kind), ['Gang of Steel fixer'])
  })

  test('§18 the group says which rules use it: it can’t be deleted or made private, and its condition needs notification_rule_manage', async () => {
    const w = await permitWorld(house)
    const id = await group(w)
    const rule = await made(w, within(id), { enabled: false })
    const used_by = [{ kind: 'notification_rule', id: rule.id, name: 'Tell us' }]
    const coordinator = w.as('coordinator')
    assert.deepEqual((await coordinator.get(`/smart-groups/${id}`)).body.used_by, used_by)
    for (const refused of [
      await coordinator.del(`/smart-groups/${id}`),
      await coordinator.patch(`/smart-groups/${id}`, { visibility: 'private' }),
    ]) {
      assert.deepEqual([refused.status, refused.body.error.reason], [409, 'in_use'])
      assert.deepEqual(refused.body.error.used_by, used_by)
    }
    const change = { predicate: { ...HOT, value: ['GEN'] } }
    const refused = await coordinator.patch(`/smart-groups/${id}`, change)
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'notification_rule_manage'])
    assert.match(refused.text, /Tell us/)
    assert.equal((await coordinator.patch(`/smart-groups/${id}`, { name: 'Heat' })).status, 200)
    assert.equal((await w.as('hse').patch(`/smart-groups/${id}`, change)).status, 200)
    assert.equal((await w.as('hse').del(`/notification-rules/${rule.id}`)).status, 204)
    assert.equal((await coordinator.del(`/smart-groups/${id}`)).status, 204)
  })

  test('§18 rules can use only shared groups that exist, of what the event is about, and at most 20: each fault has its path', async () => {
    const w = await permitWorld(house)
    const own = (await w.as('hse').post('/smart-groups/', { site_id: w.site_id, name: 'Mine', subject: 'permit', predicate: HOT })).body.id
    for (const id of [own, ids.next(), await group(await house.world())])
      assert.deepEqual(
        (await faults(w, within(id))).map((one: { path: string }) => one.path),
        ['when.value[0]'],
      )
    const things = await group(w, { name: 'Machines', subject: 'entity', predicate: { field: 'kind', op: 'eq', value: 'plant' } })
    assert.deepEqual(await faults(w, { all: [within(things)] }), [
      { path: 'when.all[0].value[0]', message: '“Machines” is a group of things on site, not of permits. Choose another group.' },
    ])
    assert.equal((await write(w, within(things), { event_kind: 'map_entity.changed' })).status, 201)
    const many = await Promise.all(Array.from({ length: 21 }, (_, n) => group(w, { name: `Group ${n}` })))
    assert.deepEqual(
      (await faults(w, within(...many))).map((one: { path: string }) => one.path),
      ['when'],
    )
    assert.equal((await write(w, within(...many.slice(1)), { name: 'Twenty' })).status, 201)
    // No group selects shifts, and none has what was removed from the map.
    for (const event_kind of ['shift.created', 'map_entity.removed'])
      assert.deepEqual(
        (await faults(w, within(things), { event_kind })).map((one: { path: string }) => one.path),
        ['when.field'],
      )
  })

  test('§18 a rule whose group the site doesn’t have is copied to it switched off, and can’t be switched on', async () => {
    const w = await permitWorld(house)
    await made(w, within(await group(w)))
    const copy = await w.superadmin.post('/sites/', { name: 'Copy', timezone: 'UTC', copy_from_site_id: w.site_id })
    assert.equal(copy.status, 201, copy.text)
    const [rule] = (await w.superadmin.get(`/notification-rules/?site_id=${copy.body.id}&source=site`)).body
    assert.equal(rule.enabled, false)
    assert.match(rule.explanation, /the permit is in a deleted one/)
    const refused = await w.superadmin.post(`/notification-rules/${rule.id}/enabled`, { enabled: true })
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'invalid'])
    assert.deepEqual(
      refused.body.error.fields.map((one: { path: string }) => one.path),
      ['when.value[0]'],
    )
  })

  test('messages.md §3 the preview counts the events of the last month whose permits are in the group today, and event-schemas says of what groups are', async () => {
    const w = await permitWorld(house)
    const id = await group(w)
    await submit(w, ['HW'])
    await submit(w, ['GEN'])
    await submit(w, ['HW'])
    const { site_id: _, ...definition } = ruleOf(w, within(id))
    const preview = await w.as('hse').post('/notification-rules/preview-recipients', { site_id: w.site_id, definition })
    assert.equal(preview.status, 200, preview.text)
    assert.deepEqual([preview.body.valid, preview.body.last_30_days.events, preview.body.last_30_days.would_fire], [true, 3, 2])
    const schemas = (await w.as('hse').get('/notification-rules/event-schemas')).body
    const groupsIn = (event_kind: string) =>
      schemas
        .find((one: { event_kind: string }) => one.event_kind === event_kind)
        .fields.find((one: { path: string }) => one.path === 'group_ids')?.groups
    assert.deepEqual(['permit.submitted', 'delivery.booked', 'site.locked'].map(groupsIn), ['permit', 'entity', undefined])
  })
})
