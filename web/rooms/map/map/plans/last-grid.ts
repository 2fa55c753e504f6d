import { useSurveyLayers } from '../layers-data.ts'
import { lastGridOf } from './grids.ts'
import { useEveryPlan } from './plans-data.ts'

/** The code of the grid that this site used last, for a field in which a person would otherwise type it each time; null as long as none is known. */
export function useLastGrid(site_id: string): number | null {
  const [plans, layers] = [useEveryPlan(site_id, true), useSurveyLayers(site_id)]
  return lastGridOf(plans.data ?? [], layers.data ?? [])
}
