// What the device keeps: one small database in the browser, with a drawer for each use. Drawers of a person are emptied when he signs out.
const NAME = 'walkdown'
const DRAWERS = ['cache', 'outbox', 'files', 'drafts'] as const
/** A drawer of the device's store. */
export type Drawer = (typeof DRAWERS)[number]

let opening: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((done, failed) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      for (const drawer of DRAWERS) if (!request.result.objectStoreNames.contains(drawer)) request.result.createObjectStore(drawer)
    }
    request.onsuccess = () => done(request.result)
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
    // A write is there once its transaction is, not before: a battery may die between the two.
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = () => failed(transaction.error ?? request.error)
  })
}

/** What lies under this key. */
export const storeGet = <T>(drawer: Drawer, key: string): Promise<T | undefined> =>
  work<T | undefined>(drawer, 'readonly', store => store.get(key) as IDBRequest<T | undefined>) // as it was put there
/** Puts a value under a key; resolved once it would survive a dead battery. */
export const storePut = async (drawer: Drawer, key: string, value: unknown): Promise<void> => {
  await work(drawer, 'readwrite', store => store.put(value, key))
}
/** Takes a value away. */
export const storeDrop = async (drawer: Drawer, key: string): Promise<void> => {
  await work(drawer, 'readwrite', store => store.delete(key))
}
/** Everything in a drawer, by its keys in order. */
export async function storeAll<T>(drawer: Drawer): Promise<[string, T][]> {
  const keys = await work(drawer, 'readonly', store => store.getAllKeys())
  const values = (await work(drawer, 'readonly', store => store.getAll())) as T[] // as they were put there
  return keys.map((key, i) => [String(key), values[i] as T])
}
/** Empties drawers. */
export const storeEmpty = async (drawers: readonly Drawer[]): Promise<void> => {
  for (const drawer of drawers) await work(drawer, 'readwrite', store => store.clear())
}
