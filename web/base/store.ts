// The device's storage: one small database in the browser, with a drawer (an object store) for each use. What is stored is encrypted with the key of the person
// who is signed in (decision 844). The device has that key only while they are signed in; then what they have not sent can't be read until they sign in again.
import { isRecord } from '../../shared/narrow.ts'
import { everythingIn, type Keyring, readAll, readDrawer, readKeyring, type Shelf, transact } from './database.ts'
import { hidden, isSealed, seal, unseal } from './seal.ts'

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

let whoNow: () => string | null = () => null
/** Tells the store how it learns who is signed in. */
export const storeFor = (who: () => string | null): void => {
  whoNow = who
}

let held: Keyring | null = null
let waiting: (() => void)[] = []

/** Returns the key of the person who is signed in; null if the device doesn't have it, or nobody is signed in. */
export async function keyring(): Promise<Keyring | null> {
  const who = whoNow()
  if (held?.who !== who) held = null
  if (held !== null || who === null) return held
  const kept = await transact<Keyring | undefined>(['keys'], 'readonly', (store, answer) => readKeyring(store('keys'), who, answer))
  if (kept !== undefined && whoNow() === who) holdKey(kept)
  return held
}

/** Uses a key that the device has stored, for everything from now on. */
export function holdKey(keys: Keyring): void {
  held = keys
  for (const go of waiting.splice(0)) go()
}

/** Resolves when the device has the key. What the service sent waits for it, because it can be fetched again; what a person does never waits. */
async function keyComes(drawer: Drawer): Promise<void> {
  if (!isReceived(drawer) || (await keyring()) !== null) return
  await new Promise<void>(done => waiting.push(done))
}

async function keysToWrite(): Promise<Keyring | null> {
  const keys = await keyring()
  if (keys === null && whoNow() === null) throw new Error('Nobody is signed in.')
  return keys
}

/** Until the key is there, what a person does is stored plain, and is encrypted when it comes. Within a transaction: whether the key is still missing. */
function ifSame(keys: Keyring | null, store: (drawer: Shelf) => IDBObjectStore, yes: () => void, no: () => void): void {
  if (keys !== null) yes()
  else readKeyring(store('keys'), whoNow() ?? '', key => (key === undefined ? yes() : no()))
}
const withKeys = (keys: Keyring | null, drawers: readonly Shelf[]): readonly Shelf[] => (keys === null ? [...drawers, 'keys'] : drawers)

const lanes = new Map<string, Promise<unknown>>()
const laneOf = (drawer: Shelf) => (drawer === 'files' ? 'outbox' : drawer)

/** Encrypting takes time, and the last change has to win: what is written to a drawer is written in the order of the calls. */
function inOrder<T>(drawer: Drawer, work: () => Promise<T>): Promise<T> {
  const turn = (lanes.get(laneOf(drawer)) ?? Promise.resolve()).then(work, work)
  lanes.set(laneOf(drawer), turn)
  return turn
}

/** Waits for what was written before. What the service sent needs no order, and may be waiting for a file. */
const written = (drawer: Drawer): Promise<unknown> =>
  isReceived(drawer) ? Promise.resolve() : (lanes.get(laneOf(drawer)) ?? Promise.resolve()).catch(() => undefined)

/** Returns the names under which a value may be stored: with the present key, with earlier ones, plain. It is written under the first. */
const placesOf = async (keys: Keyring | null, drawer: Drawer, name: string): Promise<[string, ...string[]]> => {
  const places = await Promise.all((keys?.rings ?? []).map(ring => hidden(ring, drawer, name)))
  const [first = name, ...others] = [...new Set([...places, name])]
  return [first, ...others]
}

/** Returns whether a plain value belongs to the person who is signed in. */
export const isMine = (value: unknown): boolean => value !== undefined && (!isRecord(value) || value.who === undefined || value.who === whoNow())

/** Decrypts what is stored; null if it isn't this person's, or can't be read. */
async function read(keys: Keyring | null, drawer: Drawer, key: string, raw: unknown, whole: boolean) {
  if (!isSealed(raw)) return isMine(raw) ? { name: key, value: raw } : null
  const ring = keys?.rings.find(one => one.id === raw.by)
  return ring === undefined ? null : unseal(ring, drawer, key, raw, whole)
}

/** Fields of a draft or a form that contain fields; and those of a draft that the service knows it by. */
const PARTS = ['fields', 'unsent', 'changed', 'was']
const KNOWN = ['id', 'made']

/** Adds what a person typed while the key was missing to what was stored before. */
function merged(older: unknown, newer: unknown): unknown {
  if (!isRecord(older) || !isRecord(newer)) return newer
  const both: Record<string, unknown> = { ...older, ...newer }
  for (const part of PARTS) if (isRecord(older[part]) && isRecord(newer[part])) both[part] = { ...older[part], ...newer[part] }
  for (const field of KNOWN) if (field in older) both[field] = newer[field] ?? older[field]
  return both
}

