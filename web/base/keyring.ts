// The key of the person who is signed in, as this window has it. The device has it only while they are signed in (decision 844).
import { type Keyring, readKeyring, type Shelf, transact } from './database.ts'

let who: () => string | null = () => null
/** Tells the store how it learns who is signed in. */
export const storeFor = (asked: () => string | null): void => {
  who = asked
}
/** Returns the person who is signed in, as the store knows them. */
export const whoNow = (): string | null => who()

let held: Keyring | null = null
const waiting: (() => void)[] = []

/** Returns the key of the person who is signed in; null if the device doesn't have it, or nobody is signed in. */
export async function keyring(): Promise<Keyring | null> {
  const now = who()
  if (held?.who !== now) held = null
  if (held !== null || now === null) return held
  const kept = await transact<Keyring | undefined>(['keys'], 'readonly', (store, answer) => readKeyring(store('keys'), now, answer))
  if (kept !== undefined && who() === now) holdKey(kept)
  return held
}

/** Uses a key that the device has stored, for everything from now on. */
export function holdKey(keys: Keyring): void {
  held = keys
  for (const go of waiting.splice(0)) go()
}

/** Forgets the key in this window. */
export const dropKey = (): void => {
  held = null
}

/** Resolves when the device has the key. */
export async function keyComes(): Promise<void> {
  if ((await keyring()) === null) await new Promise<void>(done => waiting.push(done))
}

/** Returns the key to write with; null while the device doesn't have it yet. Nothing is stored for nobody. */
export async function keysToWrite(): Promise<Keyring | null> {
  const keys = await keyring()
  if (keys === null && who() === null) throw new Error('Nobody is signed in.')
  return keys
}

/**
 * Until the key is there, what a person does is stored plain, and is encrypted when it comes. Within the transaction that stores it: whether the key is still
 * missing.
 */
export function ifSame(keys: Keyring | null, store: (drawer: Shelf) => IDBObjectStore, yes: () => void, no: () => void): void {
  const now = who()
  if (keys !== null) yes()
  else if (now === null) no()
  else readKeyring(store('keys'), now, key => (key === undefined ? yes() : no()))
}

/** Lists the drawers of a transaction that needs to know whether the key is still missing. */
export const withKeys = (keys: Keyring | null, drawers: readonly Shelf[]): readonly Shelf[] =>
  keys === null ? [...drawers, 'keys'] : drawers
