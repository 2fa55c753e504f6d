import { isSignedIn, subjectNow } from '../base/auth.ts'
import { onAnswered, onDoubt, openOutbox } from '../base/outbox.ts'
import { queries, recallQueries } from '../base/query.ts'

/** What happens once somebody is signed in on this device: what was kept for him is laid out. */
export async function begin(): Promise<void> {
  const who = subjectNow()
  if (!isSignedIn() || who === null) return
  await recallQueries(who)
  // What was answered, here or in another window of this phone, has changed what the screens show.
  onAnswered(() => void queries.invalidateQueries())
  onDoubt(async item => item.subject.kind === 'permit' && (await import('../rooms/permits/door.tsx')).hasArrived(item))
  await openOutbox(who)
}
