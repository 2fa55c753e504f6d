import { isSignedIn, subjectNow } from '../base/auth.ts'
import { recallForms } from '../base/kept-form.ts'
import { onAnswered, onDoubt, openOutbox } from '../base/outbox.ts'
import { queries, recallQueries } from '../base/query.ts'
import { ME, meQuery } from '../base/site.tsx'

const NEARLY_MS = 400
const DRAFTS_AFTER_MS = 1500

/**
 * The signed-in person was requested before the app had loaded (web/early.ts). When the device doesn't know them yet and the response is nearly here, the app
 * waits for it, so that the frame is complete when first drawn.
 */
export async function foresee(): Promise<void> {
  if (!isSignedIn() || queries.getQueryData(ME) !== undefined) return
  await Promise.race([queries.prefetchQuery(meQuery), new Promise(done => setTimeout(done, NEARLY_MS))])
}

/** Runs once a person is signed in on this device: restores what was stored for them. */
export async function begin(): Promise<void> {
  const who = subjectNow()
  if (!isSignedIn() || who === null) return
  // A response, in this or another window of this phone, has changed what the screens show.
  onAnswered(() => void queries.invalidateQueries())
  onDoubt(async item => item.subject.kind === 'permit' && (await import('../rooms/permits/permits/door.tsx')).hasArrived(item))
  await Promise.all([recallQueries(who), openOutbox(who), recallForms(who)])
  // Requests that were written without a connection are sent from whichever page opens first; the page doesn't wait for them.
  setTimeout(() => void import('../rooms/permits/permits/door.tsx').then(door => door.openDrafts()).catch(() => undefined), DRAFTS_AFTER_MS)
}
