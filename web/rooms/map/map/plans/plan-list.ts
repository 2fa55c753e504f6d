// Plans in order: which of them the map shows, and the versions of each level. Pure.
import type { Feature, Frame } from '../model.ts'
import type { Floor } from '../scene.ts'
import type { FloorPlan, SiteMap } from './plans-data.ts'
import type { Seen } from './prefs.ts'

/** A picture to draw on the map. `ink`: it has dark lines and no paper. */
export type Sheet = { id: string; content_version: number; is_map: boolean; opacity: number; min_zoom: number; ink: boolean }

/** The key by which a device remembers how a site map is seen: new versions are seen in the same way. */
export const mapKey = (site_id: string): string => `site ${site_id}`
/** The key by which a device remembers how the plan of a level is seen. */
export const planKey = ({ feature_id, level_index }: Pick<FloorPlan, 'feature_id' | 'level_index'>): string =>
  `${feature_id} ${level_index}`

/** Weaker than it is, so that what is drawn over it is easy to read. */
const MAP_OPACITY = 0.8

/** Returns how a plan is seen on this device. */
export const seenAs = (seen: Seen | undefined, opacity = MAP_OPACITY): Required<Seen> => ({
  shown: seen?.shown ?? true,
  opacity: seen?.opacity ?? opacity,
})

/** Returns whether a plan is on the selected level. The plan of an area, or of a zone that isn't in a building, always is. */
export function isOnFloor(plan: Pick<FloorPlan, 'feature_id' | 'level_index'>, frame: Frame, floor: Floor): boolean {
  const feature = frame.get(plan.feature_id)
  if (feature === undefined) return false
  const building = feature.kind === 'building' ? feature.id : feature.building_id
  if (building == null) return true
  const [from, to] =
    feature.kind === 'building' || feature.level_from == null
      ? [plan.level_index, plan.level_index]
      : [feature.level_from, feature.level_to ?? feature.level_from]
  return floor?.building === building && floor.level !== null && from <= floor.level && floor.level <= to
}

type Showing = {
  site_id: string
  map: SiteMap | null
  plans: readonly FloorPlan[]
  frame: Frame
  floor: Floor
  seen: Readonly<Record<string, Seen>>
}

/** Returns what is drawn, from the bottom up: the site map, and the plans of the selected level. */
export function sheetsOf({ site_id, map, plans, frame, floor, seen }: Showing): Sheet[] {
  const sheets: Sheet[] = []
  if (map !== null && map.content_version > 0) {
    const { shown, opacity } = seenAs(seen[mapKey(site_id)])
    if (shown && opacity > 0)
      sheets.push({ id: map.id, content_version: map.content_version, is_map: true, opacity, min_zoom: 0, ink: false })
  }
  for (const plan of plans) {
    if (plan.content_version === 0 || !plan.visible || !isOnFloor(plan, frame, floor)) continue
    const { shown, opacity } = seenAs(seen[planKey(plan)], plan.opacity)
    const { id, content_version, min_zoom } = plan
    if (shown && opacity > 0) sheets.push({ id, content_version, is_map: false, opacity, min_zoom, ink: plan.source_kind === 'dxf' })
  }
  return sheets
}

/** The versions of a level: the one that is shown in lists, and all of them, newest first. */
export type Level = { feature: Feature; level_index: number; current: FloorPlan; versions: readonly FloorPlan[] }

const isActive = ({ start_at, end_at, status }: FloorPlan, now: number): boolean =>
  status !== 'failed' && Date.parse(start_at) <= now && (end_at === null || Date.parse(end_at) > now)

/** Returns the levels that have plans, by feature and level. The newest failed version of a level is listed until a later one works. */
export function levelsWithPlans(all: readonly FloorPlan[], frame: Frame, now: number): Level[] {
  const groups = new Map<string, FloorPlan[]>()
  for (const plan of all) {
    const key = planKey(plan)
    groups.set(key, [...(groups.get(key) ?? []), plan])
  }
  const levels = [...groups.values()].flatMap((group): Level[] => {
    const versions = group.toSorted((a, b) => b.start_at.localeCompare(a.start_at) || b.created_at.localeCompare(a.created_at))
    const [newest] = versions
    const feature = frame.get(newest?.feature_id ?? '')
    if (newest === undefined || feature === undefined) return []
    const current = versions.find(one => isActive(one, now)) ?? newest
    return [{ feature, level_index: newest.level_index, current, versions }]
  })
  return levels.toSorted((a, b) => a.feature.name.localeCompare(b.feature.name) || b.level_index - a.level_index)
}

/** Returns the version of a level that failed after the one that is shown; null if none did. */
export const failedSince = ({ current, versions }: Level): FloorPlan | null => {
  const [latest] = versions.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  return latest !== undefined && latest.id !== current.id && latest.status === 'failed' ? latest : null
}

/** Returns the name of a level; null if the feature has no levels. */
export const levelName = (feature: Feature, level_index: number): string | null =>
  feature.levels.find(one => one.index === level_index)?.name ?? null
