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
      assert.deepEqual(groundOfFile(JSON.stringify(whole)), polygon)
    const kml = (inside: string) => `\uFEFF<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2">${inside}</kml>`
    const coordinates = ring.map(at => `${at.join(',')},12`).join('\n ')
    const shape = `<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates> ${coordinates} </coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`
    assert.deepEqual(groundOfFile(kml(shape)), polygon)
    assert.equal(groundOfFile(kml(shape + shape))?.type, 'MultiPolygon')
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
