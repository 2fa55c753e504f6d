// Pictures that were shown on this device, so that they are fetched once and are there without a connection. The browser's own cache never has them, because
// sign-out can't clear it.
import { fetchFile } from '../api.ts'
import { subjectNow } from '../auth.ts'
import { KEPT_HOURS } from '../query.ts'
import { storeAll, storeDrop, storeGet, storePut } from '../store.ts'

declare module '../store.ts' {
  interface Drawers {
    /** A picture, under the subject of the person who saw it and its path. */
    pictures: { who: string; at: number; blob: Blob }
  }
}

/** Small pictures have about 20 kB, large ones 300 kB. */
const MOST = 300

let tidied = false

/** Removes pictures of other people, old ones, and the oldest of too many; once each time the app is opened. */
async function tidy(who: string, oldest: number): Promise<void> {
  if (tidied) return
  tidied = true
  const all = (await storeAll('pictures')).sort(([, a], [, b]) => b.at - a.at)
  for (const [i, [key, one]] of all.entries()) if (i >= MOST || one.who !== who || one.at <= oldest) await storeDrop('pictures', key)
}

/** Returns the picture at a path, from this device if it was shown here in the last 84 hours. What is at a path never changes. */
export async function keptPicture(path: string): Promise<Blob> {
  const who = subjectNow()
  if (who === null) return fetchFile(path)
  const oldest = Date.now() - KEPT_HOURS * 3_600_000
  const key = `${who} ${path}`
  const kept = await storeGet('pictures', key).catch(() => undefined)
  if (kept !== undefined && kept.at > oldest) return kept.blob
  const blob = await fetchFile(path)
  // A full device stores fewer, and still works. Nothing is stored for a person who has signed out meanwhile.
  if (subjectNow() === who) {
    const store = async () => {
      await tidy(who, oldest)
      await storePut('pictures', key, { who, at: Date.now(), blob })
    }
    void store().catch(() => undefined)
  }
  return blob
}
