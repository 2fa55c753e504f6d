// What stops or slows work, as the service and the app name it (`flow-of-work.md` §1).

/** The categories of blockers: one list for lost time and for slip. */
export const BLOCKER_CATEGORIES = [
  'prerequisite_work',
  'design_information',
  'materials',
  'labour',
  'plant_equipment',
  'access_space',
  'permit',
  'inspection_approval',
  'weather',
  'change_of_priority',
  'rework',
  'safety_stop',
  'other',
] as const
export type BlockerCategory = (typeof BLOCKER_CATEGORIES)[number]

/** What a blocker, or a clash, can mean for work. */
export const EFFECTS = ['none', 'slows', 'stops'] as const
/** What a blocker, or a clash, means for work. */
export type Effect = (typeof EFFECTS)[number]
