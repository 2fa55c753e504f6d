// The device's storage: one small database in the browser, with a drawer (an object store) for each use. A person's drawers are emptied when they sign
// out.
const NAME = 'walkdown'
const VERSION = 4
const DRAWERS = ['cache', 'outbox', 'files', 'drafts', 'papers', 'forms', 'pictures'] as const
/** What each drawer contains. The file that owns a drawer says so, with `declare module`. */
export interface Drawers {
  files: Blob
}
/** An object store of the device's database. */
export type Drawer = (typeof DRAWERS)[number] & keyof Drawers

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

async function work<T>(drawer: Drawer, mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  return new Promise<T>((done, failed) => {
    const transaction = database.transaction(drawer, mode, {
      durability: mode === 'readwrite' && drawer !== 'cache' ? 'strict' : 'default',
    })
    const request = run(transaction.objectStore(drawer))
    // A write is safe only once its transaction has completed, because the battery may die before that.
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = () => failed(transaction.error ?? request.error)
  })
}

/** Changes several drawers in one transaction: all of it, or nothing. */
async function workTogether<T>(
  drawers: readonly Drawer[],
  run: (store: (drawer: Drawer) => IDBObjectStore, answer: (value: T) => void) => void,
): Promise<T> {
  const database = await open()
  return new Promise<T>((done, failed) => {
    const transaction = database.transaction(drawers, 'readwrite', { durability: 'strict' })
    let answered: { value: T } | undefined
    transaction.oncomplete = () => (answered === undefined ? failed(new Error('The transaction returned nothing.')) : done(answered.value))
    transaction.onabort = () => failed(transaction.error)
    run(
      drawer => transaction.objectStore(drawer),
      value => {
        answered = { value }
      },
    )
  })
}

/**
 * Adds a value after all others in a drawer, whichever window they came from and whatever the clock says, with its file in the drawer `files` under the same
 * key. Both are stored, or neither. Returns the key.
 */
export const storeAppend = <D extends Drawer>(drawer: D, name: string, value: Drawers[D], file?: Blob): Promise<string> =>
  workTogether<string>(file === undefined ? [drawer] : [drawer, 'files'], (store, answer) => {
    const last = store(drawer).openKeyCursor(null, 'prev')
    last.onsuccess = () => {
      const number = last.result === null ? 0 : Number.parseInt(String(last.result.key), 10)
      const key = `${String(number + 1).padStart(12, '0')} ${name}`
      store(drawer).put(value, key)
      if (file !== undefined) store('files').put(file, key)
      answer(key)
    }
  })

/** Removes values from several drawers at once. */
export const storeDropAll = (drawers: readonly Drawer[], key: string): Promise<void> =>
  workTogether<void>(drawers, (store, answer) => {
    for (const drawer of drawers) store(drawer).delete(key)
    answer()
  })

/** Returns the value under this key. */
export const storeGet = <D extends Drawer>(drawer: D, key: string): Promise<Drawers[D] | undefined> =>
  work<Drawers[D] | undefined>(drawer, 'readonly', store => store.get(key))
/** Stores a value under a key; resolves once it would survive a dead battery. */
export const storePut = async <D extends Drawer>(drawer: D, key: string, value: Drawers[D]): Promise<void> => {
  await work(drawer, 'readwrite', store => store.put(value, key))
}
/** Replaces a value with the result of `change` in one transaction; undefined leaves it as it is. Returns the new value. */
export const storeChange = <D extends Drawer>(
  drawer: D,
  key: string,
  change: (now: Drawers[D] | undefined) => Drawers[D] | undefined,
): Promise<Drawers[D] | undefined> =>
  workTogether<Drawers[D] | undefined>([drawer], (store, answer) => {
    const reading: IDBRequest<Drawers[D] | undefined> = store(drawer).get(key)
    reading.onsuccess = () => {
      const now = reading.result
      const next = change(now)
      if (next !== undefined) store(drawer).put(next, key)
      answer(next ?? now)
    }
  })
/** Removes a value. */
export const storeDrop = async (drawer: Drawer, key: string): Promise<void> => {
  await work(drawer, 'readwrite', store => store.delete(key))
}
/** Returns everything in a drawer, in the order of the keys. */
export async function storeAll<D extends Drawer>(drawer: D): Promise<[string, Drawers[D]][]> {
  const database = await open()
  return new Promise((done, failed) => {
    const transaction = database.transaction(drawer, 'readonly')
    // In one transaction: otherwise another window could remove something in between, and keys and values would not match.
    const keys = transaction.objectStore(drawer).getAllKeys()
    const values: IDBRequest<Drawers[D][]> = transaction.objectStore(drawer).getAll()
    transaction.oncomplete = () => done(values.result.map((value, i) => [String(keys.result[i]), value]))
    transaction.onabort = () => failed(transaction.error)
  })
}
/** What the service sent. The other drawers contain what the person hasn't sent yet, which stays for their next sign-in (decision 690). */
const RECEIVED = ['cache', 'papers', 'pictures'] as const
/** Removes everything that the service sent, when the person signs out. */
export const storeEmpty = async (): Promise<void> => {
  for (const drawer of RECEIVED) await work(drawer, 'readwrite', store => store.clear())
}
