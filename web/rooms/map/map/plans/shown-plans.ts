// The plans of what is looked at, on any map of the app.
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { useHere } from '../../../../base/site.tsx'
import type { Frame } from '../model.ts'
import type { Floor } from '../scene.ts'
import { usePlanGround } from './plan-ground.ts'
import { sheetsOf } from './plan-list.ts'
import { type FloorPlan, useActiveMap, usePlansAt, useRevision } from './plans-data.ts'
import { useSeen } from './prefs.ts'

const NONE: readonly FloorPlan[] = []

/** Draws the site map and the plans of a level below everything else, as this device shows them; `at`: as they were then. */
export function useShownPlans(map: MapLibre | null, at: string | null, frame: Frame, floor: Floor) {
  const { site_id } = useHere()
  const active = useActiveMap(site_id, at)
  const plans = usePlansAt(site_id, at)
  useRevision(site_id, at === null)
  const seen = useSeen()
  const current = active.data?.site_map ?? null
  const alive = plans.data ?? NONE
  const sheets = useMemo(
    () => sheetsOf({ site_id, map: current, plans: alive, frame, floor, seen }),
    [site_id, current, alive, frame, floor, seen],
  )
  return { active, plans, current, alive, missing: usePlanGround(map, sheets) }
}
