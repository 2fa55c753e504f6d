import { beforeSignOut, forgetWho, isSignedIn, subjectNow } from '../base/auth.ts'
import { recallForms } from '../base/kept-form.ts'
import { onAnswered, onDoubt, openOutbox, readOutbox } from '../base/outbox.ts'
import { queries, recallQueries } from '../base/query.ts'
import { ME, meQuery } from '../base/site.tsx'
import { isUnsealed } from '../base/store.ts'

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

const keeper = () => import('../base/later/keeper.ts')
const drafts = () => import('../rooms/permits/permits/door.tsx')

/** Encrypts what is still plain before the person is signed out: usually nothing. */
async function sealBefore(online: boolean): Promise<void> {
  if (!(await isUnsealed())) return
  const { bringKey, sealRest } = await keeper()
  if (online) await bringKey()
  await sealRest()
}

/** Runs once a person is signed in on this device: restores what was stored for them. */
export async function begin(): Promise<void> {
  const who = subjectNow()
  // The app may have been killed while someone signed out.
  if (!isSignedIn() || who === null) return void forgetWho().catch(() => undefined)
  beforeSignOut(sealBefore)
  // A response, in this or another window of this phone, has changed what the screens show.
  onAnswered(() => void queries.invalidateQueries())
  onDoubt(async item => item.subject.kind === 'permit' && (await drafts()).hasArrived(item))
  await Promise.all([recallQueries(who), openOutbox(who), recallForms(who)])
  // On a device that doesn't have the key yet, what was stored with it appears when it comes.
  const came = () => void Promise.all([readOutbox(), recallForms(who), drafts().then(door => door.openDrafts())])
  setTimeout(
    () =>
      void isUnsealed()
        .then(async plain => plain && (await keeper()).keepSealed(came))
        .catch(() => undefined),
    DRAFTS_AFTER_MS,
  )
  // Requests that were written without a connection are sent from whichever page opens first; the page doesn't wait for them.
  setTimeout(
    () =>
      void drafts()
        .then(door => door.openDrafts())
        .catch(() => undefined),
    DRAFTS_AFTER_MS,
  )
}
