import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { type Reply, useHouse } from '../../../../tests/world.ts'
import { rooms } from '../../../groups.ts'

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#128189' } })
    .png()
    .toBuffer()
const file = (value: Buffer | string, filename = 'logo.png') => [{ name: 'file', value, filename, type: 'image/png' }]

describe('contractors', () => {
  const house = useHouse()

  test('§6 POST /contractors/ adds a contractor with its derived colour; a member can’t', async () => {
    const w = await house.world()
    const made = await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: '  Northgate Steel ', trades: ['steel'] })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.colour, '#9a75da')
    assert.equal(made.body.name, 'Northgate Steel')
    assert.equal(made.headers.etag, '"1"')
    assert.equal(made.headers.location, `/api/contractors/?site_id=${w.site_id}&id=${made.body.id}`)
    assert.deepEqual(
      (await w.as('viewer').get(String(made.headers.location).slice(4))).body.map((f: { id: string }) => f.id),
      [made.body.id],
    )
    const refused = await w.as('member').post('/contractors/', { site_id: w.site_id, name: 'Other' })
    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.permission, 'contractor_edit')
  })

  test('§6 a name or alias is unique on a site, and a similar name must be confirmed', async () => {
    const w = await house.world()
    const add = (name: string, more = {}) => w.as('coordinator').post('/contractors/', { site_id: w.site_id, name, ...more })
    const taken = await add('ACME scaffolding  ltd')
    assert.equal(taken.status, 409)
    assert.equal(taken.body.error.reason, 'key_taken')
    const similar = await add('Acme Scaffolding Limited')
    assert.equal(similar.body.error.reason, 'similar_name')
    assert.equal(similar.body.error.existing_id, taken.body.error.existing_id)
    assert.equal((await add('Acme Scaffolding Limited', { confirm_similar: true })).status, 201)
    assert.equal((await add('Bauer & Söhne GmbH', { aliases: ['Bauer'] })).status, 201)
    assert.equal((await add('BAUER')).body.error.reason, 'key_taken')
    assert.equal((await add('!!!')).status, 422)
  })

  test('conventions §1 Lists: the page after the longest name can be read, in any script', async () => {
    const w = await house.world()
    const names = ['ß', '𠀀', 'ﷺ', '&'].map(letter => letter.repeat(200))
    for (const name of names) {
      const added = await w.as('admin').post('/contractors/', { site_id: w.site_id, name, confirm_similar: true })
      assert.equal(added.status, 201, added.text)
    }
    const found: string[] = []
    let path: string | undefined = `/contractors/?site_id=${w.site_id}&limit=1`
    while (path !== undefined) {
      const page: Reply = await w.as('viewer').get(path)
      assert.equal(page.status, 200, page.text)
      found.push(...page.body.map((contractor: { name: string }) => contractor.name))
      path = /<\/api([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
    }
    assert.ok(names.every(name => found.includes(name)))
  })

  test('§6 if two people add the same contractor at the same time, one succeeds and the other is refused', async () => {
    const w = await house.world()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: 'Race Ltd' })),
    )
    assert.deepEqual(answers.map(a => a.status).sort(), [201, ...Array(7).fill(409)])
    assert.ok(answers.every(a => a.status === 201 || a.body.error.reason === 'key_taken'))
  })

  test('the same Idempotency-Key adds one contractor and repeats the response; with another body it is refused', async () => {
    const w = await house.world()
    const key = { 'idempotency-key': 'phone-1-firm-7' }
    const body = { site_id: w.site_id, name: 'Twice Ltd' }
    const both = await Promise.all([
      w.as('coordinator').post('/contractors/', body, key),
      w.as('coordinator').post('/contractors/', body, key),
    ])
    assert.deepEqual(
      both.map(a => a.status),
      [201, 201],
    )
    assert.equal(both[0]?.text, both[1]?.text)
    const other = await w.as('coordinator').post('/contractors/', { ...body, name: 'Thrice Ltd' }, key)
    assert.equal(other.body.error.reason, 'idempotency_key_reused')
    assert.equal((await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}&q=twice`)).body.length, 1)
  })

  test('every fault of bad input is reported at once, nothing is written, and nothing from another site is visible', async () => {
    const w = await house.world()
    const bad = await w
      .as('coordinator')
      .post('/contractors/', { site_id: w.site_id, colour: 'teal', nonsense: 1, trades: 'steel', aliases: ['a\u0000b'] })
    assert.equal(bad.status, 422)
    assert.deepEqual(bad.body.error.fields.map((f: { path: string }) => f.path).sort(), [
      'aliases[0]',
      'colour',
      'name',
      'nonsense',
      'trades',
    ])
    const elsewhere = await house.world()
    assert.equal((await elsewhere.as('admin').get(`/contractors/?site_id=${w.site_id}`)).status, 404)
    assert.equal((await w.as('admin').get('/contractors/')).status, 422)
    assert.equal((await w.as('admin').get(`/contractors/?site_id=${w.site_id}&colour=red`)).status, 422, 'refuses an unknown parameter')
    assert.equal((await house.nobody.get(`/contractors/?site_id=${w.site_id}`)).body.error.reason, 'missing')
    const broken = await w.as('admin').post('/contractors/', '{"site_id": ', { 'content-type': 'application/json' })
    assert.equal(broken.body.error.code, 'malformed_request')
    assert.equal((await w.as('admin').put('/contractors/', {})).status, 405)
  })

  test('a GET body can be sent as a PATCH: read-only fields are ignored, unknown ones refused', async () => {
    const w = await house.world()
    const [contractor] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const back = await w.as('coordinator').patch(`/contractors/${contractor.id}`, { ...contractor, trades: ['scaffolding'] })
    assert.equal(back.status, 200, back.text)
    assert.deepEqual(back.body.trades, ['scaffolding'])
    assert.equal((await w.as('coordinator').patch(`/contractors/${contractor.id}`, { colours: 'x' })).status, 422)
  })

  test('§6 renaming derives the colour again and keeps the old name as an alias', async () => {
    const w = await house.world()
    const [contractor] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const renamed = await w.as('coordinator').patch(`/contractors/${contractor.id}`, { name: 'Northgate Steel' })
    assert.equal(renamed.body.colour, '#9a75da')
    assert.deepEqual(renamed.body.aliases, ['Acme Scaffolding Ltd'])
    const chosen = await w.as('coordinator').patch(`/contractors/${contractor.id}`, { colour: '#ABCDEF' })
    assert.deepEqual([chosen.body.colour, chosen.body.colour_source], ['#abcdef', 'chosen'])
    assert.equal((await w.as('coordinator').patch(`/contractors/${contractor.id}`, { colour: null })).body.colour, '#9a75da')
  })

  test('with If-Match the second of two editors is refused', async () => {
    const w = await house.world()
    const [contractor] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const match = { 'if-match': `"${contractor.version}"` }
    assert.equal((await w.as('coordinator').patch(`/contractors/${contractor.id}`, { trades: ['a'] }, match)).status, 200)
    const late = await w.as('admin').patch(`/contractors/${contractor.id}`, { trades: ['b'] }, match)
    assert.equal(late.status, 412)
    assert.equal(late.body.error.version, contractor.version + 1)
  })

  test('§6 marking a contractor as left reports what is still here; a contractor that is referred to can’t be deleted, another can', async () => {
    const w = await house.world()
    const [acme] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const left = await w.as('coordinator').patch(`/contractors/${acme.id}`, { status: 'left' })
    assert.deepEqual(left.body.still_here, { workers_ahead: 0, open_permits: 0, members: 2 })
    assert.deepEqual((await w.as('viewer').get(`/contractors/?site_id=${w.site_id}`)).body, [])
    const refused = await w.as('admin').del(`/contractors/${acme.id}`)
    assert.equal(refused.body.error.reason, 'in_use')
    assert.deepEqual(refused.body.error.in_use, { memberships: 2 })
    const free = await w.contractor('Free Ltd')
    const shown = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&status=active&status=left`)).body.map(
      (c: { name: string; in_use: boolean; permissions: { delete: { allowed: boolean; because: { detail: string }[] } } }) => [
        c.name,
        c.in_use,
        c.permissions.delete.allowed,
        c.permissions.delete.because.length,
      ],
    )
    assert.deepEqual(shown, [
      [acme.name, true, false, 1],
      ['Free Ltd', false, true, 0],
    ])
    assert.equal((await w.as('coordinator').del(`/contractors/${free}`)).status, 403)
    assert.equal((await w.as('admin').del(`/contractors/${free}`)).status, 204)
    assert.equal((await w.as('admin').del(`/contractors/${free}`)).status, 404)
  })

  test('§6 every record that refers to a contractor is counted: what can’t be deleted says so before anyone tries', async () => {
    const w = await house.world()
    const acme = await w.contractor('Acme')
    const shown = async () => {
      const [{ in_use, permissions }] = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&id=${acme}`)).body
      return [in_use, permissions.can_delete]
    }
    assert.deepEqual(await shown(), [false, true])
    assert.equal(
      (await w.as('admin').post(`/invites/sites/${w.site_id}`, { email: 'a@b.example', role: 'member', contractor_id: acme })).status,
      201,
    )
    assert.deepEqual(await shown(), [true, false])
    const { error } = (await w.as('admin').del(`/contractors/${acme}`)).body
    assert.deepEqual([error.in_use, error.detail.includes('is used by 1 invitation.')], [{ invitations: 1 }, true], error.detail)
    // A foreign key of which no room says that it uses contractors would refuse with less than that.
    const keys = await house.rows(`
      select r.relname as table, a.attname as column from pg_constraint c join pg_class r on r.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[2]
      where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = 'contractor'::regclass order by 1, 2`)
    const counted = rooms
      .flatMap(room => room.uses ?? [])
      .flatMap(use => (use.of === 'contractor' && use.when === 'ever' ? (use.key ?? []) : []))
    // Those that are counted in another way.
    const others = ['contractor_oversight', 'membership', 'permit', 'reference_feature_version', 'site']
    assert.deepEqual(
      keys.filter(key => !others.includes(key.table) && !counted.some(one => one.table === key.table && one.column === key.column)),
      [],
    )
  })

  test('§6 oversight has pairs and chains; a loop is refused whether oversight is transitive or not', async () => {
    const w = await house.world()
    const [a, b, c] = [await w.contractor('Alpha'), await w.contractor('Beta'), await w.contractor('Gamma')]
    const over = (x: string, y: string) => w.as('admin').post(`/contractors/${x}/oversight`, { subordinate_id: y })
    assert.equal((await over(a, b)).status, 201)
    assert.equal((await over(a, b)).status, 200)
    assert.equal((await over(b, c)).status, 201)
    const loop = await over(c, a)
    assert.equal(loop.body.error.reason, 'oversight_cycle')
    assert.deepEqual(loop.body.error.path, [a, b, c])
    assert.equal((await over(a, a)).status, 422)
    assert.equal((await w.as('coordinator').post(`/contractors/${a}/oversight`, { subordinate_id: c })).status, 403)
    const seen = async () =>
      (await w.as('viewer').get(`/contractors/${a}/oversight`)).body.map((o: { contractor_id: string }) => o.contractor_id)
    assert.deepEqual(await seen(), [b])
    const on = await w.as('admin').put(`/sites/${w.site_id}/oversight-transitive`, { oversight_transitive: true })
    assert.deepEqual(on.body.pairs_added, [{ overseer_id: a, subordinate_id: c }])
    assert.deepEqual(await seen(), [b, c])
    assert.deepEqual(
      (await w.as('viewer').get(`/contractors/${c}/oversight?direction=up`)).body.map((o: { contractor_id: string; via: string[] }) => [
        o.contractor_id,
        o.via,
      ]),
      [
        [b, []],
        [a, [b]],
      ],
    )
    assert.equal((await w.as('viewer').get(`/contractors/oversight?site_id=${w.site_id}&effective=true`)).body.length, 3)
    const derived = await w.as('admin').del(`/contractors/${a}/oversight/${c}`)
    assert.deepEqual([derived.body.error.reason, derived.body.error.via], ['derived_pair', [b]])
    assert.equal((await w.as('admin').del(`/contractors/${a}/oversight/${b}`)).status, 204)
    assert.deepEqual(await seen(), [])
    assert.deepEqual(
      (await w.as('viewer').get(`/contractors/?site_id=${w.site_id}&overseen_by=${b}`)).body.map((f: { id: string }) => f.id),
      [c],
    )
  })

  test('§6 of two pairs that would close a loop together, one is refused', async () => {
    const w = await house.world()
    const [a, b] = [await w.contractor('Alpha'), await w.contractor('Beta')]
    const both = await Promise.all([
      w.as('admin').post(`/contractors/${a}/oversight`, { subordinate_id: b }),
      w.as('site_manager').post(`/contractors/${b}/oversight`, { subordinate_id: a }),
    ])
    assert.deepEqual(both.map(r => r.status).sort(), [201, 409])
  })

  test('§6 a logo is checked by its bytes and pixels, stored as sent, and shown scaled down', async () => {
    const w = await house.world()
    const id = await w.contractor('Logo Ltd')
    const put = (value: Buffer | string, filename?: string) =>
      w.as('coordinator').send('PUT', `/contractors/${id}/logo`, file(value, filename))
    const original = await png(600, 300)
    const set = await put(original)
    assert.equal(set.status, 200, set.text)
    assert.equal(set.body.logo_version, 1)
    const small = await w.as('member').get(`/contractors/${id}/logo/image?size=64&v=1`)
    assert.equal(small.headers['content-type'], 'image/webp')
    assert.match(String(small.headers['cache-control']), /immutable/)
    assert.equal(
      (await w.as('member').get(`/contractors/${id}/logo/image?size=original`)).headers['content-length'],
      String(original.length),
    )
    assert.equal(
      (await w.as('member').get(`/contractors/${id}/logo/image?size=64`, { 'if-none-match': String(small.headers.etag) })).status,
      304,
    )
    assert.equal((await put('<!doctype html><html></html>')).status, 415)
    assert.equal((await put('<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg')).status, 415)
    assert.equal((await put(await png(5000, 10))).status, 413)
    assert.equal((await put(Buffer.concat([original, Buffer.alloc(3 * 1024 * 1024)]))).status, 413)
    assert.equal((await put(original.subarray(0, 30))).status, 415)
    assert.equal((await w.as('coordinator').put(`/contractors/${id}/logo`, {})).status, 415)
    assert.equal((await w.as('coordinator').del(`/contractors/${id}/logo`)).status, 204)
    assert.equal((await w.as('member').get(`/contractors/${id}/logo/image`)).status, 404)
  })

  test('§6 contact details are for the coordinate band and the contractor’s own people', async () => {
    const w = await house.world()
    const [acme] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    await w.as('coordinator').patch(`/contractors/${acme.id}`, { phone: '+44 20 7946 0100' })
    const phone = async (role: 'coordinator' | 'member' | 'viewer') =>
      (await w.as(role).get(`/contractors/?site_id=${w.site_id}`)).body[0].phone
    assert.equal(await phone('coordinator'), '+44 20 7946 0100')
    assert.equal(await phone('member'), '+44 20 7946 0100')
    assert.equal(await phone('viewer'), undefined)
  })

  test('§6 anonymous callers see the main contractor of a listed site and nothing else', async () => {
    const w = await house.world()
    const [acme] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const seen = () => house.nobody.get(`/contractors/public?site_id=${w.site_id}`)
    assert.equal((await seen()).status, 404)
    await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id: acme.id })
    await w.as('admin').patch(`/sites/${w.site_id}`, { public_listing: true })
    assert.deepEqual(
      (await seen()).body.map((f: { name: string }) => f.name),
      ['Acme Scaffolding Ltd'],
    )
    assert.equal((await house.nobody.get('/contractors/public')).status, 404)
    assert.equal((await w.as('viewer').get(`/contractors/?site_id=${w.site_id}`)).body[0].is_main, true)
  })
})
