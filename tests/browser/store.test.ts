// The store of the device (decision 844), with the browser's own database and encryption: no app around it, so that each step can fail.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { useStage } from './kit.ts'
import { onDisk, putPlain } from './stored.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ENTRY = ['store', 'keyring', 'database', 'later/keeper'].map(file => `export * from '${root}web/base/${file}.ts'`).join('\n')

/** Returns the store as one script, which sets `device`. */
async function bundled(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [{ name: 'entry', resolveId: id => (id.endsWith('entry') ? '\0entry' : null), load: id => (id === '\0entry' ? ENTRY : null) }],
    build: { write: false, target: 'es2022', minify: false, lib: { entry: 'entry', name: 'device', formats: ['iife'] } },
  })
  const [chunk] = [made].flat().flatMap(one => ('output' in one ? one.output : []))
  return chunk?.type === 'chunk' ? chunk.code : assert.fail('The store was not built.')
}

/** `become` signs a person in, with the key of a number or with none; `number` makes a draft with a list. */
const HELP = `
  const become = async (who, ...keys) => {
    const rings = await Promise.all(keys.map(n => device.ringOf('key-' + n, btoa(String.fromCharCode(...new Uint8Array(32).fill(n))))))
    device.dropKey()
    device.storeFor(() => who)
    await device.transact(['keys'], 'readwrite', (store, answer) => {
      store('keys').clear()
      if (rings.length > 0) store('keys').put({ who, rings, done: true }, who)
      answer()
    })
  }
  const unfinished = async () => {
    const keys = await device.keyring()
    await device.transact(['keys'], 'readwrite', (store, answer) => { store('keys').put({ ...keys, done: false }, keys.who); answer() })
    device.dropKey()
  }
  const draft = (who, name, unsent) => ({ name, who, site_id: 's', id: null, fields: unsent, unsent, made: null, at: 1, refused: null })
`

