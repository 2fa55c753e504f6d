// What a clash means for the work, if nobody has said otherwise (`conflict-and-planning.md` §3). Pure.

export const EFFECTS = ['none', 'slows', 'stops'] as const
export type Effect = (typeof EFFECTS)[number]
export const AFFECTED = ['a', 'b', 'both', 'later'] as const

/** The categories of blockers (`flow-of-work.md` §1): one list for lost time and for slip. */
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

/** What a clash of a rule means. */
export type Consequence = {
  effect: Effect
  affected: (typeof AFFECTED)[number]
  task_lead_hours: number | null
  blocker_category: string
  loss_share_percent: number
  instruction: string
}

const RED_LEAD_HOURS = 24
const LOSS: Record<Effect, number> = { stops: 100, slows: 50, none: 0 }

/** The part of the time of the affected gang that an effect costs, percent. */
export const lossOf = (effect: Effect): number => LOSS[effect]

/** Returns what a clash of this severity means without a row of its own. */
export function defaultFor(severity: 'amber' | 'red' | null): Consequence {
  const effect = severity === 'red' ? 'stops' : 'none'
  return {
    effect,
    affected: 'later',
    task_lead_hours: severity === 'red' ? RED_LEAD_HOURS : null,
    blocker_category: 'access_space',
    loss_share_percent: lossOf(effect),
    instruction: '',
  }
}
