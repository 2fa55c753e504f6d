// Why a stored clash is no longer found (`conflict-and-planning.md` §4.4). Pure.
import { MINUTE } from '../time.ts'
import type { Clash } from './clashes.ts'
import type { EndReason } from './episodes.ts'
import type { Rule } from './rules.ts'
import type { Side } from './sides.ts'

/** What there is now. */
export type Situation = {
  /** The rules of the active profile by their origin. */
  rules: ReadonlyMap<string, Pick<Rule, 'enabled' | 'version' | 'time_buffer_minutes'>>
  /** Whether another profile was activated, so that a missing rule isn’t a removed one. */
  is_switched: boolean
  /** The sides by id; one that was deleted, closed, rejected or withdrawn is missing or has no footprint. */
  sides: ReadonlyMap<string, Side>
  /** Whether a permit was closed out. */
  isClosedOut(id: string): boolean
}

/** Returns why a clash ended. */
export function endReasonOf(clash: Clash, { rules, is_switched, sides, isClosedOut }: Situation): EndReason {
  const ends = [clash.a, clash.b]
  if (ends.some(({ kind, id }) => kind === 'permit' && isClosedOut(id))) return 'closed_out'
  const [a, b] = ends.map(({ id }) => sides.get(id))
  if (a === undefined || b === undefined || a.footprint.length === 0 || b.footprint.length === 0) return 'removed'
  const rule = rules.get(clash.origin_id)
  if (rule === undefined) return is_switched ? 'profile_switched' : 'rule_removed'
  if (!rule.enabled) return 'rule_off'
  if (rule.version !== clash.rule_version) return is_switched ? 'profile_switched' : 'rule_changed'
  return meetInTime(a, b, clash, rule.time_buffer_minutes * MINUTE) ? 'separated' : 'retimed'
}

/** Returns whether two sides still exist at one time within a clash, with their times widened by a buffer. */
const meetInTime = (a: Side, b: Side, clash: Clash, buffer: number): boolean =>
  a.footprint.some(one =>
    b.footprint.some(
      two => Math.max(one.from, two.from, clash.from + buffer) - buffer < Math.min(one.to, two.to, clash.to - buffer) + buffer,
    ),
  )
