// The device's storage: one small database in the browser, with a drawer (an object store) for each use. What is stored is encrypted with the key of the person
// who is signed in (decision 844). The device has that key only while they are signed in; then what they have not sent can't be read until they sign in again.
import { isRecord } from '../../shared/narrow.ts'
import { everythingIn, type Keyring, onResult, readAll, readDrawer, type Shelf, transact } from './database.ts'
import { dropKey, ifSame, keyComes, keyring, keysToWrite, whoNow, withKeys } from './keyring.ts'
import { again, begunIn, inOrder } from './lanes.ts'
import { merged } from './merged.ts'
import { hidden, isSealed, type Ring, seal, unseal } from './seal.ts'

/** What each drawer contains. The file that owns a drawer says so, with `declare module`. */
export interface Drawers {
  files: Blob
}
/** A drawer for the content of the app. */
export type Drawer = Exclude<Shelf, 'keys'> & keyof Drawers
type Value<D extends Drawer> = Drawers[D]
type WithoutFile<T> = T extends { blob: Blob } ? Omit<T, 'blob'> : T

/** What was stored has the type with which it was stored: only this app writes the database. */
const stored = <T>(value: unknown): T => value as T

/** What the service sent, and sends again. The other drawers contain what the person hasn't sent yet, which stays for their next sign-in (decision 690). */
const RECEIVED: readonly Shelf[] = ['cache', 'papers', 'pictures']
/** Returns whether a drawer contains what the service sent. */
export const isReceived = (drawer: Shelf): boolean => RECEIVED.includes(drawer)

/** Files are written with the actions that they belong to. */
const laneOf = (drawer: Drawer) => (drawer === 'files' ? 'outbox' : drawer)
const written = (drawer: Drawer) => (isReceived(drawer) ? undefined : begunIn(laneOf(drawer)))

const digests = new Map<string, Promise<string>>()
/** Digests are computed once: each key that someone presses is stored. */
function placeOf(ring: Ring, drawer: Drawer, name: string): Promise<string> {
  const known = `${ring.id} ${drawer} ${name}`
  const place = digests.get(known) ?? hidden(ring, drawer, name)
  digests.set(known, place)
  return place
}

const isDone = (keys: Keyring | null): boolean => keys?.done === true && keys.rings.length === 1

/** Returns the names under which a value may be stored: with the present key, with earlier ones, plain. It is written under the first. */
async function placesOf(keys: Keyring | null, drawer: Drawer, name: string): Promise<[string, ...string[]]> {
  const places = await Promise.all((keys?.rings ?? []).map(ring => placeOf(ring, drawer, name)))
  const [first = name, ...others] = isDone(keys) ? places : new Set([...places, name])
  return [first, ...others]
}

/** Returns whether a plain value belongs to the person who is signed in. */
export const isMine = (value: unknown): boolean =>
  value !== undefined && (!isRecord(value) || value.who === undefined || value.who === whoNow())

/** Decrypts what is stored; null if it isn't this person's, or can't be read. */
async function read(keys: Keyring | null, drawer: Drawer, key: string, raw: unknown, whole: boolean) {
  if (!isSealed(raw)) return isMine(raw) ? { name: key, value: raw } : null
  const ring = keys?.rings.find(one => one.id === raw.by)
  return ring === undefined ? null : unseal(ring, drawer, key, raw, whole)
}

/** Says whether a stored value is still the same. */
const markOf = (raw: unknown): string => (isSealed(raw) ? String(raw.iv) : raw instanceof Blob ? 'file' : (JSON.stringify(raw) ?? ''))

/** What this window wrote last, so that the next change of it needs no reading. */
const latest = new Map<string, { by: string; mark: string; value: unknown }>()

type Change<D extends Drawer> = (now: Value<D> | undefined) => Value<D> | undefined

