// What people type to fill the rest of a place, as plain data.
import type { Schemas } from '../../../../base/api.ts'
import type { Feature, Ground } from '../model.ts'
import type { AreaKind } from './areas.ts'

/** A form of a fill, as it is typed. */
export type FillTyped = {
  feature_id: string
  level_index: string
  name: string
  area_kind: AreaKind
  contractor_id: string
  start_at: string | null
  end_at: string | null
  clearance_m: string
  bays: boolean
  width_m: string
  length_m: string
  bearing_deg: string
}

const QUARTER_MS = 15 * 60_000
const SHIFT_MS = 8 * 3_600_000

/** Returns what the form of a fill starts with. */
export function fillStart(now: number, feature: Feature | null, level: number | null): FillTyped {
  const start = Math.floor(now / QUARTER_MS) * QUARTER_MS
  return {
    feature_id: feature?.id ?? '',
    level_index: level === null ? '' : String(level),
    name: '',
    area_kind: 'work',
    contractor_id: '',
    start_at: new Date(start).toISOString(),
    end_at: new Date(start + SHIFT_MS).toISOString(),
    clearance_m: '0',
    bays: false,
    width_m: '10',
    length_m: '10',
    bearing_deg: '0',
  }
}

/** Returns the lowest level that a place can be filled on, if no other is chosen; null outdoors. */
export function levelFor(feature: Feature | undefined, level_index: string): number | null {
  if (level_index !== '') return Number(level_index)
  if (feature?.kind === 'building') return feature.levels.find(level => level.index >= 0)?.index ?? 0
  return feature?.building_id == null ? null : (feature.level_from ?? 0)
}

/** Returns what is sent from a form; null while there is nothing to fill or no time. */
export function fillBody(typed: FillTyped, site_id: string, feature: Feature | undefined, drawn: Ground | null): Schemas['NewFill'] | null {
  const { start_at, end_at } = typed
  if (start_at === null || end_at === null || (feature === undefined && drawn === null)) return null
  return {
    ...{ site_id, start_at, end_at },
    container: feature === undefined ? { polygon: drawn ?? undefined } : { feature_id: feature.id },
    level_index: levelFor(feature, typed.level_index),
    template: { name: typed.name.trim(), area_kind: typed.area_kind, contractor_id: typed.contractor_id || null },
    clearance_m: Number(typed.clearance_m) || 0,
    ...(typed.bays
      ? { bay: { width_m: Number(typed.width_m), length_m: Number(typed.length_m), bearing_deg: Number(typed.bearing_deg) || 0 } }
      : {}),
  }
}
