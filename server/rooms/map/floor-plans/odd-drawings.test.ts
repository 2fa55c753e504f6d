// Drawings that are unusual or hostile, through the endpoints that import them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawingOf, pdfFile, pdfStream, planBuilding, upload, worked } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

const line = (x = 0, y = 0, x2: number | string = 10_000, y2: number | string = 5000, layer = '0') =>
  `0\nLINE\n8\n${layer}\n10\n${x}\n20\n${y}\n11\n${x2}\n21\n${y2}\n`

describe('unusual drawings', () => {
  const house = useHouse()
  const inspect = (w: World, bytes: Buffer) =>
    w.as('coordinator').send('POST', '/floor-plans/import-dxf/inspect', upload(bytes, 'plan.dxf', { site_id: w.site_id }))
  const inspected = async (w: World, bytes: Buffer) => {
    const reply = await inspect(w, bytes)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const imported = async (w: World, bytes: Buffer, units = 4) => {
    const { session_id } = await inspected(w, bytes)
    const feature_id = await planBuilding(w)
    const made = await w.as('coordinator').post('/floor-plans/import-dxf', { site_id: w.site_id, session_id, feature_id, units })
    await worked(house, made)
    return (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body[0]
  }

  test('§8 what is farther away than a drawing can be is left out, and what has no size is in the middle of its picture', async () => {
    const w = await house.world()
    const bulge = '0\nLWPOLYLINE\n8\n0\n90\n2\n70\n0\n10\n0\n20\n0\n42\n1e9\n10\n10000\n20\n0\n'
    for (const far of [line(1e14), line(0, 0, 1e12), bulge])
      assert.deepEqual((await inspected(w, drawingOf(line() + far))).extents, [0, 0, 10_000, 5000], far)
    for (const [entity, units] of [
      [line(5, 5, 5, 5), 4],
      [line(9e11, 9e11, 9e11, 9e11), 4],
      [line(0, 0, 0.0001, 0), 11],
    ] as const) {
      const plan = await imported(await house.world(), drawingOf(entity), units)
      assert.deepEqual([plan.status, plan.vector.features], ['needs_placement', 1], entity)
    }
    const { session_id } = await inspected(w, drawingOf(line()))
    const parsecs = { site_id: w.site_id, session_id, feature_id: await planBuilding(w), units: 20 }
    const no = await w.as('coordinator').post('/floor-plans/import-dxf', parsecs)
    assert.deepEqual([no.status, no.body.error.fields[0].path], [422, 'units'], no.text)
  })

  test('§8 a page with more lines than can be found can be used as a picture, and says why it has no lines', async () => {
    const w = await house.world()
    const page = pdfFile([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 50 50]/Contents 4 0 R>>',
      // Outside of the page, so that they take no time to draw.
      pdfStream(`${'900 9 m 901 9 l '.repeat(1_000_001)}S`),
    ])
    const fields = { site_id: w.site_id, feature_id: await planBuilding(w), level_index: '0', name: 'Dense' }
    const made = await w.as('coordinator').send('POST', '/floor-plans/upload', upload(page, 'dense.pdf', fields))
    assert.deepEqual([made.status, made.body.vector?.reason], [201, null], made.text)
    await worked(house, made)
    const plan = (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body[0]
    assert.deepEqual([plan.status, plan.vector.status], ['needs_placement', 'failed'])
    assert.match(plan.vector.reason, /^The file has more than a million lines on its page, which are too many to be found\./)
  })

  test('§8 a page that was scanned has the lines of its picture, because it has none of its own', async () => {
    const w = await house.world()
    const rows = Array.from({ length: 20 }, (_, y) => (y === 10 ? `ff${'00'.repeat(38)}ff` : 'ff'.repeat(40)))
    const page = pdfFile([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R>>',
      pdfStream(`q 200 0 0 100 0 0 cm BI /W 40 /H 20 /BPC 8 /CS /G /F /AHx ID ${rows.join('')}> EI Q`),
    ])
    const fields = { site_id: w.site_id, feature_id: await planBuilding(w), level_index: '0', name: 'Scan' }
    await worked(house, await w.as('coordinator').send('POST', '/floor-plans/upload', upload(page, 'scan.pdf', fields)))
    const { vector } = (await w.as('viewer').get(`/floor-plans/by-site?site_id=${w.site_id}`)).body[0]
    assert.deepEqual([vector.status, vector.source, vector.features], ['ready', 'picture', 1])
  })

  test('§8 names, versions, units and colours that no program writes are cut to what can be stored', async () => {
    const w = await house.world()
    const layers = `0\nLAYER\n2\nA\0B\n70\n0\n62\n2.5\n0\nLAYER\n2\n${'x'.repeat(5000)}\n70\n0\n62\n9999999\n`
    const odd = drawingOf(`${line(0, 0, 9, 9, 'A\0B') + line(0, 0, 9, 9, 'x'.repeat(5000))}0\nUNKNOWN\0\n8\n0\n`, { layers, units: -1 })
    const found = await inspected(w, Buffer.from(odd.toString().replace('AC1027', `AC1027${' x'.repeat(500)}`)))
    assert.deepEqual(
      found.layers.map(({ name, colour }: { name: string; colour: number }) => [name.slice(0, 4), name.length, colour]),
      [
        ['A B', 3, 7],
        ['xxxx', 1000, 7],
      ],
    )
    assert.deepEqual([found.units, found.version.length, Object.keys(found.unsupported)], [null, 20, ['UNKNOWN ']])
    for (const units of [2.5, 99, 1e300]) assert.equal((await inspected(w, drawingOf(line(), { units }))).units, null)
    const text = '0\nTEXT\n8\n0\n10\n1\n20\n1\n40\n9\n1\nA\0\\U+D800B\x07\n'
    assert.equal((await imported(w, drawingOf(line() + text))).vector.features, 2)
  })

  test('§8 an entity with something else where a number has to be is left out, and the drawing says so', async () => {
    const w = await house.world()
    const old = (x: string) => `0\nPOLYLINE\n8\n0\n66\n1\n0\nVERTEX\n8\n0\n10\n0\n20\n0\n0\nVERTEX\n8\n0\n10\n${x}\n20\n5\n0\nSEQEND\n`
    const found = await inspected(
      w,
      drawingOf(line() + line(0, 0, 'nan', 3) + line(0, 0, '90000,5', 3) + line(0, 0, 1, '1.#INF') + old('x') + old('7')),
    )
    assert.deepEqual(found.extents, [0, 0, 10_000, 5000])
    assert.deepEqual(found.warnings, [
      {
        kind: 'unreadable',
        message: 'Entities that have something else where a number has to be are left out: 4. Export the drawing again.',
      },
    ])
  })

  test('§8 a byte order mark, blank lines and any ends of lines are read', async () => {
    const w = await house.world()
    const text = drawingOf(line(0, 0, 10_000, 5000, 'Tür')).toString()
    const old = text.replace('AC1027', 'AC1009')
    for (const file of [`\ufeff${text}`, `\ufeff${old}`, `\n \n${text}`, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')]) {
      const found = await inspected(w, Buffer.from(file))
      assert.deepEqual([found.extents, found.layers[0].name], [[0, 0, 10_000, 5000], 'Tür'], JSON.stringify(file.slice(0, 20)))
    }
    const damaged = await inspect(w, Buffer.from(`\n\n${text.replace('2\nENTITIES', 'x\nENTITIES')}`))
    assert.ok(damaged.body.error.detail.includes(`is damaged at line ${text.split('\n').indexOf('ENTITIES') + 2}:`), damaged.text)
  })

  test('§8 splines with very many points and texts with very many codes take no longer than others', async () => {
    const w = await house.world()
    const [knots, points] = [
      Array.from({ length: 60_004 }, (_, i) => `40\n${i}\n`),
      Array.from({ length: 60_000 }, (_, i) => `10\n${i}\n20\n${(i * 7919) % 9973}\n`),
    ]
    const spline = `0\nSPLINE\n8\n0\n71\n3\n${knots.join('')}${points.join('')}`
    const texts = ['\\S', '\\A', '\\S1/', '{\\fArial']
    const mtext = (said: string) => `0\nMTEXT\n8\n0\n10\n5\n20\n5\n40\n100\n1\n${said}\n`
    const found = await inspected(w, drawingOf(line() + spline + texts.map(code => mtext(code.repeat(100_000))).join('')))
    assert.deepEqual(found.extents?.map(Math.round).slice(0, 2), [0, 0])
    assert.equal((await imported(w, drawingOf(mtext('{\\fArial|b0;R\\U+00E4um} \\S1/2; \\P2')))).vector.features, 1)
  })
})
