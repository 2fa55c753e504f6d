import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastGridOf } from './grids.ts'
import type { FloorPlan } from './plans-data.ts'

const placement = {
  ...{
    mode: 'grid',
    approximate: false,
    matrix: [],
    origin: { lon: 0, lat: 51 },
    model: null,
    points: [],
    rmse_m: null,
    max_residual_m: null,
  },
  ...{ redundancy: null, quality: null, ground_resolution_m: 0.1, rotation_deg: 0, scale_ratio: 1 },
} satisfies Omit<NonNullable<FloorPlan['placement']>, 'epsg'>
const plan = (updated_at: string, epsg: number | null) => ({ updated_at, placement: { ...placement, epsg } })
const layer = (updated_at: string, crs: string | null) => ({ updated_at, crs })

describe('the grid that a site used last', () => {
  test('§8 it is that of the plan that was placed last in a grid; plans placed without one don’t count', () => {
    const plans = [
      plan('2026-03-01', 27700),
      plan('2026-03-03', 25832),
      plan('2026-03-04', null),
      { updated_at: '2026-03-05', placement: null },
    ]
    assert.equal(lastGridOf(plans, [layer('2026-03-06', 'EPSG:32630')]), 25832)
  })

  test('§8 without such a plan it is that of the newest survey layer in a grid, never degrees or a web map; on a new site none is known', () => {
    const layers = [
      layer('2026-03-01', 'EPSG:27700'),
      layer('2026-03-02', 'EPSG:4326'),
      layer('2026-03-03', 'EPSG:3857'),
      layer('2026-03-04', null),
    ]
    assert.equal(lastGridOf([plan('2026-03-09', null)], layers), 27700)
    assert.equal(lastGridOf([], layers.slice(1)), null)
    assert.equal(lastGridOf([], []), null)
  })
})
