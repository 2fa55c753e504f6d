// What a clash means for the work, if nobody has said otherwise (`conflict-and-planning.md` §3). Pure.
import type { BlockerCategory, Effect } from '../blockers.ts'

/** The sides that can give way; `later`: the one that came second into the plan. */
export const AFFECTED = ['a', 'b', 'both', 'later'] as const

/** What a clash of a rule means. */
export type Consequence = {
  effect: Effect
  affected: (typeof AFFECTED)[number]
  task_lead_hours: number | null
  blocker_category: string
  loss_share_percent: number
  instruction: string
}

/** The category of a blocker that is declared from a clash, if nobody has said otherwise. */
export const USUAL_CATEGORY: BlockerCategory = 'access_space'

/** How long before a red clash people get a task to settle it, if nobody has said otherwise, hours. */
export const RED_LEAD_HOURS = 24
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
    blocker_category: USUAL_CATEGORY,
    loss_share_percent: lossOf(effect),
    instruction: '',
  }
}
