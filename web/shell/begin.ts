import { isSignedIn, subjectNow } from '../base/auth.ts'
import { openOutbox } from '../base/outbox.ts'
import { recallQueries } from '../base/query.ts'

/** What happens once somebody is signed in on this device: what was kept for him is laid out. */
export async function begin(): Promise<void> {
  const who = subjectNow()
  if (!isSignedIn() || who === null) return
  await recallQueries(who)
  await openOutbox(who)
}