/** Replaces a value by the result of `change`, unless another window has changed it meanwhile: then again. */
async function alter<D extends Drawer>(
  drawer: D,
  name: string,
  change: Change<D>,
  begun: (() => void) | null,
): Promise<Value<D> | undefined> {
  const known = `${drawer} ${name}`
  for (;;) {
    const keys = await keysToWrite()
    const places = await placesOf(keys, drawer, name)
    const last = latest.get(known)
    let marks: string[]
    let now: Value<D> | undefined
    if (last !== undefined && last.by === keys?.rings[0].id && places.length === 1) [marks, now] = [[last.mark], stored(last.value)]
    else {
      const raws = await transact<unknown[]>([drawer], 'readonly', (store, answer) => readAll(store(drawer), places, answer))
      const found = await Promise.all(raws.map((raw, i) => read(keys, drawer, places[i] ?? '', raw, true)))
      // The plain one is the newest, then that of the present key.
      const [first, ...older] = found.toReversed().flatMap(one => (one === null ? [] : [one.value]))
      marks = raws.map(markOf)
      now = stored(older.reduce((newer, one) => merged(one, newer), first))
    }
    const next = change(now)
    if (next === undefined) return now
    const put = await sealedWith(keys, drawer, places[0], name, next)
    latest.delete(known)
    if (isSealed(put) && put.file === undefined) latest.set(known, { by: put.by, mark: markOf(put), value: next })
    const write = transact<boolean>(withKeys(keys, [drawer]), 'readwrite', (store, answer, commit) => {
      readAll(store(drawer), places, present => {
        const yes = () => {
          putOnly(store(drawer), places, present, put)
          answer(true)
          commit()
        }
        const no = () => answer(false)
        if (present.every((raw, i) => markOf(raw) === marks[i])) ifSame(keys, store, yes, no)
        else no()
      })
      if (keys !== null) begun?.()
    })
    if (await write.catch(error => forgetting(known, error))) return next
    latest.delete(known)
    if (keys !== null && begun !== null) return again(laneOf(drawer), () => alter(drawer, name, change, null))
  }
}

function forgetting(known: string, error: unknown): never {
  latest.delete(known)
  throw error
}

const sealedWith = async (keys: Keyring | null, drawer: Drawer, key: string, name: string, value: unknown): Promise<unknown> =>
  keys === null ? value : seal(keys.rings[0], drawer, key, name, value)

/** Stores a value at the first of its places, and removes it from the others. */
function putOnly(store: IDBObjectStore, places: readonly string[], present: readonly unknown[], put: unknown): void {
  for (const [i, place] of places.entries())
    if (i === 0) store.put(put, place)
    else if (isSealed(present[i]) || isMine(present[i])) store.delete(place)
}

/** Stores a value, whatever was there before. */
async function replace(drawer: Drawer, name: string, value: unknown, begun: () => void): Promise<void> {
  latest.delete(`${drawer} ${name}`)
  for (;;) {
    const keys = await keysToWrite()
    const places = await placesOf(keys, drawer, name)
    const put = await sealedWith(keys, drawer, places[0], name, value)
    const done = await transact<boolean>(withKeys(keys, [drawer]), 'readwrite', (store, answer, commit) => {
      const yes = (present: readonly unknown[]) => {
        putOnly(store(drawer), places, present, put)
        answer(true)
        commit()
      }
      if (places.length === 1 && keys !== null) yes([])
      else
        readAll(store(drawer), places, present =>
          ifSame(
            keys,
            store,
            () => yes(present),
            () => answer(false),
          ),
        )
      if (keys !== null) begun()
    })
    if (done) return
  }
}

/**
 * Adds a value after all others in a drawer, whichever window they came from and whatever the clock says, with its file in the drawer `files` under the same
 * key. Both are stored, or neither. Returns the key.
 */
export const storeAppend = <D extends Drawer>(drawer: D, name: string, value: Value<D>, file?: Blob): Promise<string> =>
  inOrder(laneOf(drawer), async () => {
    for (;;) {
      const keys = await keysToWrite()
      const put = await sealedWith(keys, drawer, name, name, value)
      const putFile = file === undefined ? null : await sealedWith(keys, 'files', name, name, file)
      const drawers: Shelf[] = file === undefined ? [drawer] : [drawer, 'files']
      const made = await transact<string | null>(withKeys(keys, drawers), 'readwrite', (store, answer) => {
        const append = () => {
          const shelf = store(drawer)
          onResult(shelf.openKeyCursor(null, 'prev'), shelf.transaction, last => {
            const number = last === null ? 0 : Number.parseInt(String(last.key), 10)
            const key = `${String(number + 1).padStart(12, '0')} ${name}`
            shelf.put(put, key)
            if (putFile !== null) store('files').put(putFile, key)
            answer(key)
          })
        }
        ifSame(keys, store, append, () => answer(null))
      })
      if (made !== null) return made
    }
  })

