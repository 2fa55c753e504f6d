import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../tests/permits.ts'
import { type Part, useHouse } from '../../tests/world.ts'

const FILE: Part = { name: 'file', filename: 'note.txt', value: 'read me' }

describe('forms with a file', () => {
  const house = useHouse()

  /** Attaches this to a new draft; returns the response, and how many files the draft has then. */
  async function attach(w: PermitWorld, parts: Part[], query = '') {
    const draft = await w.draft()
    const said = await w.as('member').send('POST', `/permits/applications/${draft.id}/attachments${query}`, parts)
    return { said, draft, files: (await w.read(draft, w.as('member'))).attachments.length }
  }

  test('conventions §1 Uploads: a second file is refused, where only one of them would be stored', async () => {
    const w = await permitWorld(house)
    const { said, files } = await attach(w, [FILE, { ...FILE, filename: 'other.txt' }])
    assert.deepEqual([said.status, said.body.error.code, files], [415, 'unsupported_media_type', 0])
    assert.match(said.body.error.detail, /more than one file/)
    assert.equal((await attach(w, [FILE])).said.status, 201)
  })

  test('conventions §1 Site scope: the site in a form has to be that of the record, as in a query and in JSON', async () => {
    const w = await permitWorld(house)
    const other = await house.world()
    const { said, files } = await attach(w, [{ name: 'site_id', value: other.site_id }, FILE])
    assert.deepEqual([said.status, said.body.error.fields?.[0]?.path, files], [422, 'site_id', 0])
    const data = await attach(w, [{ name: 'data', value: JSON.stringify({ site_id: other.site_id }) }, FILE])
    assert.deepEqual([data.said.status, data.files], [422, 0])
    const own = [w.site_id, ` ${w.site_id.toUpperCase()} `]
    for (const value of own) assert.equal((await attach(w, [{ name: 'site_id', value }, FILE])).said.status, 201, value)
    assert.equal((await attach(w, [FILE], `?site_id=${own[1]?.trim()}`)).said.status, 201)
  })

  test('conventions §5 a field that comes twice, on its own or in `data`, is 422 and shown', async () => {
    const w = await permitWorld(house)
    const site: Part = { name: 'site_id', value: w.site_id }
    const data: Part = { name: 'data', value: JSON.stringify({ site_id: w.site_id }) }
    for (const parts of [
      [site, site],
      [site, data],
      [data, site],
      [data, data],
    ]) {
      const { said, files } = await attach(w, [...parts, FILE])
      assert.deepEqual([said.status, files], [422, 0])
      assert.deepEqual(said.body.error.fields, [{ path: 'site_id', message: 'is sent more than once. Send it once.' }])
    }
    const proto = await attach(w, [{ name: 'data', value: '{"__proto__":{"site_id":"x"}}' }, FILE])
    assert.deepEqual([proto.said.status, proto.files], [400, 0])
  })

  test('conventions §5 the name of a file is normalised like other text, and control characters in it are refused', async () => {
    const w = await permitWorld(house)
    for (const filename of ['a\u0000b.txt', 'a\u0007.txt', 'a\u0085.txt']) {
      const { said, files } = await attach(w, [{ ...FILE, filename }])
      assert.deepEqual([said.status, said.body.error.fields?.[0]?.path, files], [422, 'filename', 0], JSON.stringify(filename))
    }
    const apple = await attach(w, [{ ...FILE, filename: ' Cafe\u0301.txt ' }])
    assert.equal(apple.said.body.filename, 'Caf\u00e9.txt')
    const long = await attach(w, [{ ...FILE, filename: `${'x'.repeat(199)}😀.txt` }])
    assert.equal(long.said.body.filename, 'x'.repeat(199))
  })
})

describe('parameters of a URL', () => {
  const house = useHouse()

  test('conventions §1 Filters: a parameter that can’t be repeated is 422 if it comes twice, and one that no list has is refused whatever its name', async () => {
    const w = await house.world()
    const ask = async (query: string) => {
      const said = await w.as('member').get(`/contractors/?site_id=${w.site_id}${query}`)
      return [said.status, said.body.error?.fields]
    }
    const repeated = (path: string) => [422, [{ path, message: 'is sent more than once. Send it once.' }]]
    assert.deepEqual(await ask('&limit=1&limit=2'), repeated('limit'))
    assert.deepEqual(await ask('&q=a&q=a'), repeated('q'))
    assert.deepEqual(await ask(`&site_id=${w.site_id}`), repeated('site_id'))
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      assert.deepEqual(await ask(`&${name}=1`), [422, [{ path: name, message: 'isn’t a field of this request.' }]])
    assert.deepEqual(await ask('&__proto__=1&__proto__=2'), [422, [{ path: '__proto__', message: 'isn’t a field of this request.' }]])
    assert.deepEqual(await ask('&=1'), [422, [{ path: '', message: 'has a parameter without a name.' }]])
    assert.equal((await ask('&'))[0], 200)
  })
})
