import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'

type Warning = { code: string; detail: string; ids: string[] }
const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const at = (time: string, day = '2026-03-16') => `${day}T${time}:00.000Z`
const among = (warnings: Warning[]) => warnings.find(warning => warning.code === 'examination_expired')

describe('the examination of a machine under a permit', () => {
  const house = useHouse()
  const crane = async (w: PermitWorld, permit: Permit | null, examination_due_on: string, more: object = {}) => {
    const made = await w.as('coordinator').post('/plant/', {
      ...{ site_id: w.site_id, name: 'TC1', category: 'tower_crane', height_m: 40, exclusion_radius_m: 40, place: HERE },
      ...{ start_at: at('08:00'), end_at: null, examination_due_on, ...(permit === null ? {} : { permit_id: permit.id }), ...more },
    })
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  test('§2 §4 a linked machine whose examination has expired is the warning examination_expired of every step up to the countersignature; none is blocked', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested', { categories: ['LIFT'] })
    const { id } = await crane(w, permit, '2026-03-15')
    const shown = among((await w.read(permit, w.as('hse'))).advice.endorse.warnings)
    assert.match(shown?.detail ?? '', /^This machine needs a thorough examination before .*: “TC1” \(expired, was due on 15 Mar 2026\)\.$/)
    assert.deepEqual(shown?.ids, [id])
    for (const [verb, by] of [
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
      ['countersign', w.receiver],
    ] as const) {
      const taken = await w.step(permit, verb, by)
      assert.equal(taken.status, 200, taken.text)
      assert.ok(among(taken.body.warnings), verb)
    }
    // It was known at the walk-down, so it is printed on the permit.
    const [{ issue_warnings }] = await house.rows('select issue_warnings from permit where id = $1', [permit.id])
    assert.ok(among(issue_warnings))
    await w.as('coordinator').post(`/permits/applications/${permit.id}/unlink`, { entity_type: 'plant', entity_ids: [id] })
    assert.equal(among((await w.read(permit, w.as('hse'))).advice.close_out.warnings), undefined)
  })

  test('§2 §4 an examination that ends within the window, or within the extended one, is warned of before it does', async () => {
    const w = await permitWorld(house)
    const long = { categories: ['GEN'], end_at: at('18:00', '2026-03-18') }
    const permit = await w.at('requested', long)
    await crane(w, permit, '2026-03-17')
    assert.match(among((await w.read(permit, w.as('hse'))).advice.endorse.warnings)?.detail ?? '', /“TC1” \(due on 17 Mar 2026\)/)
    const other = await w.at('issued', long)
    await crane(w, other, '2026-03-18', { name: 'TC2', place: { point: { lon: -0.08, lat: 51.508 } } })
    assert.equal(among((await w.read(other, w.as('hse'))).advice.request_extension.warnings), undefined, 'in date on the last day')
    const asked = await w.receiver.post(`/permits/applications/${other.id}/extensions`, { requested_end_at: at('18:00', '2026-03-19') })
    assert.equal(asked.status, 201, asked.text)
    assert.match(among(asked.body.warnings)?.detail ?? '', /“TC2” \(due on 18 Mar 2026\)/)
    assert.ok(among((await w.read(other, w.as('hse'))).advice.approve_extension.warnings))
  })

  test('§2 §4 no warning for a machine that leaves before its examination ends, that has left, or that is not linked', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested', { categories: ['LIFT'], end_at: at('18:00', '2026-03-18') })
    await crane(w, permit, '2026-03-17', { end_at: at('20:00', '2026-03-17') })
    await crane(w, permit, '2026-03-01', { name: 'TC2', start_at: at('06:00'), end_at: at('08:30') })
    await crane(w, null, '2026-03-01', { name: 'TC3' })
    assert.equal(among((await w.read(permit, w.as('hse'))).advice.endorse.warnings), undefined)
  })
})
