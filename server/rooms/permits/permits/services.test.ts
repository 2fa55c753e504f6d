import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt, collection, pointAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'

type Warning = { code: string; detail: string; ids: string[] }

describe('buried services near a permit', () => {
  const house = useHouse()
  const main = (y: number) => ({ type: 'LineString', coordinates: [pointAt(-50, y), pointAt(50, y)] })
  const near = (warnings: Warning[]) => warnings.find(warning => warning.code === 'services_near')

  test('§9 an EXC permit 3 m from a QL-D gas main shows it with its distance, and the approval is not blocked', async () => {
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const gas = await hse.post('/geometadata/layers', {
      ...{ site_id: w.site_id, name: 'Gas mains', role: 'utilities', utility: 'gas', visible: false },
      features: collection([main(0), { name: 'G1' }]),
    })
    assert.equal(gas.status, 201, gas.text)
    const exposed = await hse.post('/geometadata/layers', {
      ...{ site_id: w.site_id, name: 'Water', role: 'utilities', utility: 'water', quality_level: 'QL-A' },
      features: collection([main(17), {}], [main(19), {}]),
    })
    await hse.post('/geometadata/layers', { site_id: w.site_id, name: 'Trees', role: 'constraint', features: collection([main(4), {}]) })

    const dig = await w.at('requested', { categories: ['EXC'], place: { polygon: boxAt(0, 3, 10) } })
    const { advice } = await w.read(dig, hse)
    const warning = near(advice.endorse.warnings)
    assert.match(
      warning?.detail ?? '',
      /^2 buried services are within 5 m of the work: gas “G1”, 3\.0 m away \(QL-D; records only: expose before digging\)/,
    )
    assert.match(warning?.detail ?? '', /water “Water”, 4\.0 m away \(QL-A\)\.$/)
    assert.deepEqual(warning?.ids, [gas.body.id, exposed.body.id])
    const endorsed = await w.step(dig, 'endorse', w.as('coordinator'))
    assert.deepEqual([endorsed.status, near(endorsed.body.warnings)?.ids.length], [200, 2])
    const approved = await w.step(dig, 'approve', hse)
    assert.equal(approved.status, 200, approved.text)
    assert.ok(near(approved.body.warnings))

    const hot = await w.at('requested', { place: { polygon: boxAt(0, 3, 10) } })
    assert.equal(near((await w.read(hot, hse)).advice.endorse.warnings), undefined, 'only breaking ground')
    const away = await w.at('requested', { categories: ['EXC'], place: { polygon: boxAt(0, 40, 10) } })
    assert.equal(near((await w.read(away, hse)).advice.endorse.warnings), undefined)
    assert.equal((await hse.del(`/geometadata/layers/${gas.body.id}`)).status, 204)
    const left = near(
      (await w.read(await w.at('requested', { categories: ['EXC'], place: { polygon: boxAt(0, 3, 10) } }), hse)).advice.endorse.warnings,
    )
    assert.match(left?.detail ?? '', /^A buried service is/)
  })

  test('§9 a permit for a zone counts the services near the whole zone', async () => {
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const zone = (await hse.post('/reference-features/zones', { site_id: w.site_id, name: 'Trench', outline: boxAt(0, 0, 20) })).body
    await hse.post('/geometadata/layers', {
      site_id: w.site_id,
      name: 'Fibre',
      role: 'utilities',
      utility: 'telecoms',
      features: collection([main(10), {}]),
    })
    const dig = await w.at('requested', { categories: ['EXC'], place: { zone_id: zone.id } })
    assert.match(near((await w.read(dig, hse)).advice.endorse.warnings)?.detail ?? '', /telecoms “Fibre”, on the work area/)
  })
})
