import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fewestStatements, recording } from '../../../../bench/record.ts'
import { type Caller, type TestHouse, useHouse, type World } from '../../../../tests/world.ts'

const WINDOW = { start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' }

/** Makes permits, each waiting for the endorsement. */
async function requested(w: World, count: number): Promise<string[]> {
  const member = w.as('member')
  const [contractor] = (await member.get(`/contractors/?site_id=${w.site_id}`)).body
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const of = {
      site_id: w.site_id,
      categories: ['HW'],
      contractor_id: contractor.id,
      title: `Weld ${n}`,
      receiver_id: member.user_id,
      ...WINDOW,
    }
    const { id } = (await member.post('/permits/applications', of)).body
    const { status, text } = await member.post(`/permits/applications/${id}/submit`, {})
    assert.equal(status, 200, text)
    ids.push(id)
  }
  return ids
}

const statements = async (read: () => Promise<unknown>): Promise<number> => (await fewestStatements(read)).length

describe('11.4 what permits ask of the database', () => {
  const house = useHouse()

  test('11.4 a page of the board takes two statements (the person, the page), however many permits it has', async () => {
    const w = await house.world()
    await requested(w, 1)
    const path = `/permits?site_id=${w.site_id}&reasons=false&limit=50`
    for (const role of ['coordinator', 'member', 'viewer'] as const) {
      await w.as(role).get(path)
      assert.equal(await statements(() => w.as(role).get(path)), 2, role)
    }
    await requested(w, 12)
    for (const role of ['coordinator', 'member'] as const) {
      await w.as(role).get(path)
      const { body } = await w.as(role).get(path)
      assert.equal(body.length, 13)
      assert.equal(await statements(() => w.as(role).get(path)), 2, role)
    }
  })

  test('11.4 the plan of a page of the board is kept, because its limits are no parameters', async () => {
    const w = await house.world()
    await requested(w, 1)
    const path = `/permits?site_id=${w.site_id}&reasons=false&limit=50`
    await w.as('coordinator').get(path)
    const [, page] = await fewestStatements(() => w.as('coordinator').get(path))
    assert.match(page?.text ?? '', /limit 51\b/)
    assert.doesNotMatch(page?.text ?? '', /limit \$/)
  })

  test('§1 the wallet reads permits that wait for a signature only for issuers, and only those of their types', async () => {
    const w = await house.world()
    await requested(w, 1)
    const [admin, hse] = [w.as('admin'), w.as('hse')]
    const waiting = async () =>
      (await fewestStatements(() => hse.get('/permits/applications/wallet'))).filter(({ text }) =>
        /issue_signed_at is not null\) is not true/.test(text),
      )
    await hse.get('/permits/applications/wallet')
    assert.deepEqual(await waiting(), [])
    const type = (await admin.get(`/permits/types?site_id=${w.site_id}`)).body.find((one: { code: string }) => one.code === 'HW')
    const appointed = await admin.post('/permits/appointments', { site_id: w.site_id, user_id: hse.user_id, permit_type_id: type.id })
    assert.equal(appointed.status, 201, appointed.text)
    await hse.get('/permits/applications/wallet')
    const [list, second] = await waiting()
    assert.equal(second, undefined)
    assert.match(list?.text ?? '', /p\.categories && /)
    assert.ok(list?.values?.some(value => Array.isArray(value) && value.includes('HW')))
  })

  test('11.4 a list of whole permits takes seven statements, five of them for conflicts as they are stored; a single one takes three', async () => {
    const w = await house.world()
    const [id] = await requested(w, 5)
    const reads = [`/permits/applications?site_id=${w.site_id}`, `/permits/applications/${id}`]
    const counts: number[] = []
    for (const path of reads) {
      await w.as('coordinator').get(path)
      counts.push(await statements(() => w.as('coordinator').get(path)))
    }
    // A path with an id looks for its permit first.
    assert.deepEqual(counts, [7, 3])
  })

  test('11.4 the response to a step is read in one statement, besides its conflicts, whose rules are read in one', async () => {
    const w = await house.world()
    const [first = '', second = ''] = await requested(w, 2)
    const endorse = (id: string) => w.as('coordinator').post(`/permits/applications/${id}/endorse`, {})
    await endorse(first)
    const sent = await recording(() => endorse(second))
    const texts = sent.map(one => one.text.replace(/\s+/g, ' '))
    const signed = texts.findIndex(text => text.startsWith('insert into "permit_signature"'))
    const sealed = texts.findIndex(text => text.includes('audit_draft'))
    const conflicts = /clash_rule|rule_profile|permit_entity|contractor_oversight|boundary_bounds|ancestor_ids/
    const after = texts.slice(signed + 1, sealed).filter(text => /^ ?(select|with)/.test(text))
    assert.equal(after.filter(text => !conflicts.test(text)).length, 1, after.join('\n'))
    assert.ok(after.length <= 7, after.join('\n'))
  })

  test('11.4 the count of a list is exact up to a thousand, on each of its pages, and absent above', async () => {
    const w = await house.world()
    await requested(w, 5)
    const get = (more: string) => w.as('coordinator').get(`/permits?site_id=${w.site_id}&reasons=false${more}`)
    assert.equal((await get('')).headers['x-total-count'], '5')
    const page = await get('&limit=3')
    assert.equal(page.body.length, 3)
    assert.equal(page.headers['x-total-count'], '5')
    const cursor = /cursor=([^&>]+)/.exec(String(page.headers.link))?.[1]
    const rest = await get(`&limit=3&cursor=${cursor}`)
    assert.deepEqual([rest.body.length, rest.headers['x-total-count']], [2, '5'])
    assert.equal((await get('&status=closed')).headers['x-total-count'], '0')
    const client = await house.house.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query(
        `insert into permit (site_id, id, version, created_at, updated_at, permit_number, status, source, categories, start_at, end_at, workflow_definition_id, workflow_version)
         select $1, gen_random_uuid(), 1, now(), now(), 'X-' || n, 'issued', 'imported', '{HW}', now(), now() + interval '1 day', '00000000-0000-7000-8000-000000000001', 1 from generate_series(1, 1000) n`,
        [w.site_id],
      )
      await client.query('commit')
    } finally {
      client.release()
    }
    assert.equal((await get('&limit=3')).headers['x-total-count'], undefined)
  })
})

