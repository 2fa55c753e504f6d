import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { steady, surveyLooks, toleranceAt } from './survey.ts'

const layer = {
  ...{ id: 'a', site_id: 's', name: 'Gas', role: 'utilities' as const, source: null, surveyed_on: null, visible: true, sort: 0 },
  ...{
    style: { stroke: '#f5b800', fill: '#f5b800', width: 3, label_property: 'ref' },
    utility: 'gas' as const,
    quality_level: 'QL-D' as const,
  },
  ...{ reference_kind: null, map: null, status: 'ready' as const, crs: null, accuracy_m: null, feature_count: 1, bounds: null },
  ...{
    property_schema: [],
    content_version: 1,
    version: 1,
    deleted_at: null,
    created_at: '',
    created_by: null,
    updated_at: '',
    updated_by: null,
  },
}

describe('layers of surveys on the map', () => {
  test('§9 a service that nobody has seen is dashed, and one that was detected is not', () => {
    const dashed = (quality_level: 'QL-D' | 'QL-B') => {
      const line = surveyLooks({ ...layer, quality_level, permissions: {} as never }).find(one => one.type === 'line')
      return line?.paint !== undefined && 'line-dasharray' in line.paint
    }
    assert.deepEqual([dashed('QL-D'), dashed('QL-B')], [true, false])
    assert.equal(surveyLooks({ ...layer, permissions: {} as never }).length, 4)
  })

  test('a box contains what is shown, and stays the same while the map moves a little', () => {
    const shown = [-0.0912, 51.5031, -0.0844, 51.5077] as const
    const box = steady(shown)
    assert.ok(box[0] <= shown[0] && box[1] <= shown[1] && box[2] >= shown[2] && box[3] >= shown[3])
    assert.deepEqual(steady([-0.09119, 51.50311, -0.08439, 51.50771]), box)
    assert.ok(box[2] - box[0] < 2 * (shown[2] - shown[0]))
  })

  test('lines are simplified by about a pixel, and not at all when someone looks closely', () => {
    assert.deepEqual([toleranceAt(18), toleranceAt(17), toleranceAt(14)], [0, 1, 8])
    assert.equal(
      toleranceAt(4),
      1000,
      'the service refuses more, and a map that shows half of Europe would say that the layer can’t be loaded',
    )
  })
})
