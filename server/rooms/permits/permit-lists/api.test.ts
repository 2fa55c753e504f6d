import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { CHECKLIST, type Permit, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { migrations } from '../../../base/migrate.ts'
import { sweepPermits } from '../permits/actions/sweeps.ts'

describe('lists of permits', () => {
  const house = useHouse()

  test('the close-out round lists expired and handed-back permits by place, with the permits that closing each would release', async () => {
    const w = await permitWorld(house)
    await w.as('hse').put(`/permits/config?site_id=${w.site_id}`, { close_out_gate_enabled: true })
    const waiting = await w.at('approved')
    const late = await w.at('issued', { end_at: '2026-03-16T10:30:00Z' })
    const handed = await w.at('issued')
    await w.step(handed, 'hand-back', w.receiver)
    house.clock('2026-03-16T11:00:00.000Z')
    await sweepPermits(house.house)
    const [stop] = (await w.as('coordinator').get(`/permits/close-out-round?site_id=${w.site_id}`)).body
    const of = (id: string) => stop.permits.find((p: Permit) => p.id === id)
    assert.deepEqual([stop.permits.length, of(late.id).releases.map((r: Permit) => r.id), of(handed.id).releases], [2, [waiting.id], []])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('site-and-people.md §6 a permit without a contractor is found as the main contractor’s of its time, in lists, on the board and in the counts of contractors', async () => {
    const w = await permitWorld(house)
    const [x, y] = [await w.contractor('X Construction'), await w.contractor('Y Construction')]
    const lead = async (contractor_id: string) =>
      assert.equal((await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id })).status, 200)
    const draft = (title: string, more: object) => w.draft({ title, ...more }, w.as('coordinator'))
    await lead(x)
    const own = await draft('Own', { start_at: '2026-03-16T10:00:00Z', end_at: '2026-03-16T15:00:00Z' })
    await draft('Of Y', { contractor_id: y })
    await draft('Later', { start_at: '2026-03-16T14:00:00Z', end_at: '2026-03-16T15:00:00Z' })
    const found = async (...contractors: string[]) => {
      const query = [`site_id=${w.site_id}`, ...contractors.map(id => `contractor_id=${id}`)].join('&')
      const titles: string[][] = []
      for (const path of [
        `/permits?${query}`,
        `/permits/applications?${query}&from=2026-03-16T00:00:00Z&to=2026-03-17T00:00:00Z`,
        `/permits?${query}&category=HW&category=CSE`,
      ]) {
        const { body, headers } = await w.as('coordinator').get(path)
        assert.equal(headers['x-total-count'], String(body.length), path)
        titles.push(body.map((permit: Permit) => permit.title).toSorted())
      }
      assert.deepEqual(titles[1], titles[0])
      assert.deepEqual(titles[2], titles[0])
      return titles[0]
    }
    assert.deepEqual([await found(x), await found(y), await found(w.acme)], [['Later', 'Own'], ['Of Y'], []])
    const { issuer, receiver } = w
    for (const [verb, by] of Object.entries({
      submit: w.as('coordinator'),
      endorse: w.as('site_manager'),
      approve: w.as('hse'),
      issue: issuer,
      countersign: receiver,
    }))
      assert.ok((await w.step(own, verb, by)).status < 300, verb)
    const members = async (value: string) => {
      const group = { site_id: w.site_id, name: 'Whose', subject: 'permit', dry_run: true }
      const reply = await w.as('coordinator').post('/smart-groups/', { ...group, predicate: { field: 'contractor_id', op: 'eq', value } })
      return [reply.status, ...reply.body.members.map((one: { id: string }) => one.id)]
    }
    assert.deepEqual([await members(x), await members(y)], [[200, own.id], [200]], 'conditions of smart groups find it in the same way')
    house.clock('2026-03-16T12:00:00.000Z')
    await lead(y)
    const live = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&include=counts`)).body
    assert.deepEqual(
      [x, y].map(id => live.find((one: { id: string }) => one.id === id).counts.live_permits),
      [1, 0],
    )
    assert.deepEqual([await found(x), await found(y), await found(x, y)], [['Own'], ['Later', 'Of Y'], ['Later', 'Of Y', 'Own']])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('the wallet lists the caller’s permits, most urgent first, with an ETag', async () => {
    const w = await permitWorld(house)
    const [signed, due] = [await w.at('signed'), await w.at('approved')]
    const live = await w.at('issued')
    const mine = await w.receiver.get('/permits/applications/wallet')
    assert.deepEqual(
      mine.body.map((p: Permit) => [p.id, p.awaiting_my_action]),
      [
        [signed.id, true],
        [live.id, false],
        [due.id, false],
      ],
    )
    assert.equal((await w.receiver.get('/permits/applications/wallet', { 'if-none-match': String(mine.headers.etag) })).status, 304)
    assert.deepEqual(
      (await w.issuer.get(`/permits/applications/wallet?site_id=${w.site_id}`)).body.map((p: Permit) => [p.id, p.awaiting_my_action]),
      [[due.id, true]],
    )
    assert.deepEqual((await w.as('viewer').get('/permits/applications/wallet')).body, [])
    assert.equal(mine.body[0].declare_blocker_available, true)
  })

  test('BK-5 declare_blocker_available is true from the lead time on, for people of the permit’s contractor and coordinators, and for nobody else', async () => {
    const w = await permitWorld(house)
    const other = await w.join('member', await w.contractor('Elsewhere'), 'Ed Elsewhere')
    const window = (hour: string, day = '17') => ({ start_at: `2026-03-${day}T${hour}:00:00Z`, end_at: `2026-03-${day}T23:00:00Z` })
    const near = await w.at('approved', window('05'))
    const far = await w.at('approved', window('15'))
    const shown = async (by: typeof other) =>
      Object.fromEntries(
        (await by.get(`/permits/applications/wallet?site_id=${w.site_id}`)).body.map((p: Permit) => [p.id, p.declare_blocker_available]),
      )
    const mine = await shown(w.receiver)
    assert.deepEqual([mine[near.id], mine[far.id]], [true, false])
    await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: other.user_id })
    assert.equal((await shown(other))[near.id], false, 'an issuer of another contractor')
    await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: w.as('coordinator').user_id })
    assert.equal((await shown(w.as('coordinator')))[near.id], true)
  })

  test('§1 the ETag of the wallet changes with everything that it shows, also if no permit has changed: a phone never keeps an old warning', async () => {
    const w = await permitWorld(house)
    const mine = await w.at('issued', { categories: ['HW'] })
    const before = await w.receiver.get('/permits/applications/wallet')
    const again = () => w.receiver.get('/permits/applications/wallet', { 'if-none-match': String(before.headers.etag) })
    assert.equal((await again()).status, 304)
    assert.equal((await w.as('hse').patch(`/permits/types/${w.types.HW?.id}`, { is_extendable: true })).status, 200)
    const after = await again()
    assert.equal(after.status, 200)
    const shown = (reply: typeof after) => reply.body.find((p: Permit) => p.id === mine.id)
    assert.deepEqual([shown(before).version, shown(before).is_extendable], [shown(after).version, false])
    assert.equal(shown(after).is_extendable, true)
  })

  test('§1 the filter entity lists the permits that cover a worker, a machine or a delivery, as far as the caller sees them', async () => {
    const w = await permitWorld(house)
    const [one, other] = [await w.at('requested'), await w.at('requested')]
    const work = {
      name: 'Welders',
      trade: 'Welder',
      start_at: '2026-03-16T10:00:00Z',
      end_at: '2026-03-16T12:00:00Z',
      contractor_id: w.acme,
    }
    const place = { point: { lon: -0.0877, lat: 51.5079 } }
    const worker = await w.as('coordinator').post('/workers/', { site_id: w.site_id, ...work, place, permit_id: one.id })
    assert.equal(worker.status, 201, worker.text)
    for (const path of ['/permits', '/permits/applications']) {
      const list = async (by = w.as('coordinator'), id = worker.body.id) =>
        (await by.get(`${path}?site_id=${w.site_id}&entity=${id}`)).body.map((p: Permit) => p.id)
      assert.deepEqual(await list(), [one.id], path)
      assert.deepEqual(await list(w.as('viewer')), [], path)
      assert.deepEqual(await list(w.as('coordinator'), other.id), [], path)
    }
  })

  test('P1B a search finds text of any length whatever its case, and compares words that are stored in lower case', async () => {
    const w = await permitWorld(house)
    const one = await w.draft({ title: 'Żerdź QX-7, 50%_ ŁÓDŹ' })
    const found = async (q: string) =>
      (await w.as('member').get(`/permits?site_id=${w.site_id}&q=${encodeURIComponent(q)}`)).body.map((p: Permit) => p.id)
    for (const q of ['qx-7', 'Qx', 'ŻERDŹ', 'łódź', '0%_', 'Ź', 'zerdz', 'LODZ', 'lódź']) assert.deepEqual(await found(q), [one.id], q)
    for (const q of ['qz', '0%ł', 'q_-7']) assert.deepEqual(await found(q), [], q)
    const changed = await w.as('member').patch(`/permits/applications/${one.id}`, { title: 'QY ŻERDŹ' })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual([await found('Qy'), await found('qx')], [[one.id], []])
    const inLowerCase = async () => {
      const stored = await house.rows('select words, words = lower(words) as lowered from permit_words where site_id = $1', [w.site_id])
      assert.ok(stored.length > 0 && stored.every(({ lowered }) => lowered), JSON.stringify(stored))
    }
    await inLowerCase()
    // As they were stored before that.
    await house.rows('update permit_words set words = upper(words) where site_id = $1', [w.site_id])
    await house.rows(migrations().find(({ name }) => name.endsWith('words_in_lower_case'))?.sql ?? '')
    await inLowerCase()
    await house.rows(migrations().find(({ name }) => name.endsWith('search_text'))?.sql ?? '')
    assert.deepEqual(await found('qY ŻERDŹ'), [one.id])
  })

  test('P1B a search for two letters or digits finds them before any character and at the end, and needs no more than the index by three letters', async () => {
    const w = await permitWorld(house)
    const titles = ['aQz', 'qz-1', 'jx1', 'qzé', 'qz–', 'jx\u{10000}', 'no such letters', 'é aqz b', 'q z', 'q\nz']
    // Someone who sees few permits is answered from those.
    const reviewer = w.as('coordinator')
    const made = await Promise.all(titles.map(async title => ({ title, id: (await w.draft({ title }, reviewer)).id })))
    const found = async (q: string) =>
      (await reviewer.get(`/permits?site_id=${w.site_id}&q=${encodeURIComponent(q)}`)).body.map((p: Permit) => p.id).sort()
    for (const q of ['qz', 'QZ', 'jx', 'X1', 'tt', '01', 'xk']) {
      const stored = await house.rows("select permit_id from permit_words where site_id = $1 and words like '%' || lower($2) || '%'", [
        w.site_id,
        q,
      ])
      assert.deepEqual(await found(q), stored.map(row => row.permit_id).sort(), q)
    }
    const wanted = made.filter(({ title }) => /qz/i.test(title)).map(({ id }) => id)
    assert.deepEqual(await found('qz'), wanted.sort())
    const [list] = (await recording(() => found('qz'))).filter(({ text }) => /not w\.plain/.test(text))
    const client = await house.house.database.pool.connect()
    try {
      // So few rows are read by their key otherwise.
      await client.query('begin; set local enable_seqscan = off; alter table permit_words drop constraint permit_words_pkey')
      // The text of the statement begins with its own table: only the words are planned here.
      const own = /select w\.permit_id from permit_words w where .*? or not w\.plain\)/s.exec(list?.text ?? '')?.[0] ?? ''
      const used = [...new Set([...own.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))]
      const text = own.replace(/\$(\d+)/g, (_, n) => `$${used.indexOf(Number(n)) + 1}`)
      const { rows } = await client.query(
        `explain ${text}`,
        used.map(n => list?.values?.[n - 1]),
      )
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      assert.match(plan, /Bitmap Index Scan on permit_words_like[\s\S]*words ~ [\s\S]*Bitmap Index Scan on permit_words_not_plain/)
    } finally {
      await client.query('rollback')
      client.release()
    }
    // Many permits have them now, so that the board is read in its order, as for longer words.
    await house.rows("insert into permit_words select $1, gen_random_uuid(), 'oqzo' from generate_series(1, 1000)", [w.site_id])
    const sent = (await recording(async () => assert.deepEqual(await found('qz'), wanted.sort()))).map(({ text }) => text)
    assert.ok(sent.some(text => /permit_words/.test(text)) && !sent.some(text => /not w\.plain/.test(text)))
  })

  test('lists have filters, order, pages and counts; unknown parameters are refused', async () => {
    const w = await permitWorld(house)
    const early = await w.draft({ start_at: '2026-03-16T08:00:00Z', title: 'Early bird' })
    const late = await w.at('requested', { start_at: '2026-03-18T08:00:00Z', end_at: '2026-03-18T12:00:00Z', categories: ['WAH'] })
    const open = (await w.as('member').post('/permits/applications', { site_id: w.site_id })).body
    const list = async (query: string, by = w.as('member')) =>
      (await by.get(`/permits?site_id=${w.site_id}${query}`)).body.map((p: Permit) => p.id)
    assert.deepEqual(await list(''), [open.id, late.id, early.id])
    assert.deepEqual(await list('', w.as('coordinator')), [late.id])
    assert.deepEqual(await list('&status=draft&status=requested&category=WAH'), [late.id])
    assert.deepEqual(await list('&q=early'), [early.id])
    assert.deepEqual(await list('&from=2026-03-17T00:00:00Z&to=2026-03-19T00:00:00Z'), [open.id, late.id])
    assert.deepEqual(await list(`&requestor_id=${w.as('member').user_id}&source=requested&contractor_id=${w.acme}`), [
      open.id,
      late.id,
      early.id,
    ])
    assert.deepEqual(await list('&updated_since=2026-03-16T09:00:01Z'), [])
    const first = await w.as('member').get(`/permits/applications?site_id=${w.site_id}&limit=2`)
    assert.deepEqual([first.headers['x-total-count'], first.body.length], ['3', 2])
    const next = /<\/api(.+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    assert.deepEqual(
      (await w.as('member').get(next)).body.map((p: Permit) => p.id),
      [early.id],
    )
    for (const bad of ['&colour=red', '&limit=0', '&limit=1001', '&status=open', '&bbox=1,2,3', '&from=yesterday', '&cursor=x', '&id=42']) {
      assert.equal((await w.as('member').get(`/permits?site_id=${w.site_id}${bad}`)).status, 422, bad)
    }
  })

  test('a board can ask for cards without reasons, and the permissions are the same', async () => {
    const w = await permitWorld(house)
    await w.at('issued')
    await w.draft()
    const full = (await w.as('hse').get(`/permits?site_id=${w.site_id}`)).body
    const short = (await w.as('hse').get(`/permits?site_id=${w.site_id}&reasons=false`)).body
    const silent = (flags: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, typeof flag === 'object' ? { ...flag, because: [] } : flag]))
    assert.deepEqual(
      short,
      full.map((p: Permit) => ({ ...p, permissions: silent(p.permissions as never) })),
    )
    assert.ok(full[0].permissions.approve.because.length > 0)
    assert.deepEqual((await w.as('hse').get(`/permits?site_id=${w.site_id}&reasons=true`)).body, full)
    assert.equal((await w.as('hse').get(`/permits?site_id=${w.site_id}&reasons=maybe`)).status, 422)
    assert.equal((await w.as('hse').get(`/permits/applications?site_id=${w.site_id}&reasons=false`)).status, 422, 'whole permits have them')
  })

  test('`soon` marks the last hours before the end, by the site’s lead time', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    assert.equal((await w.read(permit)).soon, true, 'ends in nine hours, lead 24')
    await w.as('hse').put('/permits/config', { site_id: w.site_id, expiring_warning_lead_hours: 4 })
    assert.equal((await w.read(permit)).soon, false)
    assert.deepEqual((await w.as('hse').get(`/permits?site_id=${w.site_id}&soon=true`)).body, [])
    house.clock('2026-03-16T15:00:00.000Z')
    assert.deepEqual(
      (await w.as('hse').get(`/permits?site_id=${w.site_id}&soon=true`)).body.map((p: Permit) => p.id),
      [permit.id],
    )
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('the filters soon, awaiting_countersign and handed_back, each with its opposite, return all permits together, even drafts without a window', async () => {
    const w = await permitWorld(house)
    await w.draft({ start_at: null, end_at: null })
    for (const state of ['requested', 'signed', 'issued', 'closed'] as const) await w.at(state)
    const handed = await w.at('issued')
    assert.equal((await w.receiver.post(`/permits/applications/${handed.id}/hand-back`, { work_complete: true })).status, 200)
    const ids = async (query: string) =>
      (await w.superadmin.get(`/permits?site_id=${w.site_id}${query}`)).body.map((p: Permit) => p.id).sort()
    const all = await ids('')
    for (const filter of ['soon', 'awaiting_countersign', 'handed_back']) {
      const yes = await ids(`&${filter}=true`)
      assert.ok(yes.length > 0 && yes.length < all.length, `${filter} finds ${yes.length} of ${all.length}`)
      assert.deepEqual([...yes, ...(await ids(`&${filter}=false`))].sort(), all, filter)
    }
  })

  test('audit.csv has one row for each event, in UTC and site time, with formulas neutralised', async () => {
    const w = await permitWorld(house, { timezone: 'Asia/Kolkata' })
    const permit = await w.at('requested')
    await w.step(permit, 'request-corrections', w.as('coordinator'), { note: '=HYPERLINK("http://x")' })
    const csv = await w.as('member').get(`/permits/applications/${permit.id}/audit.csv`)
    const lines = csv.text.split('\r\n')
    assert.equal(lines[0], '\ufeffat,at (Asia/Kolkata),actor,action,from,to,note,hash,on_behalf_of')
    assert.match(lines[2] ?? '', /^2026-03-16T09:00:00.000Z,2026-03-16 14:30,Mia Member,submitted,draft,requested,,,$/)
    assert.match(lines[3] ?? '', /'=HYPERLINK/)
    assert.equal((await w.as('viewer').get(`/permits/applications/${permit.id}/audit.csv`)).status, 404)
  })

  test('9.12 audit.csv has the note of every step and the hash of its own signature', async () => {
    const w = await permitWorld(house)
    const permit = await w.draft()
    const go = async (verb: string, by: Caller, body: Record<string, unknown> = {}) => {
      const reply = await w.step(permit, verb, by, body)
      assert.equal(reply.status, 200, reply.text)
    }
    await go('submit', w.as('member'))
    await go('request-corrections', w.as('coordinator'), { note: 'Name the fire watch' })
    await go('submit', w.as('member'))
    await go('endorse', w.as('coordinator'), { note: 'Checked, endorse' })
    await go('approve', w.as('hse'), { note: 'Checked, approve' })
    await go('issue', w.issuer, { note: 'Walked down' })
    await go('countersign', w.receiver, { note: 'Understood' })
    await go('hand-back', w.receiver, { note: 'Work done' })
    await go('close-out', w.as('coordinator'), { note: 'Area clean', checklist: CHECKLIST })
    const { signatures } = await w.read(permit)
    const hashOf = (kind: string) => signatures.find((s: { kind: string; voided_at: null }) => s.kind === kind && s.voided_at === null).hash
    const rows = async (id: string) =>
      (await w.as('member').get(`/permits/applications/${id}/audit.csv`)).text
        .trim()
        .split('\r\n')
        .slice(1)
        .map(line => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
        .map(cells => [cells[3], (cells[6] ?? '').replaceAll('"', ''), cells[7]])
    assert.deepEqual(
      (await rows(permit.id)).filter(([action]) => action !== 'created'),
      [
        ['submitted', '', ''],
        ['corrections_requested', 'Name the fire watch', ''],
        ['submitted', '', ''],
        ['endorsed', 'Checked, endorse', hashOf('stage1_approve')],
        ['approved', 'Checked, approve', hashOf('stage2_approve')],
        ['issue_signed', 'Walked down', hashOf('issue')],
        ['issued', 'Understood', hashOf('countersign')],
        ['handed_back', 'Work done', hashOf('hand_back')],
        ['closed', 'Area clean', hashOf('close_out')],
      ],
    )
    const other = await w.at('requested')
    assert.equal((await w.step(other, 'withdraw', w.as('member'), { reason: 'No longer needed' })).status, 200)
    assert.deepEqual((await rows(other.id)).at(-1), ['withdrawn', 'No longer needed', ''])
  })
})
