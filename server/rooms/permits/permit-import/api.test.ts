import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { recording } from '../../../../bench/record.ts'
import { bookOf } from '../../../../tests/books.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { someoneWaits } from '../../../../tests/waits.ts'
import { type Caller, MONDAY, type Reply, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { outside, sql } from '../../../base/db.ts'
import { verifyChain } from '../../../kernel/audit/door.ts'
import { runJob, runSchedules } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { verifySignatures } from '../permit-signatures/actions/verify.ts'
import { createDraft } from '../permits/actions/draft.ts'

const data = (file: string) => readFileSync(fileURLToPath(new URL(`../../../../tests/data/${file}`, import.meta.url)))
const expected = (file: string) => JSON.parse(data(file).toString('utf8'))

const HEADER = ['Permit No', 'Type(s)', 'Contractor', 'Location', 'Level', 'Start', 'Finish', 'Description']
type Cells = (string | number | null)[]
/** Returns a register with these rows. */
const register = (rows: Cells[], header: Cells = HEADER) => bookOf([header, ...rows])

const upload = (
  w: World,
  file: Buffer,
  options: { as?: Caller; name?: string; query?: string; headers?: Record<string, string>; fields?: Record<string, string> } = {},
): Promise<Reply> =>
  (options.as ?? w.as('admin')).send(
    'POST',
    `/permits/upload?site_id=${w.site_id}${options.query ?? ''}`,
    [
      ...Object.entries(options.fields ?? {}).map(([name, value]) => ({ name, value })),
      { name: 'file', value: file, filename: options.name ?? 'register.xlsx' },
    ],
    options.headers,
  )
const permits = async (w: World, query = '') =>
  (await w.as('admin').get(`/permits/applications?site_id=${w.site_id}&source=imported&limit=1000${query}`)).body
const numbered = async (w: World, number: string) => (await permits(w, `&q=${encodeURIComponent(number)}`))[0]

describe('permit-import', () => {
  const house = useHouse({}, { pool: 8 })

  test('§6 the API document states the size up to which a register is read, and a larger file is refused', async () => {
    const w = await permitWorld(house)
    const document = JSON.stringify((await w.as('admin').get('/openapi.json')).body.paths['/permits/upload'].post.requestBody)
    assert.match(document, /The file, at most 20 MB;/)
    const refused = await upload(w, Buffer.concat([register([]), Buffer.alloc(20 * 1024 * 1024)]))
    assert.deepEqual([refused.status, refused.body.error.detail], [413, 'The file is larger than 20 MB. Send a smaller file.'])
  })

  test('11.4 a long import is sealed in pieces of at most 500 entries, made one after the other, and its last entry refers to its event', async () => {
    const w = await permitWorld(house)
    const rows = Array.from({ length: 1100 }, (_, n) => [
      `L-${n}`,
      'HW',
      'Acme',
      'Somewhere',
      null,
      '2026-03-16 08:00',
      '2026-03-16 18:00',
      `Weld ${n}`,
    ])
    const sent = await recording(async () => assert.equal((await upload(w, register(rows))).status, 201))
    const sealed = sent.filter(one => one.text.startsWith('select seal(')).map(one => JSON.parse(String(one.values[0])))
    const entries = sealed.map(parts => parts.flatMap((part: { entries: unknown[] }) => part.entries).length)
    assert.ok(entries.length >= 3 && Math.max(...entries) <= 500 && (entries.at(-1) ?? 0) > 0, entries.join())
    assert.deepEqual(
      sealed.map(parts => parts.some((part: { events: unknown[] }) => part.events.length > 0)),
      sealed.map((_, i) => i === sealed.length - 1),
    )
    const [last] = await house.rows('select events from audit_entry where site_id = $1 order by seq desc limit 1', [w.site_id])
    assert.notEqual(last.events, null)
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
  })

  test('rule 1: formats are listed with their headers, those of the site first; an unknown format is refused', async () => {
    const w = await house.world()
    const listed = async (query: string) => (await w.as('viewer').get(`/permits/formats${query}`)).body
    const [plain] = await listed('')
    assert.deepEqual([plain.format_id, plain.extensions], ['customer_ptw_xlsx', ['xlsx', 'xls']])
    assert.deepEqual(
      plain.columns.find((c: { field: string }) => c.field === 'start_at'),
      {
        field: 'start_at',
        headers: ['Start', 'Start Date', 'Start Date/Time', 'Start Time', 'From', 'Date From', 'Valid From', 'Validity Start'],
        transform: 'parse_datetime',
        required: true,
      },
    )
    const own = await w
      .as('admin')
      .patch(`/sites/${w.site_id}`, { settings: { import_headers: { customer_ptw_xlsx: { permit_number: ['Bewijs'] } } } })
    assert.equal(own.status, 200, own.text)
    const [named] = await listed(`?site_id=${w.site_id}`)
    assert.equal(named.columns[0].headers[0], 'Bewijs')
    const book = register([['A-1', 'HW', null, null, null, '01/04/2026', '02/04/2026', null]], ['Bewijs', ...HEADER.slice(1)])
    assert.equal((await upload(w, book)).body.new, 1)
    const unknown = await upload(w, book, { query: '&format_id=other' })
    assert.equal(unknown.status, 422)
    assert.equal((await house.nobody.get('/permits/formats')).status, 401)
    // The records of the installation are stored under an id that nobody can use as a site, not even a superadmin.
    const platform = '00000000-0000-0000-0000-000000000000'
    const root = await house.person('Sam Root', { superadmin: true })
    for (const caller of [root, w.as('admin')]) {
      assert.equal((await caller.get(`/permits/formats?site_id=${platform}`)).status, 404)
      assert.equal((await caller.get(`/sites/${platform}`)).status, 404)
    }
    assert.equal((await (await w.stranger()).get(`/permits/formats?site_id=${w.site_id}`)).status, 404)
  })

  for (const name of ['register-40.xlsx', 'register-40.xls'])
    test(`rules 3 to 6: ${name} is imported exactly as its expected.json says, and a second time changes nothing`, async () => {
      const w = await house.world({ timezone: 'America/Edmonton' })
      const said = expected('permits/register-40.expected.json')
      const first = await upload(w, data(`permits/${name}`), { name })
      assert.equal(first.status, 201, first.text)
      const { summary, rows } = said
      assert.equal(first.body.new, summary.must_be_accepted_distinct_permit_numbers)
      assert.equal(first.body.updated, 0)
      assert.deepEqual(
        [...new Set(first.body.errors.map((e: { row: number }) => e.row))],
        rows.filter((r: { outcome: string }) => r.outcome === 'refuse').map((r: { row: number }) => r.row),
      )
      const by = new Map((await permits(w)).map((p: { permit_number: string }) => [p.permit_number, p]))
      const contractors = new Map(
        (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&limit=1000`)).body.map((f: { id: string; name: string }) => [
          f.id,
          f.name,
        ]),
      )
      const last = new Map(
        rows.filter((r: { outcome: string }) => r.outcome === 'accept').map((r: { permit_number: string }) => [r.permit_number, r]),
      )
      assert.equal(by.size, last.size)
      for (const [number, row] of last as Map<string, { categories: string[]; contractor: string | null }>) {
        const permit = by.get(number) as
          | { categories: string[]; contractor_id: string | null; status: string; requestor_id: null }
          | undefined
        assert.ok(permit, number)
        assert.deepEqual([...permit.categories].sort(), [...row.categories].sort(), number)
        assert.equal(permit.contractor_id === null ? null : contractors.get(permit.contractor_id), row.contractor, number)
        assert.deepEqual([permit.status, permit.requestor_id], ['issued', null])
      }
      assert.deepEqual(
        first.body.duplicates.map((d: { row: number; replaced_row: number }) => [d.row, d.replaced_row]),
        [
          [22, 9],
          [44, 38],
        ],
      )
      const second = await upload(w, data(`permits/${name}`), { name })
      assert.deepEqual(
        [second.body.new, second.body.updated, second.body.unchanged, second.body.contractors_created],
        [0, first.body.new, first.body.new, []],
      )
      const again = await permits(w)
      assert.ok(again.every((p: { set_id: string }) => p.set_id === second.body.set_id))
      assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
    })

  test('rule 5: when 2,000 real rows are imported twice, the second import creates none and changes none; every row is reported', async () => {
    const w = await house.world({ timezone: 'America/Edmonton' })
    const first = await upload(w, data('permits/register-2000.xlsx'))
    assert.equal(first.status, 201, first.text)
    const reported = new Set(first.body.errors.map((e: { row: number }) => e.row))
    const rows = expected('permits/register-2000.expected.json').rows as { row: number; outcome: string; permit_number: string | null }[]
    const replaced = new Set(first.body.duplicates.map((d: { replaced_row: number }) => d.replaced_row))
    const numbers = new Set(
      (await house.rows('select permit_number from permit where site_id = $1', [w.site_id])).map(r => r.permit_number),
    )
    for (const row of rows) {
      if (row.outcome === 'refuse') assert.ok(reported.has(row.row), `row ${row.row} is refused`)
      else if (row.outcome === 'accept') assert.ok(!reported.has(row.row), `row ${row.row} is accepted`)
      assert.ok(
        reported.has(row.row) || replaced.has(row.row) || numbers.has((row.permit_number ?? '').trim()),
        `row ${row.row} is not lost`,
      )
    }
    assert.equal(numbers.size, first.body.new)
    const second = await upload(w, data('permits/register-2000.xlsx'))
    assert.deepEqual([second.body.new, second.body.updated, second.body.unchanged], [0, first.body.new, first.body.new])
    const [{ n }] = await house.rows('select count(*)::int as n from permit where site_id = $1', [w.site_id])
    assert.equal(n, first.body.new)
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
  })

  test('rule 3: wall-clock times are the site’s, across midnights and clock changes; rule 2: numbers become text', async () => {
    const w = await house.world({ timezone: 'America/New_York' })
    const done = await upload(w, data('permits/windows-with-times-300.xlsx'))
    assert.deepEqual([done.status, done.body.new, done.body.errors], [201, 300, []], done.text.slice(0, 400))
    const by = new Map((await permits(w)).map((p: { permit_number: string }) => [p.permit_number, p]))
    for (const row of expected('permits/windows-with-times-300.expected.json').rows) {
      const permit = by.get(row.permit_number) as { start_at: string; end_at: string } | undefined
      assert.deepEqual(
        [permit?.start_at, permit?.end_at].map(at => Date.parse(at ?? '')),
        [Date.parse(row.start_utc), Date.parse(row.end_utc)],
        row.permit_number,
      )
    }
  })

  test('rule 4: contractors are found by name, alias and key, and created once with the colour that is derived from the name', async () => {
    const w = await house.world()
    const known = await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Northgate Steel Ltd', aliases: ['NGS'] })
    const row = (number: string, contractor: string | null): Cells => [
      number,
      'HW',
      contractor,
      null,
      null,
      '01/04/2026',
      '02/04/2026',
      null,
    ]
    const done = await upload(
      w,
      register([
        row('A-1', 'NGS'),
        row('A-2', 'northgate steel'),
        row('A-3', 'Brand New GmbH'),
        row('A-4', 'BRAND NEW gmbh'),
        row('A-5', null),
      ]),
    )
    assert.equal(done.status, 201, done.text)
    assert.deepEqual(
      done.body.contractors_created.map((f: { name: string }) => f.name),
      ['Brand New GmbH'],
    )
    const contractorOf = async (number: string) => (await numbered(w, number)).contractor_id
    assert.deepEqual(
      [await contractorOf('A-1'), await contractorOf('A-2'), await contractorOf('A-5')],
      [known.body.id, known.body.id, null],
    )
    assert.equal(await contractorOf('A-3'), await contractorOf('A-4'))
    const other = await house.world()
    const there = await upload(other, register([row('A-1', 'Brand New GmbH')]))
    assert.equal(there.body.contractors_created[0].colour, done.body.contractors_created[0].colour)
    await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Twin AB', confirm_similar: true })
    await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Twin AG', confirm_similar: true })
    const twice = await upload(w, register([row('A-9', 'Twin')]))
    assert.deepEqual(
      twice.body.errors.map((e: { row: number; column: string; value: string; code: string }) => [e.row, e.column, e.value, e.code]),
      [[2, 'Contractor', 'Twin', 'ambiguous_contractor']],
    )
    assert.deepEqual([twice.body.new, typeof twice.body.set_id], [0, 'string'], 'an upload in which every row is refused is recorded too')
  })

  test('rules 4 and 7: places are found by their text and level; places that are drawn later are found by re-resolve', async () => {
    const w = await house.world()
    const row = (number: string, location: string, level: string | null = null): Cells => [
      number,
      'HW',
      null,
      location,
      level,
      '01/04/2026',
      '02/04/2026',
      null,
    ]
    const done = await upload(w, register([row('P-1', 'Block A / Level 3'), row('P-2', 'Block A', '9'), row('P-3', 'Yard 7')]))
    assert.deepEqual(
      done.body.unresolved_locations.map((u: { row: number; value: string }) => [u.row, u.value]),
      [
        [2, 'Block A / Level 3'],
        [3, 'Block A'],
        [4, 'Yard 7'],
      ],
    )
    const outline = {
      type: 'Polygon',
      coordinates: [
        [
          [-0.1, 51.5],
          [-0.099, 51.5],
          [-0.099, 51.501],
          [-0.1, 51.501],
          [-0.1, 51.5],
        ],
      ],
    }
    const levels = [0, 1, 2, 3, 4].map(index => ({ index }))
    const drawn = await w
      .as('hse')
      .post('/reference-features/zones', { site_id: w.site_id, kind: 'building', name: 'Block A', outline, levels })
    assert.equal(drawn.status, 201, drawn.text)
    const resolve = (who: Caller, body: unknown) => who.post(`/permits/re-resolve?site_id=${w.site_id}`, body)
    assert.equal((await resolve(w.as('hse'), {})).status, 403)
    assert.equal((await resolve(w.as('admin'), { set_id: w.site_id })).status, 422)
    const found = await resolve(w.as('admin'), { set_id: done.body.set_id })
    assert.deepEqual([found.status, found.body.checked, found.body.resolved], [200, 3, 1], found.text)
    assert.deepEqual(
      found.body.unresolved.map((u: { permit_number: string }) => u.permit_number),
      ['P-2', 'P-3'],
    )
    assert.deepEqual((await numbered(w, 'P-1')).place, { building_id: drawn.body.id, level_index: 3, zone_id: null })
    assert.equal((await resolve(w.as('admin'), {})).body.resolved, 0)
    const straight = await upload(w, register([row('P-4', 'Block A', 'L2')]))
    assert.deepEqual(straight.body.unresolved_locations, [])
    assert.deepEqual((await numbered(w, 'P-4')).place, { building_id: drawn.body.id, level_index: 2, zone_id: null })
  })

  test('rule 6: each fault of a row is reported with its column and value; nothing is dropped silently', async () => {
    const w = await house.world()
    const done = await upload(
      w,
      register([
        ['F-1', 'HW', null, null, null, 'TBC', '31/02/2024', null],
        ['F-2', 'HW', null, null, null, null, '02/04/2026', null],
        ['F-3', 'hw', null, null, null, '03/04/2026', '02/04/2026', null],
        [null, null, null, null, null, '01/04/2026', '02/04/2026', 'x'],
        ['F-5', 'HW', null, null, null, '01/04/2026', '02/04/2026', null],
      ]),
    )
    assert.deepEqual(
      done.body.errors.map((e: { row: number; column: string; value: string; code: string }) => [e.row, e.column, e.value, e.code]),
      [
        [2, 'Start', 'TBC', 'unreadable_date'],
        [2, 'Finish', '31/02/2024', 'unreadable_date'],
        [3, 'Start', null, 'missing_window'],
        [4, 'Type(s)', 'hw', 'unknown_type'],
        [4, 'Finish', '02/04/2026', 'window_reversed'],
        [5, 'Permit No', null, 'missing_permit_number'],
        [5, 'Type(s)', null, 'missing_type'],
      ],
    )
    assert.match(done.body.errors[3].message, /Did you mean HW\?/)
    assert.equal(done.body.new, 1)
  })

  test('a dry run returns the same and writes nothing', async () => {
    const w = await house.world()
    const head = () => house.rows('select seq, event_no from site_head where site_id = $1', [w.site_id])
    const before = await head()
    const dry = await upload(w, data('permits/register-40.xlsx'), { query: '&dry_run=true' })
    assert.deepEqual([dry.status, dry.body.set_id, dry.body.new], [200, null, 33], dry.text.slice(0, 300))
    assert.deepEqual(await head(), before)
    assert.deepEqual([await permits(w), (await w.as('admin').get(`/permits/sets?site_id=${w.site_id}`)).body], [[], []])
    const real = await upload(w, data('permits/register-40.xlsx'))
    for (const part of ['new', 'updated', 'unchanged', 'errors', 'duplicates', 'unresolved_locations', 'kept', 'warnings'])
      assert.deepEqual(real.body[part], dry.body[part], part)
  })

  test('each upload is one import, with one event for all its permits and one entry in the audit log for each', async () => {
    const w = await house.world()
    const done = await upload(w, data('permits/register-40.xlsx'))
    const events = await house.rows('select kind, payload from event where site_id = $1 and kind like $2', [w.site_id, 'permit%'])
    assert.deepEqual(
      events.map(e => e.kind),
      ['permit_set.imported'],
    )
    assert.equal(events[0].payload.permit_ids.length, 33)
    const entries = await house.rows(
      `select action, entity_type, count(*)::int as n from audit_entry where site_id = $1 and batch_id = (select batch_id from audit_entry where entity_id = $2 limit 1) group by 1, 2 order by 2`,
      [w.site_id, done.body.set_id],
    )
    assert.deepEqual(
      entries.filter(t => t.entity_type.startsWith('permit')).map(t => [t.entity_type, t.action, t.n]),
      [
        ['permit', 'import', 33],
        ['permit_set', 'import', 1],
      ],
    )
    const [set] = (await w.as('site_manager').get(`/permits/sets?site_id=${w.site_id}`)).body
    assert.deepEqual(
      [set.id, set.filename, set.format_id, set.rows_read, set.rows_new, set.rows_refused, set.permits],
      [done.body.set_id, 'register.xlsx', 'customer_ptw_xlsx', 40, 33, 5, 33],
    )
  })

  test('imports are only for people with contractor_manage; archiving hides one; deleting one removes what nobody acted on and lists the rest', async () => {
    const w = await permitWorld(house)
    const row = (number: string): Cells => [number, 'HW', 'Acme Scaffolding Ltd', null, null, '10/03/2026', '02/05/2026', null]
    const done = await upload(w, register([row('S-1'), row('S-2'), row('S-3')]))
    const set = `/permits/sets/${done.body.set_id}`
    const list = async (query = '') =>
      (await w.as('admin').get(`/permits/sets?site_id=${w.site_id}${query}`)).body.map((s: { id: string }) => s.id)
    for (const role of ['hse', 'coordinator', 'member', 'viewer'] as const) {
      assert.equal((await w.as(role).get(`/permits/sets?site_id=${w.site_id}`)).status, 403, role)
      assert.ok([403, 404].includes((await w.as(role).del(set)).status), role)
      assert.equal((await upload(w, register([row('X')]), { as: w.as(role) })).status, 403, role)
    }
    assert.equal((await (await w.stranger()).del(set)).status, 404)
    assert.equal((await w.as('admin').del(set, { archive: true })).status, 204)
    assert.deepEqual([await list(), await list('&archived=true')], [[], [done.body.set_id]])
    assert.equal((await permits(w)).length, 3)
    const handed = await w.step(await numbered(w, 'S-2'), 'hand-back', w.as('hse'), { note: 'Done', work_complete: true })
    assert.equal(handed.status, 200, handed.text)
    const child = await w.draft({ parent_id: (await numbered(w, 'S-3')).id })
    assert.ok(child.id)
    assert.equal((await w.as('admin').del(set)).status, 204)
    assert.deepEqual((await permits(w)).map((p: { permit_number: string; set_id: null }) => [p.permit_number, p.set_id]).sort(), [
      ['S-2', null],
      ['S-3', null],
    ])
    const [gone] = await house.rows(`select payload from event where site_id = $1 and kind = 'permit_set.deleted'`, [w.site_id])
    assert.deepEqual(gone.payload.kept.sort(), ['S-2', 'S-3'])
    const [entry] = await house.rows(`select reason from audit_entry where entity_id = $1 and action = 'delete'`, [done.body.set_id])
    assert.match(entry.reason, /S-2, S-3|S-3, S-2/)
    assert.equal((await w.as('admin').del(set)).status, 404)
  })

  const linked = async (w: World, by: Caller, permit_id: string) => {
    const worker = await by.post('/workers/', {
      site_id: w.site_id,
      name: 'Fixers',
      trade: 'Fixer',
      start_at: '2026-03-16T12:00:00.000Z',
      end_at: '2026-03-16T16:00:00.000Z',
      place: { point: { lon: -0.0877, lat: 51.5079 } },
      permit_id,
    })
    assert.equal(worker.status, 201, worker.text)
  }

  test('§1 a permit that work was linked to since the import was acted on: deleting the import keeps it, and its links', async () => {
    const w = await permitWorld(house)
    const row = (number: string): Cells => [number, 'HW', 'Acme Scaffolding Ltd', null, null, '10/03/2026', '02/05/2026', null]
    const done = await upload(w, register([row('L-1'), row('L-2')]))
    const permit = await numbered(w, 'L-1')
    await linked(w, w.as('coordinator'), permit.id)
    assert.equal((await w.as('admin').del(`/permits/sets/${done.body.set_id}`)).status, 204)
    assert.deepEqual(
      (await permits(w)).map((one: { permit_number: string }) => one.permit_number),
      ['L-1'],
    )
    const links = await w.as('admin').get(`/permits/applications/${permit.id}/entities`)
    assert.equal(links.body.length, 1)
  })

  test('1096 a permit that becomes a parent while its import is being deleted stays, without an import', async () => {
    const w = await permitWorld(house)
    const row = (number: string): Cells => [number, 'HW', 'Acme Scaffolding Ltd', null, null, '10/03/2026', '02/05/2026', null]
    const done = await upload(w, register([row('R-1'), row('R-2')]))
    const permit = await numbered(w, 'R-1')
    const { deleting } = await writingOn(house.house, { actor: jobActor('test'), cause: 'test.change' }, w.site_id, async ctx => {
      await sql`select 1 from permit where site_id = ${w.site_id} and id = ${permit.id} for no key update`.execute(ctx.db)
      const deleting = outside(() => w.as('admin').del(`/permits/sets/${done.body.set_id}`))
      await someoneWaits(house)
      await createDraft(ctx, w.site_id, { parent_id: permit.id, categories: ['HW'] })
      return { deleting }
    })
    const deleted = await deleting
    assert.equal(deleted.status, 204, deleted.text)
    assert.deepEqual(
      (await permits(w)).map((one: { permit_number: string; set_id: string | null }) => [one.permit_number, one.set_id]),
      [['R-1', null]],
    )
  })

  test('with Prefer: respond-async, a job reads and writes with the permissions of the person who uploaded the file, and shows its progress', async () => {
    const w = await house.world()
    const queued = await upload(w, data('permits/register-2000.xlsx'), { headers: { prefer: 'respond-async' } })
    assert.equal(queued.status, 202, queued.text)
    assert.equal(queued.headers.location, `/api/admin/job-runs?id=${queued.body.job_id}`)
    await runJob(house.house, queued.body.job_id)
    const [run] = (await w.as('admin').get(`/admin/job-runs?id=${queued.body.job_id}`)).body
    assert.deepEqual([run.state, run.progress, run.result.new > 1300], ['succeeded', 1, true], JSON.stringify(run.error))
    assert.match(run.message, /^Writing permits: [\d,]+$/)
    const [made] = await house.rows('select created_by from permit where site_id = $1 limit 1', [w.site_id])
    assert.equal(made.created_by, w.as('admin').user_id)

    const late = await upload(w, data('permits/register-40.xlsx'), { as: w.as('site_manager'), headers: { prefer: 'respond-async' } })
    const [membership] = (await w.as('admin').get(`/sites/${w.site_id}/members`)).body.filter(
      (m: { user_id: string }) => m.user_id === w.as('site_manager').user_id,
    )
    assert.equal((await w.as('admin').post(`/memberships/${membership.membership_id}/approve`, { role: 'viewer' })).status, 200)
    await runJob(house.house, late.body.job_id)
    const [refused] = (await w.superadmin.get(`/admin/job-runs?id=${late.body.job_id}`)).body
    assert.deepEqual([refused.state, refused.error.code], ['failed', 'forbidden'])
    const broken = await upload(w, data('hostile/truncated.xlsx'), { headers: { prefer: 'respond-async' } })
    await runJob(house.house, broken.body.job_id)
    const [failed] = (await w.as('admin').get(`/admin/job-runs?id=${broken.body.job_id}`)).body
    assert.equal(failed.state, 'failed')
    assert.doesNotMatch(failed.error.code, /internal/)
  })

  test('messages.md §0.5 the person who asked for an import is notified of its end with the name of the file, and a trial import is called one', async () => {
    const w = await house.world()
    const admin = w.as('admin')
    const run = async (file: string, query = '') => {
      const queued = await upload(w, data(file), { as: admin, query, headers: { prefer: 'respond-async' } })
      assert.equal(queued.status, 202, queued.text)
      await runJob(house.house, queued.body.job_id)
      const [newest] = (await admin.get(`/notifications/?site_id=${w.site_id}&kind=your_job`)).body
      return [newest.title, newest.body, newest.link]
    }
    const link = `/sites/${w.site_id}/import`
    const trial = await run('permits/register-40.xlsx', '&dry_run=true')
    assert.deepEqual(trial, ['Trial import of a register (register.xlsx) has finished', '', link])
    assert.deepEqual(await run('permits/register-40.xlsx'), ['Import of a register (register.xlsx) has finished', '', link])
    const [title, body] = await run('hostile/truncated.xlsx')
    assert.equal(title, 'Import of a register (register.xlsx) has failed')
    assert.match(body, /^[A-Z“"].*\.$/s)
  })

  test('hostile and odd files are refused as a whole, and no part of them is stored', async () => {
    const w = await house.world()
    const seq = async () => (await house.rows('select seq from site_head where site_id = $1', [w.site_id]))[0].seq
    const before = await seq()
    for (const [name, status] of [
      ['empty.xlsx', 415],
      ['csv-named.xlsx', 415],
      ['html-named.xls', 415],
      ['truncated.xlsx', 422],
      ['zip-header-only.xlsx', 422],
      ['inflates-to-256mb.xlsx', 413],
    ] as const) {
      const refused = await upload(w, data(`hostile/${name}`), { name })
      assert.equal(refused.status, status, `${name}: ${refused.text.slice(0, 300)}`)
    }
    const none = await upload(w, register([['x', 'y']], ['Colour', 'Shape']))
    assert.deepEqual(
      [none.status, none.body.error.missing_columns.includes('permit_number'), none.body.error.headers_found],
      [422, true, ['Colour', 'Shape']],
    )
    assert.equal((await w.as('admin').send('POST', `/permits/upload?site_id=${w.site_id}`, [{ name: 'note', value: 'x' }])).status, 422)
    assert.equal((await w.as('admin').post(`/permits/upload?site_id=${w.site_id}`, {})).status, 415)
    assert.equal(await seq(), before)
  })

  test('difficult strings are imported and returned unchanged', async () => {
    const w = await house.world()
    const done = await upload(w, data('hostile/naughty-strings-register.xlsx'))
    assert.equal(done.status, 201, done.text.slice(0, 300))
    const again = await upload(w, data('hostile/naughty-strings-register.xlsx'))
    assert.deepEqual([again.body.new, again.body.unchanged, again.body.contractors_created], [0, done.body.new, []])
    assert.equal((await permits(w)).length, done.body.new)
    assert.equal((await w.as('admin').get(`/contractors/?site_id=${w.site_id}&limit=1000`)).status, 200)
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
  })

  test('two uploads at the same time create each permit and contractor once; a locked site accepts no upload', async () => {
    const w = await house.world()
    const replies = await Promise.all(Array.from({ length: 4 }, () => upload(w, data('permits/register-40.xlsx'))))
    assert.deepEqual(
      replies.map(r => r.status),
      [201, 201, 201, 201],
    )
    assert.deepEqual(
      replies.map(r => r.body.new).sort((a, b) => a - b),
      [0, 0, 0, 33],
    )
    assert.equal((await permits(w)).length, 33)
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover', force: true })
    const locked = await upload(w, data('permits/register-40.xlsx'))
    assert.deepEqual([locked.status, locked.body.error.reason], [409, 'site_locked'])
  })

  test('the same upload under one Idempotency-Key makes one import', async () => {
    const w = await house.world()
    const send = () => upload(w, data('permits/register-40.xlsx'), { headers: { 'idempotency-key': 'monday-register' } })
    const [one, two] = [await send(), await send()]
    assert.deepEqual([one.status, two.status, two.body.set_id], [201, 201, one.body.set_id])
    assert.equal((await w.as('admin').get(`/permits/sets?site_id=${w.site_id}`)).body.length, 1)
  })
})

describe('permit-import: imports alongside permits that people work on', () => {
  // A server of its own, because the sweep looks at every site of the database.
  const house = useHouse({}, { pool: 8 })

  test('9.14 an import creates no contractor that could not be added by hand, because the rule is the same', async () => {
    const w = await permitWorld(house)
    const row = (number: string, contractor: string): Cells => [number, 'HW', contractor, null, null, '01/04/2026', '02/04/2026', 'Work']
    const long = 'x'.repeat(300)
    for (const name of ['...', long]) assert.equal((await w.as('admin').post('/contractors/', { site_id: w.site_id, name })).status, 422)
    const { body } = await upload(w, register([row('C-1', '...'), row('C-2', long), row('C-3', 'Northgate Steel')]))
    assert.deepEqual(
      body.errors.map((e: { row: number; column: string; code: string }) => [e.row, e.column, e.code]),
      [
        [2, 'Contractor', 'invalid_contractor'],
        [3, 'Contractor', 'invalid_contractor'],
      ],
    )
    assert.match(body.errors[0].message, /a letter or a digit/)
    assert.match(body.errors[1].message, /300 characters/)
    assert.deepEqual([body.new, body.contractors_created.map((c: { name: string }) => c.name)], [1, ['Northgate Steel']])
  })

  test('9.14 a missing column keeps its field, an empty cell clears it, and the title is the first line of the description', async () => {
    const w = await permitWorld(house)
    const window = ['01/04/2026', '02/04/2026']
    const head = ['Permit No', 'Type(s)', 'Start', 'Finish']
    await upload(
      w,
      register(
        [['L-1', 'HW', ...window, 'Acme Scaffolding Ltd', 'Somewhere', 'L3', 'Weld handrails\non stair 3', 'Fire watch']],
        [...head, 'Contractor', 'Location', 'Level', 'Description', 'Controls'],
      ),
    )
    const first = await numbered(w, 'L-1')
    assert.deepEqual([first.title, first.description], ['Weld handrails', 'Weld handrails\non stair 3'])
    const without = await upload(w, register([['L-1', 'HW', ...window]], head))
    assert.deepEqual([without.body.updated, without.body.unchanged], [1, 1])
    const kept = await numbered(w, 'L-1')
    const said = ({ title, description, controls, contractor_id, location, level_text }: typeof kept) => [
      title,
      description,
      controls,
      contractor_id,
      location,
      level_text,
    ]
    assert.deepEqual(said(kept), said(first))
    await upload(w, register([['L-1', 'HW', ...window, null, null, null]], [...head, 'Contractor', 'Location', 'Description']))
    const cleared = await numbered(w, 'L-1')
    assert.deepEqual(said(cleared), [null, null, 'Fire watch', null, null, first.level_text])
  })

  test('9.14 a named format reads the file by its content, whatever its name; the refusal of a CSV file says what to do', async () => {
    const w = await permitWorld(house)
    const book = register([['B-1', 'HW', null, null, null, '01/04/2026', '02/04/2026', 'Work']])
    for (const name of ['register', 'register.csv', 'register.xls']) {
      assert.equal((await upload(w, book, { name })).status, 415, name)
      const read = await upload(w, book, { name, fields: { format_id: 'customer_ptw_xlsx' } })
      assert.equal(read.status, 201, read.text)
    }
    const csv = Buffer.from('Permit No,Type(s),Start,Finish\r\nB-2,HW,01/04/2026,02/04/2026\r\n')
    const named: Record<string, string>[] = [{}, { format_id: 'customer_ptw_xlsx' }]
    for (const fields of named) {
      const refused = await upload(w, csv, { name: 'register.csv', fields })
      assert.equal(refused.status, 415)
      assert.match(refused.body.error.detail, /save it as an \.xlsx file/)
    }
  })

  test('§6 permits that people applied for are never overwritten; closed ones are kept; an expired one is issued again if its end is ahead', async () => {
    const w = await permitWorld(house)
    const own = await w.at('requested')
    const row = (number: string, start: string, finish: string, text: string): Cells => [
      number,
      'HW',
      null,
      null,
      null,
      start,
      finish,
      text,
    ]
    const taken = await upload(w, register([row(own.permit_number, '01/04/2026', '02/04/2026', 'Not mine')]))
    assert.deepEqual(
      taken.body.errors.map((e: { code: string; value: string }) => [e.code, e.value]),
      [['number_taken', own.permit_number]],
    )
    assert.notEqual((await w.read(own)).description, 'Not mine')

    const before = await house.rows("select count(*)::int as n from job_run where kind = 'permit_expire'")
    await upload(w, register([row('E-0', '01/04/2026', '02/04/2026', 'To come')]))
    assert.deepEqual(await house.rows("select count(*)::int as n from job_run where kind = 'permit_expire'"), before, 'nothing has ended')
    await upload(w, register([row('E-1', '01/03/2026', '02/03/2026', 'Over'), row('E-2', '01/03/2026', '02/03/2026', 'Over')]))
    // 9.10: they are imported as issued, and those that have ended expire right after the import, by a job of their own.
    assert.deepEqual([(await numbered(w, 'E-1')).status, (await numbered(w, 'E-2')).status], ['issued', 'issued'])
    const [job] = await house.rows("select id from job_run where kind = 'permit_expire' and site_id = $1 and state = 'queued'", [w.site_id])
    await runJob(house.house, job.id)
    assert.deepEqual([(await numbered(w, 'E-1')).status, (await numbered(w, 'E-0')).status], ['expired', 'issued'])
    const [expired] = await house.rows(`select payload from event where site_id = $1 and kind = 'permit.expired'`, [w.site_id])
    assert.equal(expired.payload.backdated, true)
    const two = await numbered(w, 'E-2')
    const closed = await w.step(two, 'close-out', w.as('hse'), {
      checklist: { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true },
    })
    assert.equal(closed.status, 200, closed.text)
    const again = await upload(
      w,
      register([row('E-1', '01/03/2026', '02/05/2026', 'Longer'), row('E-2', '01/03/2026', '02/05/2026', 'Longer')]),
    )
    assert.deepEqual([again.body.updated, again.body.kept], [1, [{ row: 3, permit_number: 'E-2', status: 'closed' }]])
    const [one, kept] = [await numbered(w, 'E-1'), await numbered(w, 'E-2')]
    assert.deepEqual([one.status, one.description, one.expired_at], ['issued', 'Longer', null])
    assert.deepEqual([kept.status, kept.description, kept.set_id], ['closed', 'Over', again.body.set_id])
  })

  test('§6 when a register makes an expired permit live again, nobody is asked to close it out any longer: no task, and no notification that it has expired', async t => {
    t.after(() => house.clock(MONDAY))
    const w = await permitWorld(house)
    const row = (number: string, finish: string, text: string): Cells => [number, 'HW', null, null, null, '01/03/2026', finish, text]
    const both = (finish: string, text: string) => upload(w, register([row('R-1', finish, text), row('R-2', '17/03/2026', text)]))
    assert.equal((await both('17/03/2026', 'Work')).status, 201)
    const asked = async () => {
      const tasks = (await w.as('hse').get(`/tasks/?site_id=${w.site_id}`)).body.map((task: { kind: string }) => task.kind)
      const unread = (await w.as('hse').get(`/notifications/?site_id=${w.site_id}&kind=permit_expired_unclosed&unread=true`)).body
      return { tasks, unread: unread.map((one: { title: string }) => one.title.match(/R-\d/)?.[0]).sort() }
    }
    house.clock('2026-03-20T09:00:00.000Z')
    await runSchedules(house.house, 'permit_sweep')
    assert.deepEqual([(await numbered(w, 'R-1')).status, (await numbered(w, 'R-2')).status], ['expired', 'expired'])
    assert.deepEqual(await asked(), { tasks: [], unread: ['R-1', 'R-2'] })
    assert.equal((await both('17/05/2026', 'More work')).status, 201)
    assert.deepEqual([(await numbered(w, 'R-1')).status, (await numbered(w, 'R-2')).status], ['issued', 'expired'])
    assert.deepEqual(await asked(), { tasks: [], unread: ['R-2'] })
  })

  test('§6 a permit that was handed back is live again, without the hand-back, when a register makes it live again: it counts in conflicts and is stopped with its area', async () => {
    const w = await permitWorld(house)
    const row = (finish: string): Cells => ['B-1', 'HW', null, null, null, '01/03/2026', finish, 'Work']
    assert.equal((await upload(w, register([row('02/03/2026')]))).status, 201)
    const [job] = await house.rows("select id from job_run where kind = 'permit_expire' and site_id = $1 and state = 'queued'", [w.site_id])
    await runJob(house.house, job.id)
    const back = await w.step(await numbered(w, 'B-1'), 'hand-back', w.as('hse'), { note: 'Work has stopped', work_complete: true })
    assert.deepEqual([back.status, back.body.status], [200, 'expired'], back.text)
    assert.ok(back.body.handed_back_at)
    assert.equal((await upload(w, register([row('02/05/2026')]))).status, 201)
    const { status, handed_back_at } = await numbered(w, 'B-1')
    assert.deepEqual([status, handed_back_at], ['issued', null])
    // The hand-back was signed on the permit as it was: it no longer counts, and nothing looks altered.
    const [signature] = back.body.signatures
    const [voided] = await house.rows('select voided_at, void_reason from permit_signature where id = $1', [signature.id])
    assert.match(voided.void_reason, /register/)
    assert.deepEqual(await verifySignatures(house.house.database.db, w.site_id, back.body.id), { signatures: 1, fault: null })
    const stops = await w.as('coordinator').get(`/permits?site_id=${w.site_id}&handed_back=true`)
    assert.deepEqual(stops.body, [])
  })

  test('9.4 a request that is open when a register changes the window lapses, says so, and notifies the person who requested it', async () => {
    const w = await permitWorld(house)
    const row = (finish: string, words = 'Work'): Cells => ['X-1', 'HW', null, null, null, '15/03/2026', finish, words]
    assert.equal((await upload(w, register([row('16/03/2026')]))).status, 201)
    await w.as('hse').patch(`/permits/types/${w.types.HW?.id}`, { is_extendable: true, default_duration_hours: 168 })
    const permit = await numbered(w, 'X-1')
    const requests = `/permits/applications/${permit.id}/extensions`
    const asked = await w.as('hse').post(requests, { requested_end_at: '2026-03-19T12:00:00.000Z' })
    assert.equal(asked.status, 201, asked.text)
    assert.equal((await upload(w, register([row('16/03/2026', 'Other words')]))).status, 201)
    assert.equal((await w.as('hse').get(requests)).body[0].status, 'requested', 'the window is as it was')
    assert.equal((await upload(w, register([row('20/03/2026', 'Other words')]))).status, 201)
    const [shown] = (await w.as('hse').get(requests)).body
    assert.deepEqual([shown.status, shown.decided_by, shown.decision_reason], ['lapsed', null, 'A register changed the permit window.'])
    const moved = await numbered(w, 'X-1')
    const refused = await w.as('hse').post(`/permits/extensions/${asked.body.id}/approve`, {})
    assert.deepEqual([refused.status, (await numbered(w, 'X-1')).end_at], [409, moved.end_at], refused.text)
    const events = await house.rows(`select payload from event where subject_id = $1 and kind = 'permit.extension_lapsed'`, [permit.id])
    assert.deepEqual(
      events.map(e => [e.payload.extension_request_id, e.payload.end_at, e.payload.from_status]),
      [[asked.body.id, moved.end_at, 'issued']],
    )
  })

  test('rule 7 a permit whose place is found after it was closed out still says what was signed, so its signatures verify', async () => {
    const w = await permitWorld(house)
    const corner = (x: number, y: number) => [-0.1 + x / 1000, 51.5 + y / 1000]
    const row: Cells = ['Z-1', 'HW', null, 'Block Z', null, '01/04/2026', '02/04/2026', 'Work']
    assert.equal((await upload(w, register([row]))).status, 201)
    const closed = await w.step(await numbered(w, 'Z-1'), 'close-out', w.as('hse'), {
      checklist: { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true },
    })
    assert.equal(closed.status, 200, closed.text)
    const outline = { type: 'Polygon', coordinates: [[corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)]] }
    const drawn = await w.as('hse').post('/reference-features/zones', {
      ...{ site_id: w.site_id, kind: 'building', name: 'Block Z', outline, levels: [{ index: 0 }] },
    })
    assert.equal(drawn.status, 201, drawn.text)
    assert.equal((await w.as('admin').post('/permits/re-resolve', { site_id: w.site_id })).body.resolved, 1)
    assert.equal((await numbered(w, 'Z-1')).place.building_id, drawn.body.id)
    assert.deepEqual(await verifySignatures(house.house.database.db, w.site_id, closed.body.id), { signatures: 1, fault: null })
  })

  test('9.10 imported permits arrive as issued; those that have ended expire right after the import, by a job of their own', async () => {
    const w = await permitWorld(house)
    const row = (number: string, start: string, finish: string): Cells => [number, 'HW', null, null, null, start, finish, 'Work']
    const taken = await upload(w, register([row('P-1', '01/03/2026', '02/03/2026'), row('P-2', '01/04/2026', '02/04/2026')]))
    assert.equal(taken.status, 201, taken.text)
    const states = async () => [(await numbered(w, 'P-1')).status, (await numbered(w, 'P-2')).status]
    assert.deepEqual(await states(), ['issued', 'issued'])
    const jobs = await house.rows("select id from job_run where kind = 'permit_expire' and site_id = $1 and state = 'queued'", [w.site_id])
    assert.equal(jobs.length, 1)
    await runJob(house.house, jobs[0].id)
    assert.deepEqual(await states(), ['expired', 'issued'])
  })
  test('permits-decisions §4.7 an imported permit that is live inside an active stop is stopped, when it is imported and when its place is found later', async () => {
    const w = await permitWorld(house)
    house.clock('2026-03-16T09:00:00.000Z')
    const corner = (x: number, y: number) => [-0.1 + x / 1000, 51.5 + y / 1000]
    const ground = (x: number, width: number) => ({
      type: 'Polygon',
      coordinates: [[corner(x, 0), corner(x + width, 0), corner(x + width, 1), corner(x, 1), corner(x, 0)]],
    })
    const building = async (name: string, x: number) => {
      const levels = [0, 1].map(index => ({ index }))
      const body = { site_id: w.site_id, kind: 'building', name, outline: ground(x, 1), levels }
      const drawn = await w.as('hse').post('/reference-features/zones', body)
      assert.equal(drawn.status, 201, drawn.text)
    }
    await building('Block A', 0)
    const stop = await w
      .as('coordinator')
      .post('/permits/stops', { site_id: w.site_id, place: { polygon: ground(0, 3) }, reason: 'Smell of gas' })
    assert.equal(stop.status, 201, stop.text)
    const row = (number: string, location: string): Cells => [
      number,
      'HW',
      'Acme',
      location,
      '1',
      '2026-03-16 08:00',
      '2026-03-16 18:00',
      'Weld',
    ]
    const done = await upload(w, register([row('S-1', 'Block A'), row('S-2', 'Block B'), row('S-3', 'Elsewhere')]))
    assert.equal(done.status, 201, done.text)
    const reasons = async (number: string) => (await w.read(await numbered(w, number))).stopped.map((one: { reason: string }) => one.reason)
    assert.deepEqual([await reasons('S-1'), await reasons('S-2'), await reasons('S-3')], [['Smell of gas'], [], []])
    await building('Block B', 2)
    const found = await w.as('admin').post(`/permits/re-resolve?site_id=${w.site_id}`, {})
    assert.equal(found.body.resolved, 1, found.text)
    assert.deepEqual([await reasons('S-2'), await reasons('S-3')], [['Smell of gas'], []])
  })
})
