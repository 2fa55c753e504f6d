// What is on the map as sides of conflicts (`conflict-and-planning.md` §4.2): where each occurrence is from its start to its end. Pure.
import { COUNTED } from '../../../../../shared/conflicts/effective.ts'
import { type Ground, levelsOf, type Side } from '../../../../../shared/conflicts/sides.ts'
import type { Areal } from '../../../../../shared/geometry/plane.ts'
import type { EntityFacts } from '../../../../../shared/predicates/entity.ts'
import { dateOn, type Instant, ms, type WorkDate } from '../../../../../shared/time.ts'
import type { Id } from '../../../../base/ids.ts'
import { examinationState } from '../../../map/plant/domain.ts'
import { type EnvelopeRow, envelopesOf } from './envelopes.ts'

/** An occurrence of something on the map, with what conditions can ask about it and the permits that cover it. Fields of other kinds are null. */
export type ThingRow = Omit<EnvelopeRow, 'kind' | 'polygon'> & {
  kind: 'worker' | 'plant' | 'delivery' | 'active_area'
  id: Id
  label: string
  contractor_id: Id | null
  start_at: Instant
  end_at: Instant | null
  building_id: Id | null
  level_index: number | null
  zone_id: Id | null
  schedule_group_id: Id | null
  source_plant_id: Id | null
  /** What was drawn; of an active area, what is left of it after cuts. */
  polygon: Areal | null
  trade: string | null
  headcount: number | null
  delivery_status: string | null
  area_kind: string | null
  exclusive: boolean | null
  base_m: number | null
  top_m: number | null
  category: string | null
  lifting: boolean | null
  lifts_persons: boolean | null
  examination_due_on: WorkDate | null
  permits: { id: Id; status: string; categories: string[] }[]
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].sort()
const zonesOf = ({ zone_id }: ThingRow): Id[] => (zone_id === null ? [] : [zone_id])

function groundsOf({ kind, polygon, ...row }: ThingRow): Ground[] {
  if (kind === 'active_area') return polygon === null ? [] : [polygon]
  return envelopesOf({ ...row, kind, polygon })
}

function factsOf(row: ThingRow, timezone: string, now: Instant): EntityFacts {
  const { kind, id, label, contractor_id, start_at, end_at, building_id, level_index, lifting } = row
  const { trade, headcount, area_kind, exclusive, delivery_status, schedule_group_id, category, lifts_persons, examination_due_on } = row
  return {
    ...{ id, kind, label, contractor_id, start_at, end_at, trade, headcount, area_kind, exclusive, delivery_status },
    ...{ plant_category: category, lifting, lifts_persons, building_id, level_index, zone_ids: zonesOf(row), schedule_group_id },
    examination_state: lifting === null ? null : examinationState({ lifting, examination_due_on }, dateOn(timezone, now)),
    // Of permits that are in review or live (§0.4, `permit_types`).
    permit_types: unique(row.permits.filter(({ status }) => COUNTED.includes(status)).flatMap(({ categories }) => categories)),
    permit_statuses: unique(row.permits.map(({ status }) => status)),
    has_live_permit: row.permits.some(({ status }) => status === 'issued'),
    ...{ work_line_id: null, activity_key: null },
  }
}

/** Returns something on the map as a side. `now` says on which site day examinations are looked at. */
export function thingSide(row: ThingRow, timezone: string, now: Instant): Side {
  const { id, kind, start_at, end_at, building_id, level_index, base_m, top_m, schedule_group_id, source_plant_id } = row
  return {
    ...{ id, kind },
    lineage_id: schedule_group_id ?? source_plant_id ?? id,
    facts: factsOf(row, timezone, now),
    footprint: groundsOf(row).map(ground => ({
      from: ms(start_at),
      to: end_at === null ? Number.POSITIVE_INFINITY : ms(end_at),
      ...{ ground, building_id, zone_ids: zonesOf(row), basis: 'entity' },
      levels: levelsOf({ level_from: level_index, on_open_ground: building_id === null }),
      heights: base_m === null || top_m === null ? null : { base_m, top_m },
    })),
    permit_ids: row.permits.map(permit => permit.id),
  }
}
