// The rules that every site has from the start (`conflict-and-planning.md` §1). A later revision of the product raises `revision` of what it changes; sites take
// it over when they synchronise, unless they have customised the rule. Pure data.
import type { Cell, LevelRule, RuleContent } from './rules.ts'

/** A standard rule. */
export type StandardRule = {
  system_key: string
  revision: number
  name: string
  description: string
  enabled: boolean
  content: RuleContent
}

/** GEN general, HW hot work, CSE confined space entry, WAH work at height, EXC excavation, ELE electrical, CRO crane, PRT pressure test, RAD radiography, LIFT lifting. */
export const STANDARD_TYPES = ['GEN', 'HW', 'CSE', 'WAH', 'EXC', 'ELE', 'CRO', 'PRT', 'RAD', 'LIFT'] as const

// Each row starts at its own type: o off, a amber, r red.
const ROWS = ['ooooooarra', 'oraaaarra', 'aararrrr', 'aaarrrr', 'orrrra', 'aarra', 'rrra', 'rrr', 'rr', 'r']
const OUTCOME = { o: 'off', a: 'amber', r: 'red' } as const

/** How far apart two types must be, and on which levels; null: the rule’s own distance and levels. */
function spacing(x: string, y: string): { distance_m: number; levels: LevelRule } | null {
  const is = (...codes: string[]) => codes.includes(x) || codes.includes(y)
  // The barrier of radiography is set by the measured dose rate; 50 m is for planning.
  if (is('RAD')) return { distance_m: 50, levels: { mode: 'any' } }
  // Stored energy (HSE GS4).
  if (is('PRT')) return { distance_m: 30, levels: { mode: 'within', max_gap: 1 } }
  // Nobody under the load path (LOLER, BS 7121).
  if (is('CRO', 'LIFT')) return { distance_m: 20, levels: { mode: 'any' } }
  // Sparks fall; about 10 m stay clear.
  if (is('HW') && is('CSE', 'WAH')) return { distance_m: 10, levels: { mode: 'within', max_gap: 1 } }
  return null
}

function standardCells(): Record<string, Cell> {
  const cells: Record<string, Cell> = { '*|*': 'off' }
  for (const [i, x] of STANDARD_TYPES.entries())
    for (const [j, y] of STANDARD_TYPES.slice(i).entries()) {
      const letter = ROWS[i]?.[j]
      const outcome = letter === 'r' || letter === 'a' ? OUTCOME[letter] : OUTCOME.o
      const space = spacing(x, y)
      const cell: Cell = outcome === 'off' || space === null ? outcome : { outcome, ...space }
      cells[`${x}|${y}`] = cell
      cells[`${y}|${x}`] = cell
    }
  return cells
}

const SAME: LevelRule = { mode: 'same' }
const ANY: LevelRule = { mode: 'any' }
const PERMITS = { kinds: ['permit'] } as const
const WORKERS = { kinds: ['worker'] } as const
const base = { when: true, levels: SAME, time_buffer_minutes: 0, min_overlap_minutes: 0 } as const
const isMeeting = { field: 'pair.containment', op: 'ne', value: 'none' } as const
const onOtherLine = { field: 'pair.same_work_line', op: 'eq', value: false } as const
const MOVING = [
  'excavator',
  'telehandler',
  'forklift',
  'dumper',
  'roller',
  'dozer',
  'piling_rig',
  'mobile_crane',
  'crawler_crane',
  'vehicle',
]
const CRANES = ['tower_crane', 'mobile_crane', 'crawler_crane']
const categoryIn = (side: 'a' | 'b', value: string[]) => ({ field: `${side}.plant_category`, op: 'in', value }) as const

/** Every standard rule. */
export const STANDARD_RULES: readonly StandardRule[] = [
  {
    system_key: 'permit_proximity',
    revision: 1,
    name: 'Permits too close together',
    description: 'Two permits whose types can’t be near each other, at the same time.',
    enabled: true,
    content: {
      ...base,
      a: PERMITS,
      b: PERMITS,
      outcome: { matrix: 'permit_type', default_distance_m: 10, cells: standardCells() },
    },
  },
  {
    system_key: 'exclusion_zone_entry',
    revision: 1,
    name: 'Inside an exclusion zone',
    description: 'People, plant or a delivery of another contractor in an exclusion zone.',
    enabled: true,
    content: {
      ...base,
      a: { kinds: ['worker', 'plant', 'delivery'] },
      b: { kinds: ['active_area'] },
      when: {
        all: [{ field: 'b.area_kind', op: 'eq', value: 'exclusion' }, isMeeting, { not: { contractor_relation: 'same' } }, onOtherLine],
      },
      outcome: { severity: 'red' },
    },
  },
  {
    system_key: 'under_the_hook',
    revision: 1,
    name: 'Under the hook',
    description: 'People inside a lifting area that isn’t theirs, on any level.',
    enabled: true,
    content: {
      ...base,
      a: WORKERS,
      b: { kinds: ['active_area'] },
      levels: ANY,
      when: { all: [{ field: 'b.area_kind', op: 'eq', value: 'lifting' }, isMeeting, onOtherLine] },
      outcome: { severity: 'red' },
    },
  },
  {
    system_key: 'people_and_plant',
    revision: 1,
    name: 'People near moving plant',
    description: 'People inside the exclusion area of a machine that moves or slews, unless both work on the same work line.',
    enabled: true,
    content: {
      ...base,
      a: WORKERS,
      b: { kinds: ['plant'] },
      when: { all: [categoryIn('b', MOVING), { within_m: 0 }, onOtherLine] },
      outcome: { severity: 'amber' },
    },
  },
  {
    system_key: 'crane_slew_overlap',
    revision: 1,
    name: 'Cranes that can reach each other',
    description: 'Two cranes whose exclusion areas meet, on any level.',
    enabled: true,
    content: {
      ...base,
      a: { kinds: ['plant'] },
      b: { kinds: ['plant'] },
      levels: ANY,
      when: { all: [categoryIn('a', CRANES), categoryIn('b', CRANES), { within_m: 0 }] },
      outcome: { severity: 'amber' },
    },
  },
  {
    system_key: 'gate_congestion',
    revision: 2,
    name: 'Deliveries at one gate',
    description: 'Two deliveries within 15 m of each other, each with 15 minutes before and after it.',
    enabled: true,
    content: {
      ...base,
      a: { kinds: ['delivery'] },
      b: { kinds: ['delivery'] },
      when: { within_m: 15 },
      time_buffer_minutes: 15,
      outcome: { severity: 'amber' },
    },
  },
  {
    system_key: 'one_above_other',
    revision: 1,
    name: 'One gang above another',
    description: 'Gangs of different contractors within 3 m in plan, one of them one or two levels higher.',
    enabled: false,
    content: {
      ...base,
      a: WORKERS,
      b: WORKERS,
      levels: { mode: 'within', max_gap: 2 },
      when: { all: [{ field: 'pair.a_above_b', op: 'eq', value: true }, { within_m: 3 }, { contractor_relation: 'different' }] },
      outcome: { severity: 'amber' },
    },
  },
  {
    system_key: 'trade_stacking',
    revision: 1,
    name: 'Gangs in one zone',
    description: 'Gangs of different contractors in the same zone for two hours or more.',
    enabled: false,
    content: {
      ...base,
      a: WORKERS,
      b: WORKERS,
      when: { all: [{ field: 'pair.same_zone', op: 'eq', value: true }, { contractor_relation: 'different' }] },
      min_overlap_minutes: 120,
      outcome: { severity: 'amber' },
    },
  },
]