describe('the store of a device', () => {
  const stage = useStage()
  let script = ''
  before(async () => {
    script = await bundled()
  })

  const run = <T>(page: Page, work: string): Promise<T> => page.evaluate(`(async () => { ${HELP} ${work} })()`) as Promise<T> // as each test's script returns
  /** A window of the device: any page of our origin without the app. */
  const open = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${stage.url}/api/diag/client-config`)
    await page.evaluate(`${script}; window.device = device`)
    return page
  }
  const device = async () => {
    const { context } = await stage.sit(null)
    return { context, page: await open(context) }
  }
  const disk = async (page: Page) => JSON.stringify(await onDisk(page))

  test('844 each value comes back as it was; on the disk is none of it, neither in names nor in files, and the key can’t be read', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       const form = { who: 'ana', name: 'reject PTW-7', changed: { reason: 'SECRET' }, was: {}, at: 5 }
       await device.storePut('forms', 'ana reject SECRET', form)
       await device.storePut('cache', 'query ["found","SECRET"]', { who: 'ana', key: ['found', 'SECRET'], data: [{ title: 'SECRET' }], at: 6 })
       await device.storePut('pictures', 'ana /SECRET', { who: 'ana', at: 7, blob: new Blob(['SECRET north'], { type: 'image/jpeg' }) })
       await device.storePut('papers', 'SECRET', { sha256: 'SECRET', site_id: 's', blob: new Blob(['SECRET paper']) })
       await device.storeChange('drafts', 'new-SECRET', () => draft('ana', 'new-SECRET', { title: 'SECRET ü' }))
       const key = await device.storeAppend('outbox', 'id-1', { id: 'id-1', who: 'ana', says: 'SECRET' }, new Blob(['SECRET file'], { type: 'image/png' }))
       const file = await device.storeGet('files', key)
       const picture = await device.storeGet('pictures', 'ana /SECRET')
       const [[, { rings: [ring] }]] = await device.everythingIn('keys')
       const exported = []
       for (const one of [ring.values, ring.names]) for (const form of ['raw', 'jwk']) exported.push(await crypto.subtle.exportKey(form, one).then(() => 'read', error => error.name))
       return [key, await file.text(), file.type, await picture.blob.text(), picture.blob.type, exported,
         await device.storeAll('forms'), await device.storeAll('outbox'), (await device.storeAll('drafts'))[0][1].unsent.title, await device.storeAll('papers')]`,
    )
    assert.deepEqual(found, [
      '000000000001 id-1',
      'SECRET file',
      'image/png',
      'SECRET north',
      'image/jpeg',
      ['InvalidAccessError', 'InvalidAccessError', 'InvalidAccessError', 'InvalidAccessError'],
      [['ana reject SECRET', { who: 'ana', name: 'reject PTW-7', changed: { reason: 'SECRET' }, was: {}, at: 5 }]],
      [['000000000001 id-1', { id: 'id-1', who: 'ana', says: 'SECRET' }]],
      'SECRET ü',
      [['SECRET', { sha256: 'SECRET', site_id: 's' }]],
    ])
    const all = await disk(page)
    assert.doesNotMatch(all, /SECRET|PTW-7|image\//)
    assert.match(all, /a key that cannot be read/)
  })

  test('844 the last change wins, however many follow each other while values are encrypted', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       const puts = Array.from({ length: 60 }, (_, n) => device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: { text: 'x'.repeat(20_000 * (n % 3)) + n }, was: {}, at: n }))
       const typed = Array.from({ length: 60 }, (_, n) => device.storeChange('drafts', 'd', now => draft('ana', 'd', { ...now?.unsent, ['field ' + n]: 'x'.repeat(20_000 * (n % 3)) })))
       const seen = (await device.storeAll('drafts'))[0][1]
       await Promise.all([...puts, ...typed])
       const [[, form]] = await device.storeAll('forms')
       await device.storeDrop('forms', 'f')
       return [form.at, Object.keys(seen.unsent).length, (await device.storeAll('forms')).length]`,
    )
    assert.deepEqual(found, [59, 60, 0])
  })

  test('844 two windows that change one draft lose no change, and each keeps the order of its own', async () => {
    const { context, page } = await device()
    await run(page, `await become('ana', 1)`)
    const other = await open(context)
    const type = (where: Page, letter: string) =>
      run(
        where,
        `device.storeFor(() => 'ana')
         await Promise.all(Array.from({ length: 40 }, async (_, n) => {
           await new Promise(done => setTimeout(done, n * 3))
           await device.storeChange('drafts', 'd', now => draft('ana', 'd', { list: [...(now?.unsent.list ?? []), '${letter}' + n] }))
         }))`,
      )
    await Promise.all([type(page, 'a'), type(other, 'b')])
    const list = await run<string[]>(other, `return (await device.storeAll('drafts'))[0][1].unsent.list`)
    for (const letter of ['a', 'b'])
      assert.deepEqual(
        list.filter(one => one.startsWith(letter)),
        Array.from({ length: 40 }, (_, n) => `${letter}${n}`),
      )
  })

  test('844 without the key, what a person does is stored at once, and what the service sent waits; when the key comes, nothing stays plain and both are there', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       await device.storeChange('drafts', 'p-1', () => draft('ana', 'p-1', { title: 'OLD', controls: 'KEPT' }))
       await device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: { a: 'KEPT', b: 'OLD' }, was: { a: '', b: '' }, at: 1 })
       await become('ana')
       let waits = true
       const paper = device.storePut('papers', 'p', { sha256: 'x', site_id: 's', blob: new Blob(['paper']) }).then(() => { waits = false })
       await device.storeChange('drafts', 'p-1', now => draft('ana', 'p-1', { title: 'NEW', before: now === undefined }))
       await device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: { b: 'NEW' }, was: { b: '' }, at: 2 })
       const key = await device.storeAppend('outbox', 'id', { id: 'id', who: 'ana' }, new Blob(['photo']))
       const plain = [waits, await device.keyring(), (await device.storeAll('drafts')).length, (await device.everythingIn('drafts')).length]
       await become('ana', 1)
       await unfinished()
       device.holdKey(await device.keyring())
       await paper
       await device.sealRest()
       const [[, drafted]] = await device.storeAll('drafts')
       const [[, form]] = await device.storeAll('forms')
       return [plain, waits, drafted.unsent, form.changed, form.at, await (await device.storeGet('files', key)).text(), (await device.keyring()).done]`,
    )
    assert.deepEqual(found, [
      [true, null, 1, 2],
      false,
      { title: 'NEW', controls: 'KEPT', before: true },
      { a: 'KEPT', b: 'NEW' },
      2,
      'photo',
      true,
    ])
    assert.doesNotMatch(await disk(page), /NEW|OLD|KEPT|photo/)
  })

  test('844 a window that stores something plain while another brings the key stores it encrypted', async () => {
    const { context, page } = await device()
    await run(page, `await become('ana')`)
    const other = await open(context)
    await run(
      other,
      `device.storeFor(() => 'ana'); await device.storePut('forms', 'g', { who: 'ana', name: 'g', changed: {}, was: {}, at: 1 })`,
    )
    await run(page, `await become('ana', 1); await unfinished(); await device.sealRest()`)
    await run(
      other,
      `await Promise.all([
         device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: { text: 'LATE' }, was: {}, at: 1 }),
         device.storeChange('drafts', 'd', () => draft('ana', 'd', { title: 'LATE' })),
         device.storeAppend('outbox', 'id', { id: 'id', who: 'ana', says: 'LATE' }, new Blob(['LATE'])),
       ])`,
    )
    assert.doesNotMatch(await disk(page), /LATE/)
    assert.equal(await run(page, `return (await device.storeAll('forms')).length + (await device.storeAll('drafts')).length`), 3)
  })

  test('844 if the phone dies while older data is encrypted, each value is readable before and after, and the next start continues', async () => {
    const { page } = await device()
    await run(page, `await become('ana')`)
    for (let n = 0; n < 12; n++) {
      const form = { who: n % 4 === 3 ? 'ben' : 'ana', name: `f${n}`, changed: { text: `PLAIN ${n}` }, was: {}, at: n }
      await putPlain(page, 'forms', `${form.who} f${n}`, form)
    }
    await putPlain(page, 'drafts', 'older', { key: 'k', id: null, site_id: 's', fields: { title: 'PLAIN' }, unsent: {} })
    await putPlain(page, 'cache', 'query ["me"]', { who: 'ben', key: ['me'], data: 'PLAIN of ben', at: 1 })
    const found = await run(
      page,
      `await become('ana', 1)
       await unfinished()
       const whole = IDBObjectStore.prototype.put
       let puts = 0
       IDBObjectStore.prototype.put = function (...given) { if (this.name === 'forms' && ++puts > 4) throw new Error('dead'); return whole.apply(this, given) }
       await device.sealRest()
       IDBObjectStore.prototype.put = whole
       const between = [(await device.storeAll('forms')).length, (await device.keyring()).done]
       device.dropKey()
       await device.sealRest()
       return [between, (await device.storeAll('forms')).map(([, form]) => form.changed.text), (await device.storeAll('drafts')).length, (await device.keyring()).done]`,
    )
    const own = [0, 1, 2, 4, 5, 6, 8, 9, 10].map(n => `PLAIN ${n}`)
    const [between, texts, drafts, done] = found as [unknown, string[], number, boolean]
    assert.deepEqual(between, [9, false])
    assert.deepEqual([texts.toSorted(), drafts, done], [own.toSorted(), 1, true])
    const { forms = [], cache = [] } = await onDisk(page)
    assert.deepEqual(forms.filter(one => one.includes('PLAIN')).length, 3, 'what Ben left before the upgrade stays his')
    assert.deepEqual(cache, [], 'but not what the service sent him')
  })

  test('844 another person on the device sees nothing, and changes nothing, of what the first one left, even of the same permit', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       await device.storeChange('drafts', 'p-1', () => draft('ana', 'p-1', { title: 'Ana' }))
       await device.storeAppend('outbox', 'id-a', { id: 'id-a', who: 'ana' }, new Blob(['Ana']))
       await become('ben', 2)
       const before = [await device.storeAll('drafts'), await device.storeAll('outbox'), (await device.storeGet('drafts', 'p-1')) ?? null]
       await device.storeChange('drafts', 'p-1', now => draft('ben', 'p-1', { title: now === undefined ? 'Ben' : 'seen' }))
       const key = await device.storeAppend('outbox', 'id-b', { id: 'id-b', who: 'ben' })
       await unfinished()
       await device.sealRest()
       await device.storeDrop('drafts', 'other')
       await become('ana', 1)
       return [before, key, (await device.storeAll('drafts')).map(([, one]) => one.unsent.title), (await device.storeAll('outbox')).map(([name]) => name)]`,
    )
    assert.deepEqual(found, [[[], [], null], '000000000002 id-b', ['Ana'], ['000000000001 id-a']])
  })

  test('844 a key that the service has replaced still decrypts, until everything is encrypted with the new one', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       await device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: { text: 'old key' }, was: {}, at: 1 })
       const key = await device.storeAppend('outbox', 'id', { id: 'id', who: 'ana' }, new Blob(['photo']))
       await become('ana', 2, 1)
       const before = [(await device.storeAll('forms')).length, (await device.storeAll('outbox')).length, await device.isUnsealed()]
       await device.sealRest()
       await become('ana', 2)
       return [before, (await device.storeAll('forms'))[0][1].changed.text, (await device.storeAll('outbox')).length, await (await device.storeGet('files', key)).text(), (await device.everythingIn('forms')).length]`,
    )
    assert.deepEqual(found, [[1, 1, true], 'old key', 1, 'photo', 1])
  })

  test('844 a value that was damaged or moved is left out, and hides no other', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       for (const name of ['a', 'b', 'c']) await device.storePut('forms', name, { who: 'ana', name, changed: {}, was: {}, at: 1 })
       const [[first, one], [second, other]] = await device.everythingIn('forms')
       await device.transact(['forms'], 'readwrite', (store, answer) => { store('forms').put(other, first); new Uint8Array(one.text)[0] ^= 1; store('forms').put(one, second); answer() })
       return (await device.storeAll('forms')).length`,
    )
    assert.equal(found, 1)
  })

  test('844 when nobody is signed in, the key is deleted and nothing can be stored; unless someone has signed in meanwhile', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       const fill = async () => {
         await device.storePut('cache', 'q', { who: 'ana', key: ['q'], data: 1, at: 1 })
         await device.storePut('pictures', 'p', { who: 'ana', at: 1, blob: new Blob(['x']) })
         await device.storePut('papers', 'p', { sha256: 'x', site_id: 's', blob: new Blob(['x']) })
       }
       await fill()
       await device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: {}, was: {}, at: 1 })
       await device.storeClose(() => true)
       const kept = (await device.everythingIn('keys')).length + (await device.storeAll('cache')).length
       device.storeFor(() => null)
       await device.storeClose(() => false)
       const left = []
       for (const drawer of ['keys', 'cache', 'pictures', 'papers', 'forms']) left.push((await device.everythingIn(drawer)).length)
       const refused = await Promise.all([
         device.storePut('forms', 'g', { who: 'ana', name: 'g', changed: {}, was: {}, at: 1 }),
         device.storeChange('drafts', 'd', () => draft('ana', 'd', {})),
         device.storeAppend('outbox', 'id', { id: 'id', who: 'ana' }),
       ].map(one => one.then(() => 'stored', error => error.message)))
       return [kept, left, refused, (await device.storeAll('forms')).length]`,
    )
    assert.deepEqual(found, [2, [0, 0, 0, 0, 1], Array.from({ length: 3 }, () => 'Nobody is signed in.'), 0])
  })

  test('844 on a device that is full, the caller learns it, and what was stored before stays', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ana', 1)
       await device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: { text: 'before' }, was: {}, at: 1 })
       await device.storeChange('drafts', 'd', () => draft('ana', 'd', { title: 'before' }))
       const whole = IDBObjectStore.prototype.put
       IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }
       const refused = await Promise.all([
         device.storePut('forms', 'f', { who: 'ana', name: 'f', changed: { text: 'after' }, was: {}, at: 2 }),
         device.storeChange('drafts', 'd', () => draft('ana', 'd', { title: 'after' })),
         device.storeAppend('outbox', 'id', { id: 'id', who: 'ana' }, new Blob(['x'])),
       ].map(one => one.then(() => 'stored', () => 'refused')))
       IDBObjectStore.prototype.put = whole
       const kept = [(await device.storeAll('forms'))[0][1].changed.text, (await device.storeAll('drafts'))[0][1].unsent.title, (await device.everythingIn('files')).length]
       await device.storeChange('drafts', 'd', now => draft('ana', 'd', { title: now.unsent.title + ' and after' }))
       return [refused, kept, (await device.storeAll('drafts'))[0][1].unsent.title]`,
    )
    assert.deepEqual(found, [['refused', 'refused', 'refused'], ['before', 'before', 0], 'before and after'])
  })

  test('694 text that nobody has touched for a month is deleted, of whichever person; 843 and the oldest of too many pictures', async () => {
    const { page } = await device()
    const found = await run(
      page,
      `await become('ben', 2)
       for (const at of [1, 50]) await device.storePut('forms', 'f' + at, { who: 'ben', name: 'f' + at, changed: {}, was: {}, at })
       await become('ana', 1)
       await device.storePut('forms', 'g', { who: 'ana', name: 'g', changed: {}, was: {}, at: 2 })
       await device.storeTidy('forms', 10)
       for (const at of [5, 30, 20, 40]) await device.storePut('pictures', 'p' + at, { who: 'ana', at, blob: new Blob(['x']) })
       await device.storeTidy('pictures', 10, 2)
       return [(await device.everythingIn('forms')).map(([, { at }]) => at), (await device.storeAll('pictures')).map(([name]) => name).sort()]`,
    )
    assert.deepEqual(found, [[50], ['p30', 'p40']])
  })
})
