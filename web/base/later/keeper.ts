// Brings the key of a person's device storage from the service, and encrypts what is still plain: what earlier versions of the app stored, and what the person
// did before the key came (decision 844). Loaded after the first screen, because no screen needs it.
import { ask, client } from '../api.ts'
import { isStillSignedIn, subjectNow } from '../auth.ts'
import { everythingIn, type Keyring, readKeyring, transact } from '../database.ts'
import { holdKey, keyring } from '../keyring.ts'
import { lineNow, onLine } from '../line.ts'
import { isSealed, type Ring, unseal } from '../seal.ts'
import { type Drawer, isMine, isReceived, storeAll, storeChange } from '../store.ts'

/** Makes the two keys that the device stores from the one that the service sent: no script, and no extension of the browser, can read them again. */
export async function ringOf(id: string, key: string): Promise<Ring> {
  const bytes = Uint8Array.from(atob(key), one => one.charCodeAt(0))
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const derived = (info: string, type: AesKeyGenParams | HmacKeyGenParams, use: KeyUsage[]) =>
    crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode(info) },
      base,
      type,
      false,
      use,
    )
  return {
    id,
    values: await derived('walkdown values', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    names: await derived('walkdown names', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  }
}

const FETCH_MS = 8000

/** Stores the person's key on the device. Until that has succeeded, nothing is encrypted with it. An earlier key can still decrypt. */
async function hold(who: string, ring: Ring): Promise<void> {
  const next = await transact<Keyring | null>(['keys'], 'readwrite', (store, answer) => {
    const keys = store('keys')
    readKeyring(keys, who, kept => {
      // After sign-out, also in another window, no key is stored.
      if (!isStillSignedIn(who)) return answer(null)
      if (kept?.rings[0].id === ring.id) return answer(kept)
      const held: Keyring = { who, rings: [ring, ...(kept?.rings ?? [])], done: false }
      keys.clear()
      keys.put(held, who)
      answer(held)
    })
  })
  if (next !== null) holdKey(next)
}

/** Brings the person's key to the device, unless it is there; `always` asks the service in any case. */
export async function bringKey(always = false): Promise<void> {
  const who = subjectNow()
  if (who === null || (!always && (await keyring()) !== null)) return
  const { id, key } = await ask(client.POST('/auth/device-key', { signal: AbortSignal.timeout(FETCH_MS) }))
  await hold(who, await ringOf(id, key))
}

/** Files come after the actions that they belong to. */
const DRAWERS: readonly Drawer[] = ['outbox', 'files', 'drafts', 'forms', 'views', 'papers', 'pictures', 'cache']

/** Encrypts what is still plain or encrypted with an earlier key, one value after the other: each is readable at any time. What others left stays as it is. */
export async function sealRest(): Promise<void> {
  const keys = await keyring()
  if (keys === null || (keys.done && keys.rings.length === 1)) return
  let whole = true
  for (const drawer of DRAWERS) {
    const actions = new Set((await storeAll('outbox')).map(([key]) => key))
    for (const [key, raw] of await everythingIn(drawer))
      try {
        await sealOne(keys, drawer, key, raw, actions)
      } catch {
        whole = false
      }
  }
  if (whole) await markDone(keys)
}

async function sealOne(keys: Keyring, drawer: Drawer, key: string, raw: unknown, actions: ReadonlySet<string>): Promise<void> {
  if (isSealed(raw)) {
    if (raw.by === keys.rings[0].id) return
    const ring = keys.rings.find(one => one.id === raw.by)
    const name = ring === undefined ? undefined : (await unseal(ring, drawer, key, raw, false))?.name
    if (name !== undefined) await storeChange(drawer, drawer === 'outbox' || drawer === 'files' ? key : name, now => now)
    else if (isReceived(drawer)) await drop(drawer, key)
  } else if (drawer === 'files' ? actions.has(key) : isMine(raw)) await storeChange(drawer, key, now => now)
  else if (isReceived(drawer)) await drop(drawer, key)
}

const drop = (drawer: Drawer, key: string) =>
  transact<void>([drawer], 'readwrite', (store, answer) => {
    store(drawer).delete(key)
    answer()
  })

const markDone = (keys: Keyring) =>
  transact<void>(['keys'], 'readwrite', (store, answer) =>
    readKeyring(store('keys'), keys.who, kept => {
      if (kept !== undefined) {
        store('keys').put({ ...kept, done: true }, keys.who)
        holdKey({ ...kept, done: true })
      }
      answer()
    }),
  )

const AGAIN_MS = 15_000

/** Resolves when there may be a connection again. */
async function pause(): Promise<void> {
  let ignore = () => {}
  await new Promise<void>(done => {
    setTimeout(done, AGAIN_MS)
    ignore = onLine(() => lineNow().up && done())
  })
  ignore()
}

/** Brings the key and encrypts the rest, as soon as there is a connection; then calls `came` if the key wasn't there before. */
export async function keepSealed(came: () => void): Promise<void> {
  while (subjectNow() !== null)
    try {
      const before = await keyring()
      await bringKey()
      await sealRest()
      if (before === null) came()
      return
    } catch {
      await pause()
    }
}