/** Removes values from several drawers at once. */
export const storeDropAll = (drawers: readonly [Drawer, ...Drawer[]], name: string): Promise<void> =>
  inOrder(laneOf(drawers[0]), async begun => {
    for (const drawer of drawers) latest.delete(`${drawer} ${name}`)
    const keys = await keyring()
    const places = await Promise.all(drawers.map(drawer => placesOf(keys, drawer, name)))
    await transact<void>(drawers, 'readwrite', (store, answer) => {
      for (const [i, drawer] of drawers.entries())
        readAll(store(drawer), places[i] ?? [], raws => {
          for (const [n, place] of (places[i] ?? []).entries()) if (isSealed(raws[n]) || isMine(raws[n])) store(drawer).delete(place)
          answer()
        })
      begun()
    })
  })

/** Removes a value. */
export const storeDrop = (drawer: Drawer, name: string): Promise<void> => storeDropAll([drawer], name)

/** Returns the value under this name; undefined if there is none that this person can read. */
export async function storeGet<D extends Drawer>(drawer: D, name: string): Promise<Value<D> | undefined> {
  await written(drawer)
  const keys = await keyring()
  const places = await placesOf(keys, drawer, name)
  const raws = await transact<unknown[]>([drawer], 'readonly', (store, answer) => readAll(store(drawer), places, answer))
  const found = await Promise.all(raws.map((raw, i) => read(keys, drawer, places[i] ?? '', raw, true)))
  return stored(found.findLast(one => one !== null)?.value)
}

/** Stores a value under a name; resolves once it would survive a dead battery. */
export const storePut = async <D extends Drawer>(drawer: D, name: string, value: Value<D>): Promise<void> => {
  // What the service sent waits for the key, because it can be fetched again; what a person does never waits.
  if (isReceived(drawer)) await keyComes()
  await inOrder(laneOf(drawer), begun => replace(drawer, name, value, begun))
}

/** Replaces a value with the result of `change`, whatever other windows do; undefined leaves it as it is. Returns the new value. */
export const storeChange = <D extends Drawer>(drawer: D, name: string, change: Change<D>): Promise<Value<D> | undefined> =>
  inOrder(laneOf(drawer), begun => alter(drawer, name, change, begun))

/** Returns everything in a drawer that this person can read, without files, in the order of the keys. `reading`: it is already being read. */
export async function storeAll<D extends Drawer>(
  drawer: D,
  reading: Promise<[string, unknown][]> | null = null,
): Promise<[string, WithoutFile<Value<D>>][]> {
  await written(drawer)
  const [keys, all] = [await keyring(), await (reading ?? everythingIn(drawer))]
  const found = await Promise.all(all.map(([key, raw]) => read(keys, drawer, key, raw, false)))
  return found.flatMap((one, i): [string, WithoutFile<Value<D>>][] => {
    if (one === null) return []
    const numbered = laneOf(drawer) === 'outbox'
    return [[numbered ? (all[i]?.[0] ?? '') : one.name, stored(one.value)]]
  })
}

/** Removes what was stored before an instant, and the oldest of more than `most`, of whichever person. */
export const storeTidy = (drawer: Drawer, oldest: number, most = Number.POSITIVE_INFINITY): Promise<void> =>
  inOrder(laneOf(drawer), async () => {
    const at = (raw: unknown) => (isRecord(raw) && typeof raw.at === 'number' ? raw.at : Number.POSITIVE_INFINITY)
    await transact<void>([drawer], 'readwrite', (store, answer) =>
      readDrawer(store(drawer), all => {
        for (const [i, [key, raw]] of all.sort(([, a], [, b]) => at(b) - at(a)).entries())
          if (i >= most || at(raw) <= oldest) store(drawer).delete(key)
        answer()
      }),
    )
  })

/** Returns whether something may be stored that isn't encrypted with the present key. */
export async function isUnsealed(): Promise<boolean> {
  return !isDone(await keyring())
}

/**
 * Deletes the key from the device, and what the service sent, in one transaction, unless someone `is_here`: they may have signed in meanwhile, in another window.
 * What the person hasn't sent stays, and nobody can read it.
 */
export async function storeClose(is_here: () => boolean): Promise<void> {
  dropKey()
  latest.clear()
  digests.clear()
  await transact<void>(['keys', ...RECEIVED], 'readwrite', (store, answer) => {
    if (!is_here()) for (const drawer of ['keys', ...RECEIVED] as const) store(drawer).clear()
    answer()
  })
}
