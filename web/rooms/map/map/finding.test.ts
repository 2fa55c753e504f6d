import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { areaOf } from '../../../../shared/geometry/plane.ts'
import { gridOver, gridStep, groundOfFile, groundOfMetres, spotIn } from './finding.ts'
import type { Ground } from './model.ts'

const START = [-0.02, 51.505] as const
const area = (ground: unknown) => areaOf(ground as Ground & Parameters<typeof areaOf>[0]) // a polygon, which the lines before assert

describe('outlines from other sources', () => {
  test('9.20 an outline can be typed in metres from a point, and an error shows which line isn’t a corner', () => {
    const ground = groundOfMetres(START, '0, 0\n120 0\n120, 80\n0; 80')
    assert.ok(ground !== null && typeof ground !== 'string')
    assert.ok(Math.abs(area(ground) - 9600) < 60, String(area(ground)))
    assert.equal(groundOfMetres(START, '0, 0\n120, east'), '120, east')
    assert.equal(groundOfMetres(START, '0, 0\n120, 0'), null)
    assert.equal(groundOfMetres(START, '0, 0\n99999999, 0'), '99999999, 0')
  })

  test('9.19 a boundary is read from any form of GeoJSON and from KML; an error says when a file has none', () => {
    const ring = [
      [-0.02, 51.5],
      [-0.01, 51.5],
      [-0.01, 51.51],
      [-0.02, 51.5],
    ]
    const polygon = { type: 'Polygon', coordinates: [ring] }
    for (const whole of [
      polygon,
      { type: 'Feature', geometry: polygon },
      { type: 'FeatureCollection', features: [{ type: 'Feature', geometry: polygon }] },
    ])
      assert.deepEqual(groundOfFile(JSON.stringify(whole)), { ground: polygon, holes: 0, flats: 0, inside: 0 })
    const kml = (inside: string) => `\uFEFF<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2">${inside}</kml>`
    const coordinates = ring.map(at => `${at.join(',')},12`).join('\n ')
    const shape = `<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates> ${coordinates} </coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`
    assert.deepEqual(groundOfFile(kml(shape)), { ground: polygon, holes: 0, flats: 0, inside: 0 })
    const apart = shape.replaceAll('51.5', '51.6')
    assert.equal(groundOfFile(kml(shape + apart))?.ground.type, 'MultiPolygon')
    assert.deepEqual(groundOfFile(kml(shape + shape)), { ground: polygon, holes: 0, flats: 0, inside: 1 })
    for (const bad of [
      '',
      '{',
      '[1]',
      '"text"',
      kml('<Point><coordinates>1,2</coordinates></Point>'),
      '{"type":"Polygon","coordinates":7}',
    ])
      assert.equal(groundOfFile(bad), null, bad)
  })

  test('9.19 holes of a boundary and polygons without an area are left out, and counted, in GeoJSON and in KML', () => {
    const ring = (x: number, size: number) =>
      [0, 1, 2, 0].map(i => [Number((x + (i === 1 ? size : 0)).toFixed(7)), Number((51.5 + (i === 2 ? size : 0)).toFixed(7))])
    const [outer, hole, other] = [ring(-0.02, 0.01), ring(-0.018, 0.001), ring(-0.005, 0.001)]
    const flat = [outer[0], outer[1], outer[0]]
    const one = { ground: { type: 'Polygon', coordinates: [outer] }, holes: 2, flats: 0, inside: 0 }
    const json = (coordinates: unknown) => groundOfFile(JSON.stringify({ type: 'MultiPolygon', coordinates }))
    assert.deepEqual(json([[outer, hole, other]]), one)
    assert.deepEqual(json([[outer, hole], [other, hole], [flat], []]), {
      ground: { type: 'MultiPolygon', coordinates: [[outer], [other]] },
      holes: 2,
      flats: 2,
      inside: 0,
    })
    const xml = (corners: unknown[][]) => `<LinearRing><coordinates>${corners.map(at => at.join(',')).join(' ')}</coordinates></LinearRing>`
    const shape = (out: unknown[][], ...inside: string[]) =>
      `<Polygon><outerBoundaryIs>${xml(out)}</outerBoundaryIs>${inside.map(at => `<innerBoundaryIs>${at}</innerBoundaryIs>`).join('')}</Polygon>`
    const kml = (inside: string) => groundOfFile(`<kml><Placemark>${inside}</Placemark></kml>`)
    assert.deepEqual(kml(shape(outer, xml(hole), xml(other))), one)
    assert.deepEqual(kml(shape(outer, xml(hole) + xml(other))), one)
    assert.deepEqual(kml(shape(outer) + shape([outer[0] ?? []])), { ...one, holes: 0, flats: 1 })
    assert.equal(kml(shape([outer[0] ?? []])), null)
  })

  test('9.19 an export of a site gives its boundary: the buildings and zones inside it are left out, and counted', () => {
    const square = (x: number, size: number, properties: object) => ({
      type: 'Feature',
      properties,
      geometry: {
        type: 'Polygon',
        coordinates: [[0, 1, 2, 3, 0].map(i => [x + (i === 1 || i === 2 ? size : 0), 51.5 + (i > 1 ? size : 0)])],
      },
    })
    const [boundary, block, bay] = [square(-0.02, 0.01, { layer: 'boundary' }), square(-0.019, 0.002, {}), square(-0.019, 0.001, {})]
    const read = groundOfFile(JSON.stringify({ type: 'FeatureCollection', features: [bay, block, boundary] }))
    assert.deepEqual(read, { ground: boundary.geometry, holes: 0, flats: 0, inside: 2 })
  })

  test('9.20 coordinates are read as people type them', () => {
    assert.deepEqual(spotIn('51.505, -0.02'), [-0.02, 51.505])
    for (const bad of ['', '51', '151, 2', '51, 2, 3', 'here']) assert.equal(spotIn(bad), null, bad)
  })

  test('9.20 the grid has round metres at every zoom, and never thousands of lines', () => {
    for (let zoom = 0; zoom <= 22; zoom += 0.5) assert.match(String(gridStep(51.5, zoom)), /^[125]0*$/, String(zoom))
    const step = gridStep(51.5, 17)
    assert.ok(step >= 20 && step <= 100, String(step))
    assert.ok(gridOver([-0.022, 51.504, -0.018, 51.506], START, step).features.length > 5)
    assert.ok(gridOver([-180, -85, 180, 85], START, 1).features.length < 200)
  })
})