describe('11.4 facts of a site that are remembered', () => {
  const house = useHouse()

  /** The flags of a permit as this person sees them on the board of a node; read twice, so that the second answer comes from memory. */
  async function flagsOn(node: TestHouse, who: Caller, w: World, id: string): Promise<Record<string, boolean>> {
    const there = node.withToken(who.token ?? '')
    const read = async () => (await there.get(`/permits?site_id=${w.site_id}&reasons=false&id=${id}`)).body[0]
    const first = await read()
    assert.deepEqual(await read(), first)
    return Object.fromEntries(
      Object.entries(first?.permissions ?? {}).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean'),
    )
  }

  test('11.4 an appointment, its end, a changed type and an oversight show on another node with its next response', async () => {
    const other = await house.beside()
    try {
      const w = await house.world()
      const hse = w.as('hse')
      const [id = ''] = await requested(w, 1)
      const seen = (who: Caller) => Promise.all([flagsOn(house, who, w, id), flagsOn(other, who, w, id)])
      const both = async (who: Caller, flag: string) => (await seen(who)).map(flags => flags[flag])

      // A draft follows its type when the type changes; a submitted permit keeps what it was submitted with.
      const admin = w.as('admin')
      const types = (await admin.get(`/permits/types?site_id=${w.site_id}`)).body as { id: string; code: string }[]
      const hot = types.find(type => type.code === 'HW')
      const member = w.as('member')
      const draft = (await member.post('/permits/applications', { site_id: w.site_id, categories: ['HW'], title: 'Draft', ...WINDOW })).body
      const single = async () =>
        Promise.all(
          [house, other].map(
            async node =>
              (await node.withToken(member.token ?? '').get(`/permits?site_id=${w.site_id}&id=${draft.id}`)).body[0].single_stage,
          ),
        )
      const before = (await single())[0]
      assert.deepEqual(await single(), [before, before])
      const changed = await admin.patch(`/permits/types/${hot?.id}`, { single_stage: !before })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(await single(), [!before, !before])
      await admin.patch(`/permits/types/${hot?.id}`, { single_stage: before })

      await w.as('coordinator').post(`/permits/applications/${id}/endorse`, {})
      await hse.post(`/permits/applications/${id}/approve`, {})
      assert.deepEqual(await both(hse, 'can_issue'), [false, false])
      const appointed = await admin.post('/permits/appointments', { site_id: w.site_id, user_id: hse.user_id, permit_type_id: null })
      assert.equal(appointed.status, 201, appointed.text)
      assert.deepEqual(await both(hse, 'can_issue'), [true, true])
      await admin.del(`/permits/appointments/${appointed.body.id}`)
      assert.deepEqual(await both(hse, 'can_issue'), [false, false])

      // Another contractor's member doesn't see the permit until their contractor oversees that of the permit.
      const overseer = await w.contractor('Overseers Ltd')
      const stranger = await w.join('member', overseer)
      const shown = async () =>
        Promise.all(
          [house, other].map(async node => (await node.withToken(stranger.token ?? '').get(`/permits?site_id=${w.site_id}`)).body.length),
        )
      assert.deepEqual(await shown(), [0, 0])
      assert.deepEqual(await shown(), [0, 0])
      const { contractor_id } = (await member.get(`/permits/applications/${id}`)).body
      const colours = async () =>
        (await other.withToken(admin.token ?? '').get(`/contractors/?site_id=${w.site_id}&id=${overseer}`)).body[0].similar_to
      assert.deepEqual(await colours(), [])
      const [{ colour }] = (await admin.get(`/contractors/?site_id=${w.site_id}&id=${overseer}`)).body
      assert.equal((await admin.patch(`/contractors/${contractor_id}`, { colour })).status, 200)
      assert.deepEqual(await colours(), [contractor_id], 'colours that have become similar')
      const pair = await admin.post(`/contractors/${overseer}/oversight`, { subordinate_id: contractor_id })
      assert.equal(pair.status, 201, pair.text)
      assert.deepEqual(await shown(), [1, 1])
    } finally {
      await other.close()
    }
  })

  test('11.4 a step changes no facts of its site, and each kind of setting changes them', async () => {
    const w = await house.world()
    const number = async () => (await house.rows('select facts_no::int from site_head where site_id = $1', [w.site_id]))[0].facts_no
    const grows = async (what: string, work: () => Promise<{ status: number; text: string }>, by = 1) => {
      const before = await number()
      const { status, text } = await work()
      assert.ok(status < 300, `${what}: ${text}`)
      assert.equal((await number()) - before, by, what)
    }
    const [id = ''] = await requested(w, 1)
    const admin = w.as('admin')
    await grows('a step', () => w.as('coordinator').post(`/permits/applications/${id}/endorse`, {}), 0)
    await grows('the site', () => admin.patch(`/sites/${w.site_id}`, { name: 'Another name' }))
    await grows('the policy', async () =>
      admin.put('/permits/config', { ...(await admin.get(`/permits/config?site_id=${w.site_id}`)).body, close_out_gate_enabled: true }),
    )
    const [type] = (await admin.get(`/permits/types?site_id=${w.site_id}`)).body
    await grows('a type', () => admin.patch(`/permits/types/${type.id}`, { name: 'Another type' }))
    await grows('an appointment', () =>
      admin.post('/permits/appointments', { site_id: w.site_id, user_id: w.as('hse').user_id, permit_type_id: type.id }),
    )
    const [one, two] = [await w.contractor('First of two'), await w.contractor('Second of two')]
    await grows('a contractor', () => admin.patch(`/contractors/${one}`, { colour: '#128189' }))
    await grows('an oversight', () => admin.post(`/contractors/${one}/oversight`, { subordinate_id: two }))
  })
})
