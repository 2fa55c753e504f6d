// The grid of a site, as far as what is already there says it: a site has no setting for it.
import type { SurveyLayer } from '../layers-data.ts'
import type { FloorPlan } from './plans-data.ts'

/** Systems of degrees and of web maps: nobody writes down a survey in them. */
const NO_GRIDS = [4326, 3857]

/** Returns the code of the grid of the plan that was changed last; without such a plan, that of the layer whose file was read last. Null: no code is known. */
export function lastGridOf(
  plans: readonly Pick<FloorPlan, 'updated_at' | 'placement'>[],
  layers: readonly Pick<SurveyLayer, 'updated_at' | 'crs'>[],
): number | null {
  const newest = (codes: { at: string; epsg: number }[]) => codes.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0]?.epsg ?? null
  const ofPlans = plans.flatMap(({ updated_at, placement }) => (placement?.epsg == null ? [] : [{ at: updated_at, epsg: placement.epsg }]))
  const ofLayers = layers.flatMap(({ updated_at, crs }) => {
    const epsg = Number(/^EPSG:(\d+)$/.exec(crs ?? '')?.[1] ?? 0)
    return epsg === 0 || NO_GRIDS.includes(epsg) ? [] : [{ at: updated_at, epsg }]
  })
  return newest(ofPlans) ?? newest(ofLayers)
}
