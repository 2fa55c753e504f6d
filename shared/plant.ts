// Words of plant that records and conditions share (`map.md` §4; `conflict-and-planning.md` §0.4, fields of `entity`).

/** The categories of plant. */
export const PLANT_CATEGORIES = [
  'excavator',
  'mobile_crane',
  'crawler_crane',
  'tower_crane',
  'telehandler',
  'forklift',
  'mewp',
  'dumper',
  'roller',
  'dozer',
  'piling_rig',
  'concrete_pump',
  'hoist',
  'generator',
  'compressor',
  'vehicle',
  'other',
] as const

/** The states of the thorough examination of a machine. */
export const EXAMINATION_STATES = ['not_needed', 'in_date', 'due_soon', 'expired', 'unknown'] as const
export type ExaminationState = (typeof EXAMINATION_STATES)[number]