/** Says whether a stored value is still the same. */
const markOf = (raw: unknown): string => (isSealed(raw) ? String(raw.iv) : raw instanceof Blob ? 'file' : (JSON.stringify(raw) ?? ''))

/** Replaces a value by the result of `change`, unless another window has changed it meanwhile: then again. `blind`: whatever it was. */
async function alter<D extends Drawer>(
  drawer: D,
  name: string,
  change: (now: Value<D> | undefined) => Value<D> | undefined,
  blind = false,
): Promise<Value<D> | undefined> {
  for (;;) {
    const keys = await keysToWrite()
    const [key, ...others] = await placesOf(keys, drawer, name)
    const places = [key, ...others]
    const raws = await transact<unknown[]>([drawer], 'readonly', (store, answer) => readAll(store(drawer), places, answer))
    const found = blind ? [] : await Promise.all(raws.map((raw, i) => read(keys, drawer, places[i] ?? '', raw, true)))
    // The plain one is the newest, then that of the present key.
    const [first, ...older] = found.toReversed().flatMap(one => (one === null ? [] : [one.value]))
    const now = stored<Value<D> | undefined>(older.reduce((newer, one) => merged(one, newer), first))
    const next = change(now)
    if (next === undefined) return now
    const put = keys === null ? next : await seal(keys.rings[0], drawer, key, name, next)
    const done = await transact<boolean>(withKeys(keys, [drawer]), 'readwrite', (store, answer) =>
      readAll(store(drawer), places, present => {
        const same = blind || present.every((raw, i) => markOf(raw) === markOf(raws[i]))
        const write = () => {
          store(drawer).put(put, key)
          for (const [i, place] of places.entries()) if (i > 0 && (isSealed(present[i]) || isMine(present[i]))) store(drawer).delete(place)
          answer(true)
        }
        if (same) ifSame(keys, store, write, () => answer(false))
        else answer(false)
      }),
    )
    if (done) return next
  }
}

/**
 * Adds a value after all others in a drawer, whichever window they came from and whatever the clock says, with its file in the drawer `files` under the same
 * key. Both are stored, or neither. Returns the key.
 */
export const storeAppend = <D extends Drawer>(drawer: D, name: string, value: Value<D>, file?: Blob): Promise<string> =>
  inOrder(drawer, async () => {
    for (;;) {
      const keys = await keysToWrite()
      const sealed = async (where: Drawer, one: unknown) => (keys === null ? one : seal(keys.rings[0], where, name, name, one))
      const [put, putFile] = [await sealed(drawer, value), file === undefined ? null : await sealed('files', file)]
      const drawers: Shelf[] = file === undefined ? [drawer] : [drawer, 'files']
      const made = await transact<string | null>(withKeys(keys, drawers), 'readwrite', (store, answer) => {
        const append = () => {
          const last = store(drawer).openKeyCursor(null, 'prev')
          last.onsuccess = () => {
            const number = last.result === null ? 0 : Number.parseInt(String(last.result.key), 10)
            const key = `${String(number + 1).padStart(12, '0')} ${name}`
            store(drawer).put(put, key)
            if (putFile !== null) store('files').put(putFile, key)
            answer(key)
          }
        }
        ifSame(keys, store, append, () => answer(null))
      })
      if (made !== null) return made
    }
  })

/** Removes values from several drawers at once. */
export const storeDropAll = (drawers: readonly [Drawer, ...Drawer[]], name: string): Promise<void> =>
  inOrder(drawers[0], async () => {
    const keys = await keyring()
    const places = await Promise.all(drawers.map(drawer => placesOf(keys, drawer, name)))
    await transact<void>(drawers, 'readwrite', (store, answer) => {
      for (const [i, drawer] of drawers.entries())
        readAll(store(drawer), places[i] ?? [], raws => {
          for (const [n, place] of (places[i] ?? []).entries()) if (isSealed(raws[n]) || isMine(raws[n])) store(drawer).delete(place)
          answer()
        })
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
  await keyComes(drawer)
  await inOrder(drawer, () => alter(drawer, name, () => value, true))
}

/** Replaces a value with the result of `change`, whatever other windows do; undefined leaves it as it is. Returns the new value. */
export const storeChange = <D extends Drawer>(
  drawer: D,
  name: string,
  change: (now: Value<D> | undefined) => Value<D> | undefined,
): Promise<Value<D> | undefined> => inOrder(drawer, () => alter(drawer, name, change))

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
  inOrder(drawer, async () => {
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
  const keys = await keyring()
  return keys === null || !keys.done || keys.rings.length > 1
}

/**
 * Deletes the key from the device, and what the service sent, in one transaction, unless somebody `is_here`: they may have signed in meanwhile, in another window.
 * What the person hasn't sent stays, and nobody can read it.
 */
export async function storeClose(is_here: () => boolean): Promise<void> {
  held = null
  await transact<void>(['keys', ...RECEIVED], 'readwrite', (store, answer) => {
    if (!is_here()) for (const drawer of ['keys', ...RECEIVED] as const) store(drawer).clear()
    answer()
  })
}
