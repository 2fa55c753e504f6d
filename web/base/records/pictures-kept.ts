// Pictures that were shown on this device, so that they are fetched once and are there without a connection. The browser's own cache never has them, because
// sign-out can't clear it.
import { fetchFile } from '../api.ts'
import { subjectNow } from '../auth.ts'
import { KEPT_HOURS } from '../query.ts'
import { storeGet, storePut, storeTidy } from '../store.ts'

declare module '../store.ts' {
  interface Drawers {
    /** A picture, under the subject of the person who saw it and its path. */
    pictures: { who: string; at: number; blob: Blob }
  }
}

/** Small pictures have about 20 kB, large ones 300 kB. */
const MOST = 300

let tidied = false

/** Removes old pictures, and the oldest of too many; once each time the app is opened. */
async function tidy(oldest: number): Promise<void> {
  if (tidied) return
  tidied = true
  await storeTidy('pictures', oldest, MOST)
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
      await tidy(oldest)
      await storePut('pictures', key, { who, at: Date.now(), blob })
    }
    void store().catch(() => undefined)
  }
  return blob
}
