// Weather limits that the forecast reaches in the window of a permit, in words (`site-and-people.md` §13). Pure.
import { type Instant, spoken } from '../../../../../shared/time.ts'

/** A weather limit that the forecast reaches. */
export type LimitNear = {
  label: string
  state: 'caution' | 'stop'
  from: Instant
  value: number
  metric: string
  at_height_m: number | null
  /** Whether the forecast is invented (the demo site). */
  example: boolean
}

const measured = ({ metric, value, at_height_m }: LimitNear): string =>
  metric.endsWith('_m_s') ? `, ${value.toFixed(1)} m/s at ${Math.round(at_height_m ?? 10)} m` : ''

/** Describes the limits that are reached; null if there are none. */
export function weatherSaid(limits: readonly LimitNear[], timezone: string): string | null {
  if (limits.length === 0) return null
  const said = limits.map(one => `${one.label}: ${one.state}, from ${spoken(timezone, one.from)}${measured(one)}`)
  const which = limits.length === 1 ? 'a weather limit' : 'weather limits'
  const invented = limits.some(one => one.example) ? 'This is example data, not the weather of this site. ' : ''
  return `${invented}The forecast reaches ${which} in the permit window. ${said.join('. ')}. The machine’s manual and its anemometer decide.`
}
