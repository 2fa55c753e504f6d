// A clash in one sentence: what, why, how far apart, how long, and who gives way (`conflict-and-planning.md` §4.7).
import { capitalized } from '../../../../../shared/text.ts'
import { momentOf, windowOf } from '../../../../base/time.ts'
import { calledInFull, type Episode, gives } from '../../../conflicts/clashes/door.ts'
import { apart } from '../../../permits/permits/door.tsx'
import type { MapClash } from './clashes.ts'
import { t } from './says.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Returns a length of time in words. */
export function lengthOf(ms: number): string {
  if (ms < HOUR_MS) return t('length.minutes', { n: Math.round(ms / MINUTE_MS) })
  if (ms < 2 * DAY_MS) return t('length.hours', { n: Math.round((ms / HOUR_MS) * 10) / 10 })
  return t('length.days', { n: Math.round(ms / DAY_MS) })
}

/** Returns how far apart the two sides are, in words. */
export function distanceOf({ distance_m, level_gap, a, b }: Pick<MapClash, 'distance_m' | 'level_gap' | 'a' | 'b'>): string {
  const distance = apart(distance_m, a.hidden || b.hidden)
  return level_gap === null || level_gap === 0 ? distance : t('clash.levels_apart', { distance, n: level_gap })
}

const timeOf = ({ from_at, to_at }: MapClash, zone: string): string =>
  to_at === null
    ? t('clash.since', { time: momentOf(from_at, zone) })
    : t('clash.lasts', { window: windowOf(from_at, to_at, zone), length: lengthOf(Date.parse(to_at) - Date.parse(from_at)) })

function whyOf({ reasons, rule_name }: MapClash): string {
  const [why] = reasons
  const [a, b] = why?.types ?? []
  return why?.within_m == null || a === undefined || b === undefined
    ? t('clash.why_rule', { rule: rule_name })
    : t('clash.why_types', { a, b, metres: why.within_m })
}

/** Returns a clash in one sentence; without `consequence`, as long as that is still being read, it doesn't say who gives way. */
export function sentenceOf(clash: MapClash, consequence: Episode['consequence'] | null, zone: string): string {
  const { a, b } = clash
  const parts = { a: calledInFull(a), b: calledInFull(b), apart: distanceOf(clash), time: timeOf(clash, zone), why: whyOf(clash) }
  const way = consequence === null || consequence.effect === 'none' ? t('clash.goes_on') : gives(consequence.affected, a, b)
  return capitalized(consequence === null ? t('clash.sentence_so_far', parts) : t('clash.sentence', { ...parts, gives: way }))
}
