// What the people of the demo site know about each other's work when they choose a place for a permit: the conflicts that the product itself would find.
import { compileRules, type RuleSet } from '../../shared/conflicts/compile.ts'
import { isMatrix, type Rule } from '../../shared/conflicts/rules.ts'
import { type Ground, levelsOf, type Side } from '../../shared/conflicts/sides.ts'
import { STANDARD_RULES } from '../../shared/conflicts/standard.ts'
import { indexOf, type SideIndex, sweepOne } from '../../shared/conflicts/sweep.ts'
import { planeAt } from '../../shared/geometry/plane.ts'
import { NO_FACTS } from '../../shared/predicates/entity.ts'
import { type Instant, ms } from '../../shared/time.ts'
import { NEAR_MISS, TEMPORARY_WORKS } from './clash-rules.ts'
import { box, CORNER, type Corners, FRAME } from './ground.ts'
import { ZONE } from './site.ts'
import type { Spot } from './spots.ts'

/** Work at a place for a time. `to` is null for a permit that has expired and isn't closed out. */
export type Occupied = { types: readonly string[]; spot: Spot; from: Instant; to: Instant | null; parent?: number; made_of?: number }
/** How many conflicts a permit would have. */
export type Met = { red: number; amber: number }
/** The places that are taken. */
export type Taken = {
  /** Counts the conflicts of work with everything that is there. */
  meets(work: Occupied): Met
  /** Adds work; `id` is the number of its permit, or the name of something else. */
  put(id: number | string, work: Occupied): void
}

/** The rule between permits as hal has adapted it for this site. */
function rulesOfSite(): RuleSet {
  const rules = STANDARD_RULES.flatMap((one): Rule[] => {
    if (one.system_key !== 'permit_proximity' || !isMatrix(one.content.outcome)) return []
    const cells = { ...one.content.outcome.cells, ...TEMPORARY_WORKS, ...NEAR_MISS }
    const outcome = { ...one.content.outcome, cells }
    return [{ ...one.content, outcome, id: one.system_key, origin_id: one.system_key, version: 1, enabled: true, name: one.name }]
  })
  return compileRules(rules)
}

const plane = planeAt(CORNER)
const polygon = (corners: Corners): Ground => {
  const ring = corners.map(([x, y]) => plane.degrees([x, y]))
  return { type: 'Polygon', coordinates: [[...ring, ring[0] ?? plane.degrees([0, 0])]] }
}

/** Returns the side of some work, placed as the service places a permit: what is drawn, else its zone, else its level. */
function sideOf(id: string, { types, spot, from, to, parent, made_of }: Occupied): Side {
  const zone = FRAME.find(one => one.kind === 'zone' && one.code === spot.zone)
  const building = FRAME.find(one => one.kind === 'building' && one.code === (spot.building ?? zone?.building))
  const shape = spot.at === undefined ? (zone ?? building)?.corners : box(...spot.at)
  const level_from = spot.level ?? zone?.level_from ?? null
  const stretch = {
    ...{ from: ms(from), to: to === null ? Number.POSITIVE_INFINITY : ms(to) },
    levels: levelsOf(spot.level === undefined ? { level_from, level_to: zone?.level_to ?? null } : { level_from }),
    ...{ heights: null, building_id: building?.code ?? null, zone_ids: zone === undefined ? [] : [zone.code], basis: 'own' as const },
  }
  return {
    ...{ id, lineage_id: id, kind: 'permit' },
    facts: { ...NO_FACTS, id, kind: 'permit', label: id, permit_types: [...types] },
    footprint: shape === undefined ? [] : [{ ...stretch, ground: polygon(shape) }],
    ancestor_ids: parent === undefined ? [] : [String(parent)],
    reissued_from_id: made_of === undefined ? null : String(made_of),
  }
}

const ASKED = 'asked'

/** More than the demo site plans. */
const ROOM = 1000

/** Starts with a site where nothing is planned. */
export function emptySite(): Taken {
  const site = { timezone: ZONE, centre: CORNER, oversees: new Map(), dependents: new Map() }
  const index: SideIndex = indexOf([], rulesOfSite(), site, ROOM)
  return {
    meets(work) {
      index.put(sideOf(ASKED, work))
      const found = sweepOne(index, ASKED, { from: ms(work.from), to: Number.POSITIVE_INFINITY }, ms(work.from))
      index.remove(ASKED)
      const red = found.filter(one => one.severity === 'red').length
      return { red, amber: found.length - red }
    },
    put: (id, work) => index.put(sideOf(String(id), work)),
  }
}
