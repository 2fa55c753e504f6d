import type { FieldFault } from '../../base/errors.ts'
import type { PreferenceChange } from './schema.ts'

/** What is wrong with a change of a preference, beside what its shape says. */
export function preferenceFaults(kind: string, channel: string, change: PreferenceChange, isZone: (name: string) => boolean): FieldFault[] {
  const faults: FieldFault[] = []
  const of_all = kind === 'all'
  if (change.delivery !== undefined && channel !== 'email') faults.push({ path: 'delivery', message: 'is for mails alone.' })
  if (change.quiet_hours !== undefined && (!of_all || channel === 'in_app'))
    faults.push({ path: 'quiet_hours', message: 'are set for all kinds at once, of mails or of pushes.' })
  for (const path of ['digest_at', 'digest_weekdays'] as const)
    if (change[path] !== undefined && (!of_all || channel !== 'email')) faults.push({ path, message: 'is set for all mails at once.' })
  const quiet = change.quiet_hours
  if (quiet != null && quiet.from === quiet.to) faults.push({ path: 'quiet_hours.to', message: 'is the same as from.' })
  if (quiet?.timezone !== undefined && !isZone(quiet.timezone)) faults.push({ path: 'quiet_hours.timezone', message: 'is no time zone.' })
  if (Object.keys(change).every(key => key === 'site_id'))
    faults.push({ path: 'enabled', message: 'or another field is needed: nothing would change.' })
  return faults
}
