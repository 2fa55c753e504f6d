// The device's database in the browser. Only the store (store.ts) and what seals it (keeper.ts) use it.
import type { Ring } from './seal.ts'

const NAME = 'walkdown'
const VERSION = 6
const DRAWERS = ['cache', 'outbox', 'files', 'drafts', 'papers', 'forms', 'pictures', 'views', 'keys'] as const

/** An object store of the database, as IndexedDB knows it. */
export type Shelf = (typeof DRAWERS)[number]

/** The key of the person who is signed in, in the drawer `keys`: the present one, then earlier ones. `done`: nothing plain is left. */
export type Keyring = { who: string; rings: [Ring, ...Ring[]]; done: boolean }

let opening: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((done, failed) => {
    const request = indexedDB.open(NAME, VERSION)
    request.onupgradeneeded = () => {
      for (const drawer of DRAWERS) if (!request.result.objectStoreNames.contains(drawer)) request.result.createObjectStore(drawer)
    }
    request.onsuccess = () => {
      const database = request.result
      const forget = () => {
        opening = null
      }
      // A newer app in another window wants to add a drawer and must not wait for this one.
      database.onversionchange = () => {
        database.close()
        forget()
      }
      database.onclose = forget
      done(database)
    }
    request.onerror = () => failed(request.error)
  })
  opening.catch(() => {
    opening = null
  })
  return opening
}

/**
 * Runs one transaction over several drawers: all of it, or nothing. Resolves with what `run` gave to `answer`, once all of it would survive a dead battery:
 * a write is safe only when its transaction has completed. After `commit`, the browser completes it even if the page is closed at that moment.
 */
export async function transact<T>(
  drawers: readonly Shelf[],
  mode: IDBTransactionMode,
  run: (store: (drawer: Shelf) => IDBObjectStore, answer: (value: T) => void, commit: () => void) => void,
): Promise<T> {
  const database = await open()
  return new Promise<T>((done, failed) => {
    const durability = mode === 'readwrite' && drawers.some(drawer => drawer !== 'cache') ? 'strict' : 'default'
    const transaction = database.transaction(drawers, mode, { durability })
    let answered: { value: T } | undefined
    transaction.oncomplete = () => (answered === undefined ? failed(new Error('The transaction returned nothing.')) : done(answered.value))
    transaction.onabort = () => failed(transaction.error ?? new Error('The device couldn’t store this.'))
    run(
      drawer => transaction.objectStore(drawer),
      value => {
        answered = { value }
      },
      () => transaction.commit(),
    )
  })
}

/** Continues a transaction with the result of a request. If that fails, for example because the device is full, nothing of the transaction is stored. */
export function onResult<T>(request: IDBRequest<T>, transaction: IDBTransaction, then: (result: T) => void): void {
  request.onsuccess = () => {
    try {
      then(request.result)
    } catch {
      try {
        transaction.abort()
      } catch {
        // the browser has ended it already
      }
    }
  }
}

/** Reads several values, within a transaction. */
export function readAll(store: IDBObjectStore, keys: readonly string[], then: (values: unknown[]) => void): void {
  const asked = keys.map(key => store.get(key))
  const last = asked.at(-1)
  // The requests of a transaction succeed in their order.
  if (last !== undefined) onResult(last, store.transaction, () => then(asked.map(one => one.result)))
}

/** Reads the key of a person, within a transaction on the drawer `keys`. */
export const readKeyring = (store: IDBObjectStore, who: string, then: (keys: Keyring | undefined) => void): void =>
  onResult(store.get(who), store.transaction, then)

/** Reads everything in a drawer, within a transaction, in the order of the keys. Another window can't remove anything in between. */
export function readDrawer(store: IDBObjectStore, then: (all: [string, unknown][]) => void): void {
  const keys = store.getAllKeys()
  onResult(store.getAll(), store.transaction, values => then(values.map((value, i) => [String(keys.result[i]), value])))
}

/** Returns everything in a drawer as it is stored. */
export const everythingIn = (drawer: Shelf): Promise<[string, unknown][]> =>
  transact([drawer], 'readonly', (store, answer) => readDrawer(store(drawer), answer))
