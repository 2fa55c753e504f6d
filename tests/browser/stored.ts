// What a device stores, read from the browser's database: as someone sees it who has the disk, and as the person sees it who is signed in.
import type { Page } from 'playwright-core'

/** Functions of the page that read the database. They repeat what decision 844 says, and use nothing of the app. */
const TOOLS = `
  const open = () => new Promise(done => { const opening = indexedDB.open('walkdown'); opening.onsuccess = () => done(opening.result) })
  const raw = async () => {
    const database = await open()
    const read = asked => new Promise(done => { asked.onsuccess = () => done(asked.result) })
    const drawers = {}
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name).objectStore(name)
      const [keys, values] = await Promise.all([read(store.getAllKeys()), read(store.getAll())])
      drawers[name] = keys.map((key, i) => [key, values[i]])
    }
    database.close()
    return drawers
  }
  const latin = bytes => Array.from(new Uint8Array(bytes), one => String.fromCharCode(one)).join('')
  const text = async value => {
    if (value instanceof CryptoKey) return value.extractable ? 'A KEY THAT CAN BE READ' : 'a key that cannot be read'
    if (value instanceof Blob) return latin(await value.arrayBuffer())
    if (value instanceof ArrayBuffer) return latin(value)
    if (ArrayBuffer.isView(value)) return latin(value.buffer)
    if (typeof value !== 'object' || value === null) return String(value)
    return (await Promise.all(Object.entries(value).map(async ([name, one]) => name + ' ' + (await text(one))))).join(' ')
  }
  const opened = async drawers => {
    const rings = (drawers.keys ?? []).flatMap(([, { rings }]) => rings)
    const found = {}
    for (const [drawer, all] of Object.entries(drawers)) {
      if (drawer === 'keys') continue
      found[drawer] = []
      for (const [key, value] of all) {
        const ring = rings.find(one => one.id === value.by)
        if (value.iv === undefined || ring === undefined) continue
        const ordered = drawer === 'outbox' || drawer === 'files'
        const about = new TextEncoder().encode(drawer + ' ' + (ordered ? key.replace(/^\\d+ /, '') : key) + ' text')
        const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: value.iv, additionalData: about }, ring.values, value.text)
        found[drawer].push(new TextDecoder().decode(plain))
      }
    }
    return found
  }
`
const inPage = <T>(page: Page, work: string): Promise<T> => page.evaluate(`(async () => { ${TOOLS} ${work} })()`) as Promise<T> // as each caller's script returns

/** Returns each drawer as someone sees it who has the disk: every name and every byte of every value as text. */
export const onDisk = (page: Page): Promise<Record<string, string[]>> =>
  inPage(
    page,
    `const drawers = await raw()
     const texts = {}
     for (const [name, all] of Object.entries(drawers)) texts[name] = await Promise.all(all.map(async ([key, value]) => key + ' ' + (await text(value))))
     return texts`,
  )

/** Returns each drawer as the app reads it with the key on the device: name and value as JSON. What another key encrypted isn't there. */
export const withKey = (page: Page): Promise<Record<string, string[]>> => inPage(page, 'return opened(await raw())')

/** Waits until the device has the key of a person (by default of anyone), and nothing of theirs is plain. */
export async function waitKey(page: Page, who: string | null = null): Promise<void> {
  const asked = `return (await raw()).keys.some(([name, { done }]) => done && (${JSON.stringify(who)} ?? name) === name)`
  while (!(await inPage<boolean>(page, asked).catch(() => false))) await page.waitForTimeout(30)
}

/** Waits until queries with these words in their names are in the device's store, and not only on screen. */
export async function waitKept(page: Page, words: readonly string[]): Promise<void> {
  for (;;) {
    const names = (await withKey(page)).cache?.map(one => String(JSON.parse(one)[0])) ?? []
    if (words.every(word => names.some(name => name.includes(word)))) return
    await page.waitForTimeout(30)
  }
}

/** Stores a value as an earlier version of the app did: plain. */
export const putPlain = (page: Page, drawer: string, name: string, value: unknown): Promise<void> =>
  inPage(
    page,
    `const database = await open()
     const writing = database.transaction(${JSON.stringify(drawer)}, 'readwrite')
     writing.objectStore(${JSON.stringify(drawer)}).put(${JSON.stringify(value)}, ${JSON.stringify(name)})
     await new Promise(done => { writing.oncomplete = done })
     database.close()`,
  )

/** Puts the device back into the state in which an earlier version of the app left it: everything plain, and no key. Files are left out. */
export const makePlain = (page: Page): Promise<void> =>
  inPage(
    page,
    `const drawers = await raw()
     const found = await opened(drawers)
     const database = await open()
     const writing = database.transaction([...database.objectStoreNames], 'readwrite')
     for (const [drawer, all] of Object.entries(found)) {
       writing.objectStore(drawer).clear()
       const ordered = drawer === 'outbox' || drawer === 'files'
       for (const [i, one] of all.entries()) {
         const [name, value] = JSON.parse(one)
         writing.objectStore(drawer).put(value, ordered ? drawers[drawer][i][0] : name)
       }
     }
     writing.objectStore('keys').clear()
     await new Promise(done => { writing.oncomplete = done })
     database.close()`,
  )
