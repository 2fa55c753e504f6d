import { beforeSignOut, forgetWho, isSignedIn, subjectNow } from '../base/auth.ts'
import { recallForms } from '../base/kept-form.ts'
import { onAnswered, onDoubt, openOutbox, readOutbox } from '../base/outbox.ts'
import { queries, recallQueries } from '../base/query.ts'
import { ME, meQuery } from '../base/site.tsx'
import { isUnsealed } from '../base/store.ts'

const NEARLY_MS = 400
const LATER_MS = 3000
const LOOK_MS = 250
/** However long the first page waits for its data, the rest begins after this. */
const AT_LAST_MS = 15_000

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

/** Does something once the first page has its data: on a slow connection, its parts would come before those of the page. */
function afterFirst(work: () => Promise<unknown>): void {
  const began = Date.now()
  const look = () => {
    if (queries.isFetching() > 0 && Date.now() - began < AT_LAST_MS) setTimeout(look, LOOK_MS)
    else void work().catch(() => undefined)
  }
  setTimeout(look, LATER_MS)
}

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
  afterFirst(async () => {
    if (await isUnsealed()) await (await keeper()).keepSealed(came)
  })
  // Requests that were written without a connection are sent from whichever page opens first; the page doesn't wait for them.
  afterFirst(async () => (await drafts()).openDrafts())
}
