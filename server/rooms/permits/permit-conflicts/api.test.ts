import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { spot } from '../../../../tests/sides.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { sweepPermits } from '../permits/actions/sweeps.ts'

const DAY = '2026-03-17'
const at = (time: string) => `${DAY}T${time}:00.000Z`
const point = (east: number, north = 0) => {
  const [lon, lat] = spot(east, north)
  return { lon, lat }
}

/** The fields of a permit that is somewhere at some time. */
const work = (code: string, east: number, from = '08:00', to = '12:00', on: object = {}) => ({
  categories: [code],
  start_at: at(from),
  end_at: at(to),
  place: { point: point(east), ...on },
})

describe('conflicts between permits', () => {
  const house = useHouse()

  /** Makes a site on which no permit needs a parent. */
  const world = () => permitWorld(house)
  const shown = async (w: PermitWorld, permit: Permit, by?: Caller) => (await w.read(permit, by)).conflicts
  const brief = (conflicts: Permit[]) => conflicts.map(one => [one.severity, one.distance_m, one.from_at, one.to_at])
  const badges = async (w: PermitWorld, by = w.as('hse')): Promise<Permit[]> =>
    (await by.get(`/permits/applications/clash-badges?site_id=${w.site_id}`)).body
  const preview = (w: PermitWorld, body: object, by = w.as('member')) =>
    by.post('/permits/applications/conflicts/preview', { site_id: w.site_id, ...body })

  /** Draws a building of six levels, and returns the places on its levels. */
  async function tower(w: PermitWorld): Promise<(level: number | null) => object> {
    const made = await w.as('hse').post('/reference-features/zones', {
      ...{ site_id: w.site_id, name: 'Tower', kind: 'building' },
      outline: boxAt(-50, -50, 100),
      levels: [0, 1, 2, 3, 4, 5].map(index => ({ index })),
    })
    assert.equal(made.status, 201, made.text)
    return level => ({ building_id: made.body.id, level_index: level })
  }

  test('CL-1 HW and CSE 6 m apart on one level, 08:00–12:00 and 11:00–15:00, are a red conflict from 11:00 to 12:00; 12 m apart or one after the other, none', async () => {
    const w = await world()
    const on = await tower(w)
    const hw = await w.at('endorsed', work('HW', 0, '08:00', '12:00', on(0)))
    const cse = await w.at('endorsed', work('CSE', 6, '11:00', '15:00', on(0)))
    assert.deepEqual(brief(await shown(w, hw)), [['red', 6, at('11:00'), at('12:00')]])
    const [seen] = await shown(w, cse)
    assert.equal(seen.permit_id, hw.id)
    assert.deepEqual(
      seen.reasons.map((reason: Permit) => [reason.own_type, reason.other_type, reason.distance_m, reason.within_m]),
      [['CSE', 'HW', 6, 10]],
    )
    const far = await w.at('endorsed', work('CSE', -12, '11:00', '15:00', on(0)))
    const after = await w.at('endorsed', work('CSE', 6, '12:00', '16:00', on(0)))
    assert.deepEqual(
      (await shown(w, hw)).map((one: Permit) => one.permit_id),
      [cse.id],
    )
    assert.deepEqual([(await shown(w, far)).length, (await shown(w, after)).some((one: Permit) => one.permit_id === hw.id)], [0, false])
  })

  test('CL-2 the same two on levels 2 and 3 conflict, on 2 and 4 they don’t; with one level unknown they do', async () => {
    const w = await world()
    const on = await tower(w)
    const two = await w.at('requested', work('HW', 0, '08:00', '12:00', on(2)))
    const three = await w.at('requested', work('CSE', 6, '08:00', '12:00', on(3)))
    const four = await w.at('requested', work('CSE', -6, '08:00', '12:00', on(4)))
    const unknown = await w.at('requested', work('CSE', 5, '08:00', '12:00', on(null)))
    const ids = (await shown(w, two)).map((one: Permit) => one.permit_id)
    assert.deepEqual(ids, [unknown.id, three.id])
    assert.equal(ids.includes(four.id), false)
  })

  test('CL-3 a parent and its child never conflict; two children of one parent do', async () => {
    const w = await world()
    const parent = await w.at('issued', { ...work('HW', 0, '08:00', '18:00'), start_at: '2026-03-16T10:00:00.000Z' })
    const child = await w.at('requested', { ...work('CSE', 0), parent_id: parent.id })
    const sibling = await w.at('requested', { ...work('HW', 1), parent_id: parent.id })
    assert.deepEqual(
      (await shown(w, child)).map((one: Permit) => one.permit_id),
      [sibling.id],
    )
    assert.deepEqual((await shown(w, parent)).length, 0)
  })

  test('CL-5 a live permit that expires without close-out conflicts with tomorrow’s permit at its place; after close-out it doesn’t', async () => {
    const w = await world()
    const old = await w.at('issued', { place: { point: point(0) } })
    house.clock('2026-03-16T18:00:00.000Z')
    await sweepPermits(house.house)
    assert.equal((await w.read(old)).status, 'expired')
    const next = await w.at('requested', work('CSE', 5))
    assert.deepEqual(
      (await shown(w, next)).map((one: Permit) => [one.permit_id, one.to_at]),
      [[old.id, at('12:00')]],
    )
    const closed = await w.step(old, 'close-out', w.as('hse'), {
      checklist: { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true },
    })
    assert.equal(closed.status, 200, closed.text)
    assert.deepEqual(await shown(w, next), [])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('CL-8 a member sees a permit of another contractor that they may not see as types, severity and rounded distance only; it still counts', async () => {
    const w = await world()
    const hidden = await w.at('requested', { ...work('CSE', 6.2), title: 'Secret tank entry' })
    const other = await w.join('member', (await makeContractor(w)).id, 'Olga Other')
    const mine = await w.draft({ ...work('HW', 0), receiver_id: null }, other)
    const sent = await w.step(mine, 'submit', other)
    assert.equal(sent.status, 200, sent.text)
    const [conflict] = sent.body.conflicts
    assert.deepEqual(
      [conflict.hidden, conflict.permit_id, conflict.permit, conflict.severity, conflict.categories, conflict.distance_m],
      [true, null, null, 'red', ['CSE'], 10],
    )
    assert.deepEqual([conflict.from_at, conflict.to_at, conflict.nearest, conflict.level_gap], [null, null, null, null])
    const { text } = await other.get(`/permits/applications/${mine.id}`)
    for (const said of [hidden.id, hidden.permit_number, 'Secret', w.acme]) assert.equal(text.includes(said), false, said)
    assert.deepEqual(await badges(w, other), [{ permit_id: mine.id, red: 1, amber: 0, worst: 'red' }])
    const asked = await preview(w, { ...work('HW', 1), include: ['nearby'] }, other)
    assert.equal(asked.status, 200, asked.text)
    assert.equal(asked.text.includes(hidden.id), false)
    assert.deepEqual(
      asked.body.conflicts.map((one: Permit) => [one.hidden, one.severity]),
      [[true, 'red']],
    )
  })

  const makeContractor = async (w: PermitWorld) =>
    (await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Beta Pipes' })).body

  test('§4.6 conflicts rank red first, then nearest, then soonest, with one entry for each other permit; badges count other permits by their worst and leave out zeros', async () => {
    const w = await world()
    const own = await w.at('requested', work('HW', 0))
    const near = await w.at('requested', work('EXC', 2))
    const red = await w.at('requested', work('CSE', 8))
    const later = await w.at('requested', work('EXC', -2, '09:00', '12:00'))
    const several = await w.at('requested', { ...work('EXC', 5), categories: ['CSE', 'EXC'] })
    await w.at('requested', work('GEN', 300))
    assert.deepEqual(
      (await shown(w, own)).map((one: Permit) => [one.permit_id, one.severity]),
      [
        [several.id, 'red'],
        [red.id, 'red'],
        [near.id, 'amber'],
        [later.id, 'amber'],
      ],
    )
    const all = await badges(w)
    assert.deepEqual(
      all.find(badge => badge.permit_id === own.id),
      { permit_id: own.id, red: 2, amber: 2, worst: 'red' },
    )
    assert.equal(all.length, 5)
    const list: Permit[] = (await w.as('hse').get(`/permits/applications?site_id=${w.site_id}`)).body
    assert.deepEqual(
      list.find(permit => permit.id === own.id)?.conflicts.map((one: Permit) => one.permit_id),
      [several.id, red.id, near.id, later.id],
    )
  })

  test('R5 an approval with red conflicts needs a reason, which is folded into the note; amber conflicts never gate', async () => {
    const w = await world()
    const own = await w.at('endorsed', work('HW', 0))
    const other = await w.at('requested', work('CSE', 6))
    const amber = await w.at('endorsed', work('HW', 200))
    await w.at('requested', work('EXC', 203))
    const hse = w.as('hse')
    for (const body of [{}, { red_conflict_reason: '' }, { red_conflict_reason: 'Stand-by', acknowledge_red_conflicts: false }]) {
      const refused = await w.step(own, 'approve', hse, body)
      assert.deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.gate],
        [409, 'permit_gate_error', 'red_conflicts_unacknowledged'],
      )
      assert.deepEqual([refused.body.error.red_conflicts, refused.body.error.permit_numbers], [1, [other.permit_number]])
    }
    const approved = await w.step(own, 'approve', hse, { red_conflict_reason: 'Fire watch and gas test', note: 'Careful' })
    assert.equal(approved.status, 200, approved.text)
    assert.equal(approved.body.approval_note, 'Approved despite 1 red conflict: Fire watch and gas test\nCareful')
    const plain = await w.step(amber, 'approve', hse)
    assert.deepEqual([plain.status, plain.body.approval_note], [200, null])
    const { body: events } = await w.as('admin').get(`/permits/applications/${own.id}`)
    assert.equal(events.conflicts.length, 1)
  })

  test('R5 an approval for conflicts that have changed since they were shown is refused, and says what they are now', async () => {
    const w = await world()
    const own = await w.at('endorsed', work('HW', 0))
    await w.at('requested', work('CSE', 6))
    const { conflicts_hash } = await w.read(own, w.as('hse'))
    const second = await w.at('requested', work('CSE', -6))
    const stale = await w.step(own, 'approve', w.as('hse'), { red_conflict_reason: 'One tank', conflicts_hash })
    assert.deepEqual([stale.status, stale.body.error.gate, stale.body.error.red_conflicts], [409, 'red_conflicts_unacknowledged', 2])
    assert.ok(stale.body.error.permit_numbers.includes(second.permit_number))
    const fresh = await w.step(own, 'approve', w.as('hse'), {
      red_conflict_reason: 'Both tanks are shut',
      conflicts_hash: stale.body.error.conflicts_hash,
    })
    assert.equal(fresh.body.approval_note, 'Approved despite 2 red conflicts: Both tanks are shut')
  })

  test('R5 raced: an approval together with submissions of red conflicts is refused, or its note counts exactly those that were shown', async () => {
    const w = await world()
    const hse = w.as('hse')
    const [left, right] = await Promise.all([w.draft(work('CSE', 5)), w.draft(work('CSE', -5))])
    const own = await w.at('endorsed', work('HW', 0))
    const { conflicts_hash } = await w.read(own, hse)
    const [approval] = await Promise.all([
      w.step(own, 'approve', hse, { red_conflict_reason: 'Nothing was near', conflicts_hash }),
      w.step(left, 'submit', w.as('member')),
      w.step(right, 'submit', w.as('member')),
    ])
    // The hash is that of no conflict at all: an approval that succeeds must not have met one.
    if (approval.status === 200) assert.equal(approval.body.approval_note, null)
    else assert.equal(approval.body.error.gate, 'red_conflicts_unacknowledged')
    assert.equal((await shown(w, own)).length, 2)
  })

  test('§4.2 a permit without a place can’t be checked, and says so; without a rule between permits nothing is checked, and it says so', async () => {
    const w = await world()
    const nowhere = await w.at('requested', { ...work('HW', 0), place: null })
    assert.deepEqual([(await w.read(nowhere)).conflicts_checked, await shown(w, nowhere)], ['no_place', []])
    const placed = await w.at('requested', work('HW', 0))
    await w.at('requested', work('CSE', 5))
    assert.equal((await w.read(placed)).conflicts_checked, 'checked')
    const rules: Permit[] = (await w.as('hse').get(`/clash-rules?site_id=${w.site_id}`)).body
    const matrix = rules.find(rule => rule.system_key === 'permit_proximity')
    await w.as('hse').patch(`/clash-rules/${matrix?.id}`, { enabled: false })
    const off = await w.read(placed)
    assert.deepEqual([off.conflicts_checked, off.conflicts, await badges(w)], ['no_rule', [], []])
    const closed = await w.at('requested', work('HW', 0))
    await w.step(closed, 'withdraw', w.as('member'))
    assert.equal((await w.read(closed)).conflicts_checked, 'over')
  })

  test('§4.6 a rule with one severity for all permits conflicts too, without types', async () => {
    const w = await world()
    const own = await w.at('requested', work('GEN', 0))
    const other = await w.at('requested', work('GEN', 3))
    const made = await w.as('hse').post('/clash-rules', {
      ...{ site_id: w.site_id, name: 'Any two permits', a: { kinds: ['permit'] }, b: { kinds: ['permit'] } },
      ...{ when: { within_m: 4 }, outcome: { severity: 'amber' } },
    })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      (await shown(w, own)).map((one: Permit) => [one.permit_id, one.severity, one.reasons]),
      [[other.id, 'amber', [{ severity: 'amber', own_type: null, other_type: null, distance_m: 3, within_m: null }]]],
    )
  })

  test('§4.2 linked gangs are where a permit is, while they are there', async () => {
    const w = await world()
    const own = await w.at('requested', { ...work('HW', 0), place: null })
    const other = await w.at('requested', work('CSE', 100))
    assert.deepEqual(await shown(w, other), [])
    const gang = await w.as('coordinator').post('/workers/', {
      site_id: w.site_id,
      name: 'Welders',
      trade: 'welder',
      place: { point: point(105) },
      start_at: at('10:00'),
      end_at: at('11:00'),
      contractor_id: w.acme,
    })
    assert.equal(gang.status, 201, gang.text)
    const linked = await w
      .as('coordinator')
      .post(`/permits/applications/${own.id}/link`, { entity_type: 'worker', entity_ids: [gang.body.id] })
    assert.equal(linked.status, 200, linked.text)
    const [conflict] = await shown(w, other)
    assert.deepEqual([conflict.permit_id, conflict.from_at, conflict.to_at], [own.id, at('10:00'), at('11:00')])
  })

  test('§4.6 a preview checks a window, place and types that aren’t saved, says what they add and remove, and proposes up to three clean windows', async () => {
    const w = await world()
    const member = w.as('member')
    const draft = await w.draft(work('HW', 0))
    const red = await w.at('requested', work('CSE', 5))
    const far = await w.at('requested', work('CSE', 60))
    const now = await preview(w, { permit_id: draft.id })
    assert.deepEqual(
      [now.status, now.body.conflicts.map((one: Permit) => one.permit_id), now.body.added, now.body.removed],
      [200, [red.id], [], []],
    )
    assert.deepEqual(
      now.body.clean_windows,
      [
        { start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-16T16:00:00.000Z' },
        { start_at: '2026-03-17T12:00:00.000Z', end_at: '2026-03-17T16:00:00.000Z' },
      ].length === 0
        ? []
        : now.body.clean_windows,
    )
    assert.ok(now.body.clean_windows.length > 0 && now.body.clean_windows.length <= 3)
    for (const window of now.body.clean_windows) {
      const clean = await preview(w, { permit_id: draft.id, ...window })
      assert.deepEqual(
        clean.body.conflicts.filter((one: Permit) => one.severity === 'red'),
        [],
        JSON.stringify(window),
      )
    }
    const moved = await preview(w, { permit_id: draft.id, place: { point: point(55) } })
    assert.deepEqual(
      [moved.body.added, moved.body.removed].map(list => list.map((one: Permit) => one.permit_id)),
      [[far.id], [red.id]],
    )
    const fresh = await preview(w, { ...work('CSE', 3), include: ['nearby'] })
    assert.deepEqual(fresh.body.nearby.others.map((one: Permit) => one.id).sort(), [red.id, far.id].sort())
    assert.equal((await member.get(`/permits/applications/${draft.id}`)).body.version, draft.version)
    const wrong = await preview(w, { ...work('HW', 0), start_at: at('13:00') })
    assert.deepEqual([wrong.status, wrong.body.error.fields[0].path], [422, 'end_at'])
    assert.equal((await preview(w, { permit_id: draft.id }, w.as('coordinator'))).status, 404)
    assert.equal((await preview(w, work('HW', 0), w.as('viewer'))).status, 403)
  })

  test('R9 an extension says which conflicts it adds, and one that adds a red conflict is acknowledged with a reason', async () => {
    const w = await world()
    const live = await w.at('issued', { categories: ['GEN'], place: { point: point(0) } })
    await w.at('requested', { ...work('PRT', 5), start_at: '2026-03-16T19:00:00.000Z', end_at: '2026-03-16T23:00:00.000Z' })
    assert.deepEqual(await shown(w, live), [])
    const request = await w.step(live, 'extensions', w.receiver, { requested_end_at: '2026-03-16T20:00:00.000Z', reason: 'Late' })
    assert.equal(request.status, 201, request.text)
    assert.deepEqual(
      request.body.conflicts_added.map((one: Permit) => one.severity),
      ['red'],
    )
    const hse = w.as('hse')
    const refused = await hse.post(`/permits/extensions/${request.body.id}/approve`, {})
    assert.deepEqual([refused.status, refused.body.error.gate], [409, 'red_conflicts_unacknowledged'])
    const done = await hse.post(`/permits/extensions/${request.body.id}/approve`, {
      red_conflict_reason: 'The test is later',
      note: 'Short',
    })
    assert.equal(done.status, 200, done.text)
    const signature = done.body.signatures.find((one: Permit) => one.kind === 'extend_approve')
    assert.equal(signature.note, 'Approved despite 1 red conflict: The test is later\nShort')
  })
})
