import { zoneNamed } from '../../../../shared/zones.ts'
import type { FieldFault } from '../../../base/errors.ts'
import type { PreferenceChange } from './schema.ts'

/** Returns what is wrong with a change of a preference, beyond what its schema checks. */
export function preferenceFaults(kind: string, channel: string, change: PreferenceChange): FieldFault[] {
  const faults: FieldFault[] = []
  const of_all = kind === 'all'
  if (change.delivery !== undefined && channel !== 'email')
    faults.push({ path: 'delivery', message: 'applies to email only. Leave it out for other channels.' })
  if (change.quiet_hours !== undefined && (!of_all || channel === 'in_app'))
    faults.push({ path: 'quiet_hours', message: 'can only be set for kind “all”, for email or push.' })
  for (const path of ['digest_at', 'digest_weekdays'] as const)
    if (change[path] !== undefined && (!of_all || channel !== 'email'))
      faults.push({ path, message: 'can only be set for kind “all”, for email.' })
  const quiet = change.quiet_hours
  if (quiet != null && quiet.from === quiet.to)
    faults.push({ path: 'quiet_hours.to', message: 'must differ from the start of the quiet hours.' })
  if (quiet?.timezone !== undefined && zoneNamed(quiet.timezone) === null)
    faults.push({ path: 'quiet_hours.timezone', message: 'isn’t an IANA time zone. Send a name such as Europe/London.' })
  if (Object.keys(change).every(key => key === 'site_id'))
    faults.push({ path: 'enabled', message: 'is required if no other field is given, because nothing would change.' })
  return faults
}
