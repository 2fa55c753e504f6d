// Drawings as they are read: geometry by hand, and real files against what an independent reader found in them.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { boxOf as box, drawingOf, pairsOf as pairs, rectangle } from '../../../../tests/plans.ts'
import { heavy } from '../kit/actions/process.ts'
import { type Drawn, flatten, layerTest } from '../kit/domain/dxf-flatten.ts'
import { readDrawing } from '../kit/domain/dxf-read.ts'
import { extentsOf, guessUnits, describe as report, unitsSuspect } from '../kit/domain/dxf-report.ts'
import { plainMtext, plainText } from '../kit/domain/dxf-text.ts'
import { halfOf, stroke } from '../kit/domain/stroke.ts'

const data = (name: string) => new URL(`../../../../tests/data/${name}`, import.meta.url)

/** Returns the lines of a drawing with these entities. */
function drawn(entities: string, tolerance = 0.005, more: Parameters<typeof drawingOf>[1] = {}): Drawn[] {
  const drawing = readDrawing(drawingOf(entities, more))
  const out: Drawn[] = []
  flatten(drawing, { tolerance, shows: layerTest(drawing, null) }, one => out.push(one))
  return out
}
const bulge = (b: number) => `0\nLWPOLYLINE\n8\n0\n90\n2\n70\n0\n10\n-1\n20\n0\n42\n${b}\n10\n1\n20\n0\n`

