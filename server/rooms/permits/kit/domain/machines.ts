// Lifting machines under a permit whose thorough examination doesn't last as long as the work (`map.md` §4, LOLER 1998). Pure.
import { listed } from '../../../../../shared/text.ts'
import { dateOn, type Instant, later, ms, type WorkDate } from '../../../../../shared/time.ts'
import type { Id } from '../../../../base/ids.ts'
import { examinationState } from '../../../map/plant/domain.ts'

/** A lifting machine that is linked to a permit; `leaves_at`: when the last of its linked positions ends. */
export type LinkedMachine = { id: Id; name: string; examination_due_on: WorkDate; leaves_at: Instant | null }

const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' })
const LISTED = 6

/** Describes the machines whose examination has expired, or will before the work with them ends; null if there are none. */
export function examinationsSaid(
  machines: readonly LinkedMachine[],
  end_at: Instant | null,
  now: Instant,
  timezone: string,
): { detail: string; ids: string[] } | null {
  const today = dateOn(timezone, now)
  const found = machines.flatMap(({ id, name, examination_due_on: due, leaves_at }) => {
    if (leaves_at !== null && leaves_at <= now) return []
    const until = [end_at, leaves_at].filter(at => at !== null).sort()[0] ?? now
    const last = until <= now ? today : dateOn(timezone, later(until, -1))
    const machine = { lifting: true, examination_due_on: due }
    if (examinationState(machine, last) !== 'expired') return []
    const expired = examinationState(machine, today) === 'expired'
    return [{ id, said: `“${name}” (${expired ? 'expired, was due' : 'due'} on ${DAY.format(ms(`${due}T00:00:00.000Z`))})` }]
  })
  if (found.length === 0) return null
  const many = found.length === 1 ? 'This machine needs a thorough examination' : 'These machines need a thorough examination'
  return {
    detail: `${many} before the work with ${found.length === 1 ? 'it' : 'them'} ends: ${listed(
      found.map(({ said }) => said),
      LISTED,
    )}.`,
    ids: found.map(({ id }) => id),
  }
}