describe('drawings', () => {
  test('§8 a block on a frozen layer is hidden with it, and shown if a person names that layer', () => {
    const blocks = '0\nBLOCK\n8\n0\n2\nDOOR\n10\n0\n20\n0\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n9\n21\n9\n0\nENDBLK\n'
    const layers = '0\nLAYER\n2\nICE\n70\n1\n62\n7\n'
    const drawing = readDrawing(drawingOf('0\nINSERT\n8\nICE\n2\nDOOR\n10\n0\n20\n0\n', { blocks, layers }))
    const shown = (wanted: readonly string[] | null) => {
      const out: string[] = []
      flatten(drawing, { tolerance: 1, shows: layerTest(drawing, wanted) }, ({ layer }) => out.push(layer))
      return out
    }
    assert.deepEqual([shown(null), shown(['0']), shown(['ICE'])], [[], [], ['ICE']])
  })

  test('§8 lines of a large drawing are so wide that they are still seen when all of it is on a screen; walls are the widest', () => {
    const [large, small] = [
      { width: 6000, height: 400 },
      { width: 800, height: 600 },
    ]
    const widthOf = (size: typeof large, shows: 'wall' | 'line' | 'grid') => {
      const ink = { ...size, cover: new Uint8Array(size.width * size.height) }
      stroke(ink, [100, 200, 700, 200], halfOf(size, shows))
      return Array.from({ length: size.height }, (_, y) => (ink.cover[y * size.width + 400] ?? 0) / 255).reduce((sum, one) => sum + one, 0)
    }
    assert.deepEqual(
      (['wall', 'line', 'grid'] as const).map(shows => Math.round(widthOf(large, shows))),
      [9, 6, 3],
    )
    assert.ok(widthOf(small, 'line') < 2 && widthOf(small, 'line') > 1, 'a small one keeps its thin lines')
  })

  test('§8 texts and layers of a drawing of release 12 are read in the code page of DOS that it names', () => {
    const pages: [string, string, number[]][] = [
      ['dos437', 'Tür 90°', [0x54, 0x81, 0x72, 0x20, 0x39, 0x30, 0xf8]],
      ['DOS850', 'Ø é', [0x9d, 0x20, 0x82]],
      ['dos852', 'Přízemí', [0x50, 0xfd, 0xa1, 0x7a, 0x65, 0x6d, 0xa1]],
      ['dos855', 'Дом', [0xa7, 0xd6, 0xd2]],
      ['dos866', 'Дом', [0x84, 0xae, 0xac]],
      ['dos860', 'São', [0x53, 0x84, 0x6f]],
      ['dos932', 'ア', [0x83, 0x41]],
      ['ANSI_1250', 'Přízemí', [0x50, 0xf8, 0xed, 0x7a, 0x65, 0x6d, 0xed]],
      ['ansi_1252', 'Tür', [0x54, 0xfc, 0x72]],
      ['ISO8859-2', 'Př', [0x50, 0xf8]],
      ['mystery', 'Tür', [0x54, 0xfc, 0x72]],
    ]
    for (const [page, text, bytes] of pages) {
      const label = String.fromCharCode(...bytes)
      const head = `9\n$ACADVER\n1\nAC1009\n9\n$DWGCODEPAGE\n3\n${page}\n`
      const entity = `0\nTEXT\n8\n${label}\n10\n1\n20\n2\n40\n1\n1\n${label}\n`
      const file = `0\nSECTION\n2\nHEADER\n${head}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${entity}0\nENDSEC\n0\nEOF\n`
      const drawing = readDrawing(Buffer.from(file, 'latin1'))
      const [shape] = drawing.shapes
      assert.deepEqual([shape?.layer, shape?.form.kind === 'text' && shape.form.text], [text, text], page)
    }
  })

  test('§8 blocks with a tilted extrusion are placed by it, with the heights of what is in them, and seen from above', () => {
    const block = (entities: string) => `0\nBLOCK\n8\n0\n2\nA\n70\n0\n10\n1\n20\n2\n30\n3\n${entities}0\nENDBLK\n`
    const insert = (extrusion: [number, number, number], more = '') =>
      `0\nINSERT\n8\n0\n2\nA\n10\n10\n20\n20\n30\n5\n210\n${extrusion[0]}\n220\n${extrusion[1]}\n230\n${extrusion[2]}\n${more}`
    const at = (x: number, y: number, z: number, k = 0) => `${10 + k}\n${x}\n${20 + k}\n${y}\n${30 + k}\n${z}\n`
    const place = (entities: string, extrusion: [number, number, number], more = '') =>
      drawn(insert(extrusion, more), 1e-5, { blocks: block(entities) })
    const rounded = (lines: readonly Drawn[]) => lines.map(({ points }) => points.map(value => Math.round(value * 1000) / 1000 || 0))
    const line = `0\nLINE\n8\n0\n${at(1, 2, 3)}${at(4, 6, 5, 1)}`
    // Northwards: the x of the block becomes west, its y up, its z north; its insertion point is 10 to the west, 20 up, 5 to the north.
    assert.deepEqual(rounded(place(line, [0, 1, 0])), [[-10, 5, -13, 7]])
    assert.deepEqual(rounded(place(line, [0, 2, 0], '43\n3\n')), [[-10, 5, -13, 11]], 'its scale along z counts')
    assert.deepEqual(rounded(place(line, [0, 0, 1])), [[10, 20, 13, 24]], 'upright, heights don’t')
    assert.deepEqual(rounded(place(line, [0, 0, -1])), [[-10, 20, -13, 24]], 'nor mirrored')
    // A circle in the plane of the block is edge-on: a line from side to side at its height.
    const circle = `0\nCIRCLE\n8\n0\n${at(1, 2, 4)}40\n2\n`
    assert.deepEqual(box(place(circle, [0, 1, 0])), [-12, 6, -8, 6])
    // A circle that is edge-on in the block faces upwards in the drawing.
    const facing = `0\nCIRCLE\n8\n0\n${at(1, 3, 2)}40\n2\n210\n0\n220\n1\n230\n0\n`
    const [seen] = place(facing, [0, 1, 0])
    assert.ok(
      pairs(seen?.points ?? []).every(([x, y]) => Math.abs(Math.hypot(x + 8, y - 5) - 2) < 1e-9),
      `${seen?.points}`,
    )
    // Half upwards: of the north and the height of the block, what is left in the plan is the same.
    const north = `0\nLINE\n8\n0\n${at(1, 2, 3)}${at(1, 3, 3, 1)}`
    const up = `0\nLINE\n8\n0\n${at(1, 2, 3)}${at(1, 2, 4, 1)}`
    const rises = place(north + up, [0, 1, 1]).map(({ points: [, from = 0, , to = 0] }) => to - from)
    assert.ok(Math.abs((rises[0] ?? 0) + Math.SQRT1_2) < 1e-9 && Math.abs((rises[1] ?? 0) - Math.SQRT1_2) < 1e-9, `${rises}`)
    const others = [
      `0\nPOLYLINE\n8\n0\n66\n1\n70\n8\n0\nVERTEX\n8\n0\n${at(1, 2, 3)}70\n32\n0\nVERTEX\n8\n0\n${at(4, 6, 5)}70\n32\n0\nSEQEND\n`,
      `0\nSPLINE\n8\n0\n71\n1\n40\n0\n40\n0\n40\n1\n40\n1\n${at(1, 2, 3)}${at(4, 6, 5)}`,
      `0\n3DFACE\n8\n0\n${at(1, 2, 3)}${at(4, 6, 5, 1)}${at(4, 6, 5, 2)}${at(1, 2, 3, 3)}`,
    ]
    for (const entity of others) assert.deepEqual(box(place(entity, [0, 1, 0])), [-13, 5, -10, 7], entity)
    const text = `0\nMTEXT\n8\n0\n${at(2, 2, 4)}1\nroom\n`
    assert.deepEqual(rounded(place(text, [0, 1, 0])), [[-11, 6]])
    // An ellipse that is upright in the block, and is tilted itself.
    const ellipse = `0\nELLIPSE\n8\n0\n${at(1, 2, 3)}${at(0, 0, 2, 1)}40\n0.5\n210\n0\n220\n1\n230\n0\n`
    assert.deepEqual(box(place(ellipse, [0, 1, 0])), [-11, 3, -9, 7])
    assert.deepEqual(
      box(drawn(`0\nELLIPSE\n8\n0\n${at(0, 0, 0)}${at(2, 0, 0, 1)}40\n1\n210\n0\n220\n1\n230\n1\n`, 1e-5)),
      [-2, -Math.SQRT2, 2, Math.SQRT2].map(value => Math.round(value * 1000) / 1000),
    )
  })

  test('§8 a dimension is drawn as its program has drawn it, a leader as its line, and a multiple line as all of its lines', () => {
    const blocks =
      '0\nBLOCK\n8\n0\n2\n*D1\n70\n1\n10\n0\n20\n0\n0\nLINE\n8\nDIMS\n10\n0\n20\n-9\n11\n50\n21\n-9\n0\nTEXT\n8\n0\n10\n25\n20\n-8\n40\n2\n1\n50\n0\nENDBLK\n'
    const dimension = (block: string, more = '') => `0\nDIMENSION\n8\nNOTES\n2\n${block}\n10\n99\n20\n99\n11\n98\n21\n98\n${more}`
    const seen = (entities: string) => drawn(entities, 1, { blocks }).map(({ layer, points, text }) => [layer, points, text])
    assert.deepEqual(seen(dimension('*D1')), [
      ['DIMS', [0, -9, 50, -9], null],
      ['NOTES', [25, -8], '50'],
    ])
    assert.deepEqual(seen(dimension('*D1', '12\n100\n22\n10\n230\n-1\n'))[0], ['DIMS', [-100, 1, -50, 1], null], 'a copy is moved')
    assert.deepEqual(
      report(readDrawing(drawingOf(dimension('*D2'), { blocks }))).unsupported,
      { DIMENSION: 1 },
      'one without a block is counted',
    )
    assert.deepEqual(seen('0\nLEADER\n8\n0\n76\n3\n10\n0\n20\n0\n30\n0\n10\n5\n20\n5\n30\n0\n10\n9\n20\n5\n30\n0\n'), [
      ['0', [0, 0, 5, 5, 9, 5], null],
    ])
    const corner = (x: number, y: number, way: [number, number]) =>
      `11\n${x}\n21\n${y}\n31\n0\n12\n1\n22\n0\n32\n0\n13\n${way[0]}\n23\n${way[1]}\n33\n0\n74\n2\n41\n1\n41\n0\n75\n0\n74\n3\n41\n-1\n41\n0\n41\n4\n75\n0\n`
    const wall = (flags: number) =>
      `0\nMLINE\n8\nWALL\n10\n0\n20\n0\n70\n1\n71\n${flags}\n72\n2\n73\n2\n${corner(0, 0, [0, 1])}${corner(9, 0, [-1, 1])}`
    assert.deepEqual(seen(wall(1)), [
      ['WALL', [0, 1, 8, 1], null],
      ['WALL', [0, -1, 10, -1], null],
    ])
    assert.deepEqual(seen(wall(3))[0], ['WALL', [0, 1, 8, 1, 0, 1], null])
  })

  test('§8 a multileader is drawn as its lines with its text or its block, a table as its program has drawn it, and a polygon of a map as its outline', () => {
    const blocks =
      '0\nBLOCK\n8\n0\n2\nTAG\n70\n0\n10\n0\n20\n0\n0\nLINE\n8\n0\n10\n1\n20\n0\n11\n2\n21\n0\n0\nENDBLK\n0\nBLOCK\n8\n0\n2\n*T1\n70\n1\n10\n0\n20\n0\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n9\n21\n0\n0\nENDBLK\n'
    const layers = '0\nENDTAB\n0\nTABLE\n2\nBLOCK_RECORD\n0\nBLOCK_RECORD\n5\n8c\n2\nTAG\n'
    const seen = (entities: string) =>
      drawn(entities, 1, { blocks, layers }).map(({ layer, points, text }) => [layer, points.map(Math.round), text])
    const line = '304\nLEADER_LINE{\n10\n0\n20\n0\n30\n0\n10\n3\n20\n3\n30\n0\n91\n0\n305\n}\n'
    const leader = `302\nLEADER{\n290\n1\n10\n5\n20\n5\n30\n0\n11\n1\n21\n0\n31\n0\n90\n0\n40\n2\n${line}303\n}\n`
    const note = (content: string) =>
      `0\nMULTILEADER\n8\nNOTES\n270\n2\n300\nCONTEXT_DATA{\n40\n1\n10\n99\n20\n99\n41\n2.5\n${content}110\n0\n${leader}301\n}\n340\n2C\n10\n1\n41\n8\n`
    assert.deepEqual(seen(note('290\n1\n304\n{\\fArial|b0;Check\\Pdoor}\n11\n0\n21\n0\n12\n8\n22\n6\n')), [
      ['NOTES', [0, 0, 3, 3, 5, 5, 7, 5], null],
      ['NOTES', [8, 6], 'Check\ndoor'],
    ])
    const tag = note(`290\n0\n296\n1\n341\n8C\n15\n20\n25\n10\n35\n0\n16\n3\n26\n3\n36\n3\n46\n${Math.PI / 2}\n`)
    assert.deepEqual(seen(tag)[1], ['NOTES', [20, 13, 20, 16], null])
    assert.deepEqual(report(readDrawing(drawingOf(tag, { blocks, layers }))).unsupported, {})
    const table = (block: string) => `0\nACAD_TABLE\n8\nNOTES\n2\n${block}\n10\n5\n20\n5\n11\n0\n21\n1\n41\n0.06\n`
    assert.deepEqual(seen(table('*T1')), [['NOTES', [5, 5, 5, 14], null]])
    assert.deepEqual(
      report(readDrawing(drawingOf(table('*T2'), { blocks }))).unsupported,
      { ACAD_TABLE: 1 },
      'one without a block is counted',
    )
    const polygon = '0\nMPOLYGON\n8\n0\n71\n0\n91\n1\n92\n3\n73\n1\n72\n0\n93\n3\n10\n0\n20\n0\n10\n4\n20\n0\n10\n4\n20\n4\n76\n1\n'
    assert.deepEqual(seen(polygon), [['0', [0, 0, 4, 0, 4, 4, 0, 0], null]])
    assert.throws(
      () => report(readDrawing(drawingOf(tag, { layers, blocks: `0\nBLOCK\n2\nTAG\n${tag}0\nENDBLK\n` }))),
      /the block “TAG” inserts itself/,
    )
  })

  test('§8 the few lines that are kilometres away from the rest are left out, and the drawing says how many', () => {
    const plan = Array.from({ length: 40 }, (_, i) => rectangle(40_000, 25_000, 'A-WALL', 530_000_000 + i, 180_000_000)).join('')
    const found = (entities: string, units = 4) => {
      const { extents, units_guess, warnings } = report(readDrawing(drawingOf(entities, { units })))
      return { extents, units_guess, strays: warnings.find(({ kind }) => kind === 'strays')?.message.match(/\d+/)?.[0] ?? null }
    }
    const whole = [530_000_000, 180_000_000, 530_040_039, 180_025_000]
    assert.deepEqual(found(plan), { extents: whole, units_guess: 4, strays: null })
    assert.deepEqual(found(plan + rectangle(10, 10)), { extents: whole, units_guess: 4, strays: '1' })
    // A line from the origin to the drawing belongs to it, and what isn't large, or has another part that is far away, is shown as it is.
    assert.equal(found(`${plan}0\nLINE\n8\n0\n10\n0\n20\n0\n11\n530000000\n21\n180000000\n`).extents?.[0], 0)
    assert.equal(found(plan + rectangle(10, 10, 'A-WALL', 530_000_000, 176_000_000)).strays, null)
    assert.equal(found(plan + rectangle(10, 10).repeat(10)).extents?.[0], 0)
  })

  test('§8 a bulge of 1 between two points 2 m apart is a half circle, and no vertex is 5 mm off', () => {
    const [line] = drawn(bulge(1))
    const points = pairs(line?.points ?? [])
    assert.ok(points.length > 10)
    for (const [x, y] of points) assert.ok(Math.abs(Math.hypot(x, y) - 1) < 0.005)
    for (const [i, [x, y]] of points.entries()) {
      const [u, v] = points[i + 1] ?? [x, y]
      assert.ok(Math.hypot((x + u) / 2, (y + v) / 2) > 1 - 0.005, 'nor is the middle of a chord')
    }
    // Anticlockwise from the left: below the line.
    assert.ok(points.every(([, y]) => y <= 1e-9))
    assert.ok(pairs(drawn(bulge(-1))[0]?.points ?? []).every(([, y]) => y >= -1e-9))
  })

  test('§8 a bulge is the tangent of a quarter of the arc’s angle', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 3, noNaN: true }), b => {
        const points = pairs(drawn(bulge(b), 1e-4)[0]?.points ?? [])
        const length = points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - (points[i]?.[0] ?? 0), y - (points[i]?.[1] ?? 0)), 0)
        const angle = 4 * Math.atan(b)
        const radius = 1 / Math.abs(Math.sin(angle / 2))
        assert.ok(Math.abs(length - radius * angle) < 0.01, `${length} beside ${radius * angle}`)
      }),
    )
  })

  test('§8 arcs, circles and ellipses have chords within the tolerance, and run the right way', () => {
    const [arc] = drawn('0\nARC\n8\n0\n10\n5\n20\n5\n40\n2\n50\n350\n51\n10\n')
    const points = pairs(arc?.points ?? [])
    assert.deepEqual(
      points.at(0)?.map(value => Math.round(value * 1000)),
      [6970, 4653],
    )
    assert.deepEqual(
      points.at(-1)?.map(value => Math.round(value * 1000)),
      [6970, 5347],
    )
    assert.deepEqual(box(drawn('0\nCIRCLE\n8\n0\n10\n5\n20\n5\n40\n2\n', 1e-6)), [3, 3, 7, 7])
    assert.deepEqual(box(drawn('0\nELLIPSE\n8\n0\n10\n0\n20\n0\n11\n0\n21\n4\n40\n0.5\n41\n0\n42\n6.283185307\n', 1e-6)), [-2, -4, 2, 4])
  })

  test('§8 a mirrored extrusion mirrors the entity, as it does an arc of a door', () => {
    const mirrored = '210\n0\n220\n0\n230\n-1\n'
    assert.deepEqual(box(drawn(`0\nCIRCLE\n8\n0\n10\n5\n20\n1\n40\n1\n${mirrored}`, 1e-6)), [-6, 0, -4, 2])
    assert.deepEqual(box(drawn(`0\nLINE\n8\n0\n10\n5\n20\n1\n11\n6\n21\n2\n${mirrored}`)), [5, 1, 6, 2], 'lines are in world coordinates')
  })

  test('§8 a spline passes through its ends, and stays within the tolerance of a finer one', () => {
    const spline =
      '0\nSPLINE\n8\n0\n70\n8\n71\n3\n72\n8\n73\n4\n40\n0\n40\n0\n40\n0\n40\n0\n40\n1\n40\n1\n40\n1\n40\n1\n10\n0\n20\n0\n10\n10\n20\n20\n10\n20\n20\n-20\n10\n30\n20\n0\n'
    const rough = pairs(drawn(spline, 0.05)[0]?.points ?? [])
    assert.deepEqual(
      [rough.at(0), rough.at(-1)],
      [
        [0, 0],
        [30, 0],
      ],
    )
    const bezier = (t: number): [number, number] => [30 * t, 60 * t * (1 - t) ** 2 - 60 * t ** 2 * (1 - t)]
    for (const [x, y] of rough) assert.ok(Math.abs(y - bezier(x / 30)[1]) < 1e-6)
    assert.ok(pairs(drawn(spline, 0.0005)[0]?.points ?? []).length > rough.length)
  })

  test('§8 a spline that is given only by points on it is curved through them, in the directions of its ends if it has any', () => {
    const through = (more = '') =>
      pairs(drawn(`0\nSPLINE\n8\n0\n70\n8\n71\n3\n74\n3\n11\n0\n21\n0\n11\n1\n21\n1\n11\n2\n21\n0\n${more}`, 1e-5)[0]?.points ?? [])
    const heightAt = (points: [number, number][], x: number) => points.find(one => Math.abs(one[0] - x) < 1e-9)?.[1] ?? Number.NaN
    // Straight at its ends, so that the slope of the first half falls from 3/2 to 0: by hand, half way up at 11/16.
    const natural = through()
    assert.deepEqual(
      [natural.at(0), natural.at(-1)],
      [
        [0, 0],
        [2, 0],
      ],
    )
    assert.ok(Math.abs(heightAt(natural, 1) - 1) < 1e-9)
    assert.ok(Math.abs(heightAt(natural, 0.5) - 11 / 16) < 1e-9)
    const [, level] = through('12\n1\n22\n0\n13\n1\n23\n0\n')
    assert.ok(Math.abs(level?.[1] ?? 1) < 0.01, 'it begins level')
  })

  test('§8 a block is scaled, turned, arrayed and nested; what is on its layer 0 is on the layer of its reference', () => {
    const block = (name: string, content: string, base = [0, 0]) =>
      `0\nBLOCK\n2\n${name}\n10\n${base[0]}\n20\n${base[1]}\n${content}0\nENDBLK\n`
    const insert = (name: string, more = '', x = 0, y = 0, layer = 'DOORS') =>
      `0\nINSERT\n8\n${layer}\n2\n${name}\n10\n${x}\n20\n${y}\n${more}`
    const blocks = block('LEAF', rectangle(2, 1, '0', 1, 1), [1, 1]) + block('PAIR', insert('leaf', '', 10, 0, '0'))
    assert.deepEqual(box(drawn(insert('LEAF', '41\n2\n42\n3\n50\n90\n', 5, 5), 0.005, { blocks })), [2, 5, 5, 9])
    assert.deepEqual(box(drawn(insert('LEAF', '41\n-1\n'), 0.005, { blocks })), [-2, 0, 0, 1])
    const grid = drawn(insert('LEAF', '50\n90\n70\n3\n71\n2\n44\n10\n45\n20\n'), 0.005, { blocks })
    assert.equal(grid.length, 6)
    assert.deepEqual(box(grid), [-21, 0, 0, 22], 'the spacing of an array is turned with it')
    const mirrored = drawn(insert('LEAF', '41\n-1\n70\n3\n44\n10\n'), 0.005, { blocks })
    assert.deepEqual(box(mirrored), [-2, 0, 20, 1], 'nor is the spacing mirrored with the block')
    const nested = drawn(insert('PAIR', '41\n2\n42\n2\n'), 0.005, { blocks })
    assert.deepEqual([box(nested), nested[0]?.layer], [[20, 0, 24, 2], 'DOORS'])
  })

  test('§8 edges of a hatch along an ellipse end where the angles are seen, as two other readers draw them', () => {
    // A quarter of an ellipse of 20 by 8 to where it is seen at 45°, and back clockwise.
    const edge = (from: number, to: number, anti: number) =>
      `0\nHATCH\n8\n0\n91\n1\n92\n1\n93\n1\n72\n3\n10\n0\n20\n0\n11\n10\n21\n0\n40\n0.4\n50\n${from}\n51\n${to}\n73\n${anti}\n97\n0\n75\n0\n`
    const ends = (entities: string) => {
      const points = pairs(drawn(entities, 1e-5)[0]?.points ?? [])
      return [points.at(0), points.at(-1)].map(point => point?.map(value => Math.round(value * 1000) / 1000))
    }
    const [x, y] = [3.714, 3.714]
    assert.deepEqual(ends(edge(0, 45, 1)), [
      [10, 0],
      [x, y],
    ])
    assert.deepEqual(ends(edge(315, 360, 0)), [
      [10, 0],
      [x, y],
    ])
    assert.deepEqual(
      box(drawn(edge(0, 360, 1), 1e-6)).map(value => Math.round(value * 1000)),
      [-10_000, -4000, 10_000, 4000],
    )
  })

  test('§8 surfaces of old polylines are drawn by their rows and columns, or the edges of their faces, and hidden edges are left out', () => {
    const vertex = (x: number, y: number, flags: number, more = '') => `0\nVERTEX\n8\n0\n10\n${x}\n20\n${y}\n70\n${flags}\n${more}`
    const polyline = (head: string, ...vertices: string[]) => `0\nPOLYLINE\n8\n0\n66\n1\n${head}${vertices.join('')}0\nSEQEND\n`
    const lines = (entities: string) => drawn(entities).map(({ points }) => points.join(' '))
    const places = [0, 1].flatMap(x => [0, 1, 2].map(y => vertex(x, y, 64)))
    assert.deepEqual(lines(polyline('70\n16\n71\n2\n72\n3\n', ...places)), ['0 0 0 1 0 2', '1 0 1 1 1 2', '0 0 1 0', '0 1 1 1', '0 2 1 2'])
    assert.deepEqual(lines(polyline('70\n48\n71\n1\n72\n3\n', ...places.slice(0, 3)))[0], '0 0 0 1 0 2 0 0', 'closed')
    const corners = [vertex(0, 0, 192), vertex(4, 0, 192), vertex(4, 4, 192), vertex(0, 4, 192)]
    const face = (...numbers: number[]) => vertex(0, 0, 128, numbers.map((number, i) => `${71 + i}\n${number}\n`).join(''))
    assert.deepEqual(lines(polyline('70\n64\n71\n4\n72\n2\n', ...corners, face(1, 2, -3), face(1, 3, 4, 9))), [
      '0 0 4 0',
      '4 0 4 4',
      '0 0 4 4 0 4 0 0',
    ])
    const shown = '0\n3DFACE\n8\n0\n10\n0\n20\n0\n11\n2\n21\n0\n12\n2\n22\n1\n13\n0\n23\n1\n70\n10\n'
    assert.deepEqual(lines(shown), ['0 0 2 0', '2 1 0 1'])
  })

  test('§8 invisible entities aren’t drawn: states of a block that it doesn’t have, and attributes for programs only', () => {
    const line = (x: number, more = '') => `0\nLINE\n8\n0\n${more}10\n0\n20\n0\n11\n${x}\n21\n0\n`
    const attribute = (text: string, flags: number) => `0\nATTRIB\n8\n0\n10\n1\n20\n1\n40\n1\n1\n${text}\n2\nTAG\n70\n${flags}\n`
    const door = `0\nBLOCK\n8\n0\n2\n*U1\n10\n0\n20\n0\n${line(1)}${line(50, '60\n1\n')}0\nENDBLK\n`
    const insert = (more = '') => `0\nINSERT\n8\n0\n${more}2\n*U1\n10\n0\n20\n0\n`
    const found = drawn(`${insert()}${insert('60\n1\n')}${attribute('D01', 0)}${attribute('£99', 1)}`, 0.005, { blocks: door })
    assert.deepEqual(
      found.map(({ text, points }) => text ?? points),
      [[0, 0, 1, 0], 'D01'],
    )
  })

  test('§8 what is scaled to infinity, or astronomically far away, is left out, so that a drawing always has extents in numbers', () => {
    const far = '0\nBLOCK\n8\n0\n2\nFAR\n10\n0\n20\n0\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n1e300\n21\n1\n0\nENDBLK\n'
    const insert = '0\nINSERT\n8\n0\n2\nFAR\n10\n0\n20\n0\n41\n1e100\n42\n1\n'
    const line = (x: number) => `0\nLINE\n8\n0\n10\n0\n20\n0\n11\n${x}\n21\n5\n`
    const text = '0\nTEXT\n8\n0\n10\n1e200\n20\n0\n40\n1\n1\nfar\n'
    const found = drawn(`${line(10)}${insert}${line(1e300)}${text}`, 0.005, { blocks: far })
    assert.deepEqual(
      found.map(({ points }) => points),
      [[0, 0, 10, 5]],
    )
    assert.deepEqual(report(readDrawing(drawingOf(`${line(10)}${insert}`, { blocks: far }))).extents, [0, 0, 10, 5])
  })

  test('§8 texts lose their codes, and keep their signs', () => {
    assert.equal(plainText('45%%d %%p2 %%c10 %%uunder%%u \\U+00E9'), '45° ±2 Ø10 under é')
    assert.equal(plainMtext('{\\fArial|b0;Room\\P\\H2.5;12}\\~m\\S1/2; \\{x\\}'), 'Room\n12 m1/2 {x}')
    assert.equal(plainMtext('\\c255;red \\S1^ 2; C:\\\\Plans\\\\P1'), 'red 1/2 C:\\Plans\\P1', 'an escaped backslash begins no code')
    assert.equal(plainText('a^ b^Ic^Jd^M'), 'a^b\tc\nd', 'signs with a caret')
    assert.equal(plainText('\\M+1938C\\M+18B9E \\M+4B0A1'), '東京 \\M+4B0A1', 'characters by their code page')
    const [text] = drawn('0\nMTEXT\n8\nT\n10\n3\n20\n4\n40\n2.5\n3\nfirst \n1\nsecond\n')
    assert.deepEqual([text?.text, text?.points, text?.height], ['first second', [3, 4], 2.5])
  })

  test('§8 the old polylines, faces, hatches and what is in paper space', () => {
    const vertex = (x: number, y: number) => `0\nVERTEX\n8\n0\n10\n${x}\n20\n${y}\n`
    const old = `0\nPOLYLINE\n8\n0\n66\n1\n70\n1\n${vertex(0, 0)}${vertex(4, 0)}${vertex(4, 3)}0\nSEQEND\n`
    assert.deepEqual(pairs(drawn(old)[0]?.points ?? []), [
      [0, 0],
      [4, 0],
      [4, 3],
      [0, 0],
    ])
    const face = '0\n3DFACE\n8\n0\n10\n0\n20\n0\n11\n2\n21\n0\n12\n2\n22\n1\n13\n0\n23\n1\n'
    assert.deepEqual(box(drawn(face)), [0, 0, 2, 1])
    const hatch =
      '0\nHATCH\n8\n0\n2\nSOLID\n91\n1\n92\n2\n72\n0\n73\n1\n93\n3\n10\n0\n20\n0\n10\n6\n20\n0\n10\n6\n20\n2\n97\n0\n75\n0\n76\n1\n98\n1\n10\n99\n20\n99\n'
    assert.deepEqual(box(drawn(hatch)), [0, 0, 6, 2])
    assert.deepEqual(drawn('0\nLINE\n67\n1\n8\n0\n10\n0\n20\n0\n11\n5\n21\n5\n'), [])
  })

  test('§8 units are guessed from the size, and suspect if they make the drawing ten times too large or small', () => {
    assert.equal(guessUnits(4, [0, 0, 50_000, 20_000]), 4)
    assert.equal(guessUnits(0, [0, 0, 50, 20]), 6)
    assert.equal(guessUnits(6, [0, 0, 50_000, 20_000]), 4)
    assert.equal(unitsSuspect(4, [0, 0, 50_000, 20_000], 48), null)
    assert.match(unitsSuspect(6, [0, 0, 50_000, 20_000], 48)?.message ?? '', /more than ten times.*millimetres \(4\)/)
    assert.match(unitsSuspect(4, [0, 0, 50, 20], 48)?.message ?? '', /less than a tenth.*metres \(6\)/)
  })

  test('§8 real drawings give the version, units, entities and extents that an independent reader found', () => {
    type Expected = {
      file: string
      version: string
      units: number | null
      types: Record<string, number>
      layers: string[]
      used_layers: Record<string, number>
      extents: number[][] | null
    }
    const expected: Expected[] = JSON.parse(readFileSync(data('dxf/expected.json'), 'utf8'))
    let seen = 0
    for (const { file, version, units, types, layers, used_layers, extents } of expected) {
      let bytes: Buffer
      try {
        bytes = readFileSync(data(`dxf/${file}`))
      } catch {
        continue // a sample that isn't part of the project
      }
      seen++
      const drawing = readDrawing(bytes)
      const said = report(drawing)
      // The independent reader adds the units of a new drawing to an old one that has none, and writes AC1003 as AC1009.
      if (version !== 'AC1009') assert.deepEqual([said.version, said.units], [version, units], file)
      const found: Record<string, number> = { ...said.unsupported }
      for (const { type } of drawing.shapes) if (type !== 'ATTRIB') found[type] = (found[type] ?? 0) + 1
      assert.deepEqual(found, types, file)
      for (const { name } of said.layers)
        assert.ok(
          [...layers, ...Object.keys(used_layers)].some(one => one.replace('\\U+00FC', 'ü') === name),
          `${file}: ${name}`,
        )
      if (said.extents === null || extents === null) continue
      // It includes the size of texts and the control points of curves, so ours is within.
      const [left, bottom, right, top] = said.extents
      const slack = Math.max(right - left, top - bottom) / 100 + 1e-6
      const [[l = 0, b = 0] = [], [r = 0, t = 0] = []] = extents
      assert.ok(left >= l - slack && bottom >= b - slack && right <= r + slack && top <= t + slack, `${file}: ${said.extents}`)
      if (!['TEXT', 'MTEXT', 'DIMENSION', 'POINT', 'INSERT', 'SPLINE', 'ELLIPSE', 'LEADER'].some(type => type in types))
        assert.ok(Math.abs(left - l) < slack && Math.abs(top - t) < slack && Math.abs(right - r) < slack, `${file}: ${said.extents}`)
    }
    assert.ok(seen >= 20)
  })

  test('§8 any damage to a real drawing is refused or survived, and never hangs', () => {
    const bytes = readFileSync(data('dxf/layers.dxf'))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.nat(bytes.length),
        (changes, length) => {
          const damaged = Buffer.from(bytes.subarray(0, Math.max(100, length)))
          for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value
          try {
            const drawing = readDrawing(damaged)
            extentsOf(drawing, () => true, 1)
          } catch (error) {
            assert.equal(error instanceof Error ? error.name : '', 'DrawingFault', String(error))
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('§8 the same house as a drawing and as a PDF has the same size in its lines', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'walkdown-plan-'))
    try {
      const [a, b, c] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')]
      const path = (name: string) => data(name).pathname
      const drawing = await heavy.drawing({ path: path('dxf/floorplan.dxf'), layers: null, metres: 0.0254, out: a, picture_out: b })
      assert.ok(drawing.vectors.features > 900 && (drawing.vectors.counts.wall ?? 0) > 100)
      const pdf = await heavy.pdfLines({ path: path('pdf/floorplan.pdf'), type: 'application/pdf', page: 1, width: 1518, height: 1440 }, c)
      assert.ok(pdf.features > 10_000)
      assert.ok(drawing.picture.size > 1000 && drawing.view.width > 1000)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
