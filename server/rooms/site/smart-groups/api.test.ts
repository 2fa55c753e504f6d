import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ENTITY_COLUMNS } from '../../../../shared/predicates/entity.ts'
import { times } from '../../../../tests/chance.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { someoneWaits } from '../../../../tests/waits.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { reading } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { rooms } from '../../../groups.ts'
import {
  type ConditionUser,
  compilePredicate,
  type Expression,
  membersOf,
  type Predicate,
  plugMembers,
  predicateSql,
  subjectNamed,
} from '../../../kernel/predicates/door.ts'
import { permitSubjects } from '../../permits/permit-lists/door.ts'
import { expandGroups } from './door.ts'

const names = (reply: Reply): string[] => reply.body.map((g: { name: string }) => g.name)
const faults = (reply: Reply): string[] => reply.body.error?.fields?.map((f: { path: string; code: string }) => `${f.path} ${f.code}`)
const HOT: Predicate = { field: 'permit_types', op: 'contains', value: 'HW' }
const ALL: Predicate = { all: [] }

describe('smart groups', () => {
  const house = useHouse({}, { pool: 8 })
  /** Rules of this test, as a room with rules would provide them. */
  const rules: (ConditionUser & { site_id: Id })[] = []
  /** Entities of this test. */
  let entities: Expression | null = null

  before(() => {
    plugMembers(
      [
        ...rooms.flatMap(room => room.members ?? []).filter(({ subject }) => subject !== 'entity'),
        {
          subject: 'entity',
          of: async () => entities ?? sql`entity_of_test`,
          at: async (_ctx, _site_id, at) =>
            sql`(select * from ${entities ?? sql`entity_of_test`} e where e.start_at <= ${at}::timestamptz and (e.end_at is null or e.end_at > ${at}::timestamptz))`,
        },
      ],
      [
        {
          of: 'smart_group',
          kind: 'clash_rule',
          permission: 'site_configure',
          seen_with: 'audit_view',
          by: async (_ctx, site_id, group_ids) => rules.filter(rule => rule.site_id === site_id && group_ids.includes(rule.used_id)),
        },
      ],
    )
  })
  before(async () => {
    await house.rows(`create table entity_of_test as select null::uuid as id, null::text as kind, null::text as label, null::timestamptz as start_at, null::timestamptz as end_at,
      null::uuid as contractor_id, null::text as trade, null::integer as headcount, null::text as plant_category, null::boolean as lifting, null::boolean as lifts_persons,
      null::text as examination_state, null::text as area_kind, null::boolean as exclusive, null::text as delivery_status, null::uuid as building_id, null::integer as level_index,
      null::uuid[] as zone_ids, null::text[] as permit_types, null::text[] as permit_statuses, null::boolean as has_live_permit, null::uuid as work_line_id,
      null::text as activity_key, null::uuid as schedule_group_id where false`)
  })
  after(() => {
    plugMembers(
      rooms.flatMap(room => room.members ?? []),
      rooms.flatMap(room => room.condition_uses ?? []),
    )
  })

  const post = (w: World, by: Parameters<World['as']>[0], body: object) =>
    w.as(by).post('/smart-groups/', { site_id: w.site_id, name: 'Everything', subject: 'permit', predicate: ALL, ...body })
  const made = async (w: World, by: Parameters<World['as']>[0], body: object) => {
    const reply = await post(w, by, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const counts = async (w: World, by: Parameters<World['as']>[0]): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await w.as(by).get(`/smart-groups/?site_id=${w.site_id}&include=counts`)).body.map((g: { name: string; count: number }) => [
        g.name,
        g.count,
      ]),
    )

  test('site-and-people.md §18: the list has shared groups and the caller’s own, by sort, name and id; another person’s private one gives 404', async () => {
    const w = await house.world()
    await made(w, 'member', { name: 'mine', sort: 1 })
    const cora = await made(w, 'coordinator', { name: 'Cora’s own' })
    await made(w, 'coordinator', { name: 'beta', visibility: 'shared' })
    await made(w, 'coordinator', { name: 'Alpha', visibility: 'shared' })
    await made(w, 'coordinator', { name: 'Last', sort: 9, visibility: 'shared', description: 'Seen in the evening' })
    const list = (by: Parameters<World['as']>[0], more = '') => w.as(by).get(`/smart-groups/?site_id=${w.site_id}${more}`)
    assert.deepEqual(names(await list('member')), ['Alpha', 'beta', 'mine', 'Last'])
    assert.deepEqual(names(await list('coordinator')), ['Alpha', 'beta', 'Cora’s own', 'Last'])
    assert.deepEqual(names(await list('client', '&visibility=shared&q=EVENING')), ['Last'])
    const first = await list('member', '&limit=2')
    assert.deepEqual(names(first), ['Alpha', 'beta'])
    const next = /cursor=([^&>]+)/.exec(String(first.headers.link))?.[1]
    assert.deepEqual(names(await list('member', `&limit=2&cursor=${next}`)), ['mine', 'Last'])
    for (const by of ['member', 'admin'] as const) assert.equal((await w.as(by).get(`/smart-groups/${cora.id}`)).status, 404)
    assert.equal((await w.superadmin.get(`/smart-groups/${cora.id}`)).status, 404)
    assert.equal((await w.as('coordinator').get(`/smart-groups/${cora.id}`)).body.owner.name, 'Cora Coordinator')
    assert.equal((await (await w.stranger()).get(`/smart-groups/${cora.id}`)).status, 404)
  })

  test('§18 names are unique among shared groups, and among a person’s own; sharing needs smart_group_share', async () => {
    const w = await house.world()
    const shared = await made(w, 'hse', { visibility: 'shared' })
    const taken = await post(w, 'coordinator', { name: ' EVERYTHING ', visibility: 'shared' })
    assert.deepEqual([taken.status, taken.body.error.reason, taken.body.error.existing_id], [409, 'key_taken', shared.id])
    const own = await made(w, 'member', {})
    assert.equal((await post(w, 'member', {})).body.error.reason, 'key_taken')
    await made(w, 'viewer', {})
    const refused = await post(w, 'member', { name: 'Theirs', visibility: 'shared' })
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'smart_group_share'])
    assert.equal((await w.as('member').patch(`/smart-groups/${own.id}`, { visibility: 'shared' })).status, 403)
    assert.equal((await w.as('member').patch(`/smart-groups/${shared.id}`, { name: 'Ours' })).status, 403)
    assert.equal((await w.as('member').del(`/smart-groups/${shared.id}`)).status, 403)
    assert.equal(
      (await w.as('coordinator').patch(`/smart-groups/${shared.id}`, { name: 'Ours' })).status,
      200,
      'anyone who can share can change shared ones',
    )
    assert.equal(
      (await w.as('coordinator').patch(`/smart-groups/${shared.id}`, { visibility: 'private' })).status,
      403,
      'but they can’t make another’s group private',
    )
    assert.equal((await w.as('hse').patch(`/smart-groups/${shared.id}`, { visibility: 'private' })).status, 200)
    assert.equal((await w.as('coordinator').get(`/smart-groups/${shared.id}`)).status, 404)
    assert.deepEqual(
      [
        (await w.as('member').get(`/smart-groups/${own.id}`)).body.permissions.can_share,
        (await w.as('member').get(`/smart-groups/${own.id}`)).body.permissions.can_edit,
      ],
      [false, true],
    )
  })

  test('§18 every fault of the predicate is reported with its path, and nothing is stored', async () => {
    const w = await house.world()
    const contractor = await w.contractor('Faults Ltd')
    const reply = await post(w, 'member', {
      predicate: {
        all: [
          { field: 'colour', op: 'eq', value: 'red' },
          { field: 'contractor_id', op: 'eq', value: ids.next() },
          { field: 'contractor_id', op: 'eq', value: contractor },
          { field: 'status', op: 'between', value: [1, 2] },
          { field: 'trade', op: 'eq', value: 'joiner' },
          { field: 'group_ids', op: 'overlaps', value: [ids.next()] },
          { field: 'parent_id', op: 'eq', value: ids.next() },
          { field: 'requestor_id', op: 'eq', value: (await w.stranger()).user_id },
          { field: 'building_id', op: 'eq', value: contractor },
        ],
      },
    })
    assert.equal(reply.status, 422, reply.text)
    assert.deepEqual(faults(reply), [
      'predicate.all[0].field unknown_field',
      'predicate.all[1].value dead_reference',
      'predicate.all[3].op unknown_operator',
      'predicate.all[4].field unknown_field',
      'predicate.all[5].value[0] dead_reference',
      'predicate.all[6].value dead_reference',
      'predicate.all[7].value dead_reference',
      'predicate.all[8].value dead_reference',
    ])
    for (const predicate of [
      null,
      'x',
      [],
      { all: Array(400).fill(HOT) },
      { field: 'permit_number', op: 'contains', value: 'x'.repeat(33_000) },
    ])
      assert.equal((await post(w, 'member', { predicate })).status, 422)
    assert.deepEqual(names(await w.as('member').get(`/smart-groups/?site_id=${w.site_id}`)), [])
  })

  describe('over permits', () => {
    let w: PermitWorld
    before(async () => {
      w = await permitWorld(house)
      for (const categories of [['HW'], ['HW', 'GEN'], ['GEN']]) await w.at('issued', { categories })
      await w.at('requested', { categories: ['HW'] })
      await w.at('draft', { categories: ['HW'] })
    })

    test('§18 members are those of the list with the same filters, never drafts; SQL and memory agree', async () => {
      const group = await made(w, 'coordinator', { name: 'Hot', predicate: HOT })
      const shown = (await w.as('coordinator').get(`/smart-groups/${group.id}?include=members`)).body
      const listed = (await w.as('coordinator').get(`/permits?site_id=${w.site_id}&category=HW`)).body.filter(
        (p: { status: string }) => p.status !== 'draft',
      )
      assert.equal(shown.count, 3)
      assert.deepEqual(shown.members.map((m: { id: Id }) => m.id).sort(), listed.map((p: { id: Id }) => p.id).sort())
      assert.deepEqual(
        shown.members.map((m: { label: string }) => m.label),
        listed.map((p: { permit_number: string }) => p.permit_number).sort(),
      )
      const paged = await w.as('coordinator').get(`/smart-groups/${group.id}?include=members&limit=2`)
      assert.equal(paged.body.members.length, 2)
      const next = /cursor=([^&>]+)/.exec(String(paged.headers.link))?.[1]
      assert.deepEqual(
        (await w.as('coordinator').get(`/smart-groups/${group.id}?include=members&limit=2&cursor=${next}`)).body.members,
        shown.members.slice(2),
      )
    })

    test('§18 what a person sees is limited by their own permissions; a rule counts the whole site, whoever asks', async () => {
      const group = await made(w, 'coordinator', { name: 'All hot', visibility: 'shared', predicate: HOT })
      const other = await w.join('member', await w.contractor('Bystander Ltd'))
      const seen = async (by: { get(path: string): Promise<Reply> }) => (await by.get(`/smart-groups/${group.id}`)).body.count
      assert.equal(await seen(w.as('coordinator')), 3)
      assert.equal(await seen(w.as('viewer')), 2, 'what was issued')
      assert.equal(await seen(other), 0)
      const rule: Predicate = { field: 'group_ids', op: 'contains', value: group.id }
      const permits = subjectNamed('permit') ?? assert.fail('Permits are a subject of conditions.')
      const whole = async () => {
        const ctx = reading(house.house, { actor: jobActor('test'), cause: 'test.rule' })
        const condition = predicateSql('permit', await expandGroups(ctx, w.site_id, permits, rule), {
          now: ctx.now,
          timezone: 'Europe/London',
        })
        const [members] = membersOf('permit')
        const { rows } = await sql<{
          n: number
        }>`select count(*)::int as n from ${await members?.at(ctx, w.site_id, ctx.now, true)} m where ${condition}`.execute(ctx.db)
        return rows[0]?.n
      }
      assert.equal(await whole(), 3)
    })

    test('§18 numbers and times in the sentence are written for the language that the reader asks for; without a known one, for that of the site', async () => {
      const w = await house.world()
      const predicate = { field: 'headcount', op: 'gt', value: 12345 }
      const said = async (language: string) => {
        const body = { site_id: w.site_id, subject: 'entity', name: 'Crowds', predicate, dry_run: true }
        const reply = await w.as('coordinator').post('/smart-groups/', body, { 'accept-language': language })
        assert.equal(reply.status, 200, `${language}: ${reply.text}`)
        return /[\d.,]+$/.exec(reply.body.explanation)?.[0]
      }
      assert.equal(await said('de-DE'), '12.345')
      assert.equal(await said('*, de;q=0.5'), '12.345')
      for (const language of ['*', '', ';;;', 'en_GB', 'x'.repeat(500), '-', 'tlh-Latn'])
        assert.equal(await said(language), '12,345', language)
    })

    test('§18 dry_run returns sentence, warnings, count and the first members, and leaves the list as it was', async () => {
      const before = await w.as('member').get(`/smart-groups/?site_id=${w.site_id}`)
      const reply = await post(w, 'coordinator', {
        name: 'Preview',
        predicate: { all: [HOT, { field: 'permit_types', op: 'overlaps', value: ['hw', 'GEN'] }] },
        dry_run: true,
      })
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(
        [
          reply.body.count,
          reply.body.members.length,
          reply.body.warnings.map((x: { message: string }) => x.message),
          reply.body.explanation,
        ],
        [1, 1, ['hw: did you mean HW?'], 'Permits where the set of types includes HW and the set of types includes any of hw or GEN'],
      )
      assert.deepEqual((await w.as('member').get(`/smart-groups/?site_id=${w.site_id}`)).body, before.body)
      assert.equal((await post(w, 'member', { predicate: { field: 'x', op: 'eq' }, dry_run: true })).status, 422)
    })

    test('§18 conditions on permits mean the same in SQL and in memory', async () => {
      const ctx = reading(house.house, { actor: jobActor('test'), cause: 'test.rows' })
      const all = (await house.rows(`select id from permit where site_id = $1 and status <> 'draft' order by id`, [w.site_id])).map(
        r => r.id,
      )
      const rows = await permitSubjects(ctx.db, w.site_id, all)
      const contractor = rows.find(r => r.contractor_id !== null)?.contractor_id ?? ids.next()
      const person = w.as('member').user_id
      const leaf = fc.constantFrom<Predicate>(
        HOT,
        { field: 'kind', op: 'eq', value: 'permit' },
        { field: 'status', op: 'in', value: ['issued', 'approved'] },
        { field: 'source', op: 'ne', value: 'imported' },
        { field: 'contractor_id', op: 'eq', value: contractor },
        { field: 'requestor_id', op: 'ne', value: person },
        { field: 'receiver_id', op: 'is_set' },
        { field: 'parent_id', op: 'is_not_set' },
        { field: 'single_stage', op: 'eq', value: true },
        { field: 'start_at', op: 'before', value: { now: 'PT30M' } },
        { field: 'end_at', op: 'between', value: [{ now: 'PT0S' }, { now: 'P1D' }] },
        { field: 'start_at', op: 'before', ref: 'end_at' },
        { field: 'duration_minutes', op: 'gte', value: 480 },
        { field: 'weekday', op: 'in', value: [1, 2] },
        { field: 'starts_local', op: 'between', value: ['22:00', '10:00'] },
        { field: 'building_id', op: 'ne', value: contractor },
        { field: 'level_index', op: 'lte', value: 3 },
        { field: 'zone_ids', op: 'is_empty', value: true },
        { field: 'work_line_id', op: 'is_set' },
        { field: 'permit_number', op: 'starts_with', value: 'ptw' },
        { field: 'permit_types', op: 'contains_all', value: ['HW', 'GEN'] },
        { field: 'id', op: 'in', value: all.slice(0, 2) },
      )
      const predicates = fc.oneof(
        leaf,
        fc.array(leaf, { maxLength: 3 }).map(parts => ({ all: parts })),
        fc.array(leaf, { maxLength: 3 }).map(parts => ({ not: { any: parts } })),
      )
      await fc.assert(
        fc.asyncProperty(
          predicates,
          fc.constantFrom('Europe/London', 'Asia/Kathmandu', 'Pacific/Auckland'),
          async (predicate, timezone) => {
            const at = { now: ctx.now, timezone }
            const [members] = membersOf('permit')
            const { rows: found } = await sql<{
              id: Id
            }>`select m.id from ${await members?.at(ctx, w.site_id, ctx.now, true)} m where ${predicateSql('permit', predicate, at)} order by m.id`.execute(
              ctx.db,
            )
            const judge = compilePredicate<(typeof rows)[number]>('permit', predicate)
            assert.deepEqual(
              found.map(r => r.id),
              rows
                .filter(row => judge(row, at))
                .map(r => r.id)
                .sort(),
            )
          },
        ),
        { numRuns: times('PREDICATE_RUNS', 150) },
      )
    })

    test('§18 one statement counts twenty groups', async () => {
      for (let i = 0; i < 20; i++)
        await made(w, 'hse', { name: `Twenty ${i}`, predicate: { field: 'duration_minutes', op: 'gte', value: i } })
      const { database } = house.house
      const { db } = database
      let statements = 0
      database.db = db.withPlugin({
        transformQuery: ({ node }) => {
          if (JSON.stringify(node).includes('filter (where')) statements++
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const all = await counts(w, 'hse').finally(() => {
        database.db = db
      })
      assert.equal(statements, 1)
      assert.equal(Object.keys(all).filter(name => name.startsWith('Twenty')).length, 20)
      assert.ok(Object.values(all).every(n => typeof n === 'number'))
    })
  })

  test('§18 a group of entities has exactly those that exist at an instant; an hour later, when one has ended, it has one fewer, with nothing written', async () => {
    const w = await house.world()
    const contractor = await w.contractor('Acme Two')
    for (const [n, level, end] of [
      [1, 3, '2026-03-16T10:00:00Z'],
      [2, 3, null],
      [3, 2, null],
    ] as const)
      await house.rows(
        `insert into entity_of_test (id, kind, label, start_at, end_at, contractor_id, level_index) values ($1, 'worker', $2, '2026-03-16T06:00:00Z', $3, $4, $5)`,
        [ids.next(), `Gang ${n}`, end, contractor, level],
      )
    assert.ok(ENTITY_COLUMNS.includes('label'))
    entities = sql`(select ${sql.join(ENTITY_COLUMNS.map(c => sql.ref(c)))} from entity_of_test)`
    const group = await made(w, 'coordinator', {
      subject: 'entity',
      name: 'Everything of Acme on L3',
      predicate: {
        all: [
          { field: 'contractor_id', op: 'eq', value: contractor },
          { field: 'level_index', op: 'eq', value: 3 },
        ],
      },
    })
    assert.equal(group.explanation, 'Things on site where the contractor is Acme Two and the level is 3')
    const entries = await house.rows('select count(*) as n from audit_entry')
    const at = async (instant: string) =>
      (await w.as('coordinator').get(`/smart-groups/${group.id}?include=members&at=${instant}`)).body.members.map(
        (m: { label: string }) => m.label,
      )
    assert.deepEqual(await at('2026-03-16T09:30:00Z'), ['Gang 1', 'Gang 2'])
    assert.deepEqual(await at('2026-03-16T10:30:00Z'), ['Gang 2'])
    assert.deepEqual(await house.rows('select count(*) as n from audit_entry'), entries)
    assert.equal((await counts(w, 'coordinator'))['Everything of Acme on L3'], 1 + 1)
    entities = null
  })

  test('§18 if A uses B, B can’t use A: circular_reference lists both, and neither is changed', async () => {
    const w = await house.world()
    const b = await made(w, 'coordinator', { name: 'B', visibility: 'shared', predicate: HOT })
    const a = await made(w, 'coordinator', {
      name: 'A',
      visibility: 'shared',
      predicate: { field: 'group_ids', op: 'overlaps', value: [b.id] },
    })
    assert.deepEqual((await w.as('coordinator').get(`/smart-groups/${b.id}`)).body.used_by, [{ kind: 'smart_group', id: a.id, name: 'A' }])
    const ring = await w
      .as('coordinator')
      .patch(`/smart-groups/${b.id}`, { predicate: { any: [HOT, { field: 'group_ids', op: 'overlaps', value: [a.id] }] } })
    assert.equal(ring.status, 422, ring.text)
    assert.deepEqual(faults(ring), ['predicate.any[1].value[0] circular_reference'])
    assert.match(ring.body.error.fields[0].message, /“B” → “A” → “B”/)
    assert.deepEqual((await w.as('coordinator').get(`/smart-groups/${b.id}`)).body.predicate, HOT)
    const itself = await w
      .as('coordinator')
      .patch(`/smart-groups/${b.id}`, { predicate: { field: 'group_ids', op: 'contains', value: b.id } })
    assert.deepEqual(faults(itself), ['predicate.value circular_reference'])
    // Two changes at the same time that would close a loop together: one of them is refused.
    const c = await made(w, 'coordinator', { name: 'C', visibility: 'shared', predicate: HOT })
    const d = await made(w, 'coordinator', { name: 'D', visibility: 'shared', predicate: HOT })
    const race = await Promise.all([
      w.as('coordinator').patch(`/smart-groups/${c.id}`, { predicate: { field: 'group_ids', op: 'contains', value: d.id } }),
      w.as('hse').patch(`/smart-groups/${d.id}`, { predicate: { field: 'group_ids', op: 'contains', value: c.id } }),
    ])
    assert.deepEqual(race.map(r => r.status).sort(), [200, 422])
  })

  test('§18 groups refer to groups to a depth of five, of their own subject; shared ones only to shared ones', async () => {
    const w = await permitWorld(house)
    await w.at('issued', { categories: ['HW'] })
    let last = await made(w, 'coordinator', { name: 'G1', visibility: 'shared', predicate: HOT })
    const first = last
    for (const n of [2, 3, 4, 5])
      last = await made(w, 'coordinator', {
        name: `G${n}`,
        visibility: 'shared',
        predicate: { field: 'group_ids', op: 'overlaps', value: [last.id] },
      })
    assert.equal((await w.as('coordinator').get(`/smart-groups/${last.id}`)).body.count, 1, 'through all five')
    assert.deepEqual(
      faults(await post(w, 'coordinator', { name: 'G6', predicate: { field: 'group_ids', op: 'contains', value: last.id } })),
      ['predicate too_deep'],
    )
    const zero = await made(w, 'coordinator', { name: 'G0', visibility: 'shared' })
    assert.deepEqual(
      faults(
        await w.as('coordinator').patch(`/smart-groups/${first.id}`, { predicate: { field: 'group_ids', op: 'contains', value: zero.id } }),
      ),
      ['predicate too_deep'],
      'from below, too',
    )
    const thing = await made(w, 'coordinator', { name: 'Things', subject: 'entity' })
    assert.deepEqual(
      faults(await post(w, 'coordinator', { name: 'Mixed', predicate: { field: 'group_ids', op: 'contains', value: thing.id } })),
      ['predicate.value wrong_type'],
    )
    const own = await made(w, 'coordinator', { name: 'Own' })
    const on = { field: 'group_ids', op: 'contains', value: own.id }
    assert.deepEqual(faults(await post(w, 'coordinator', { name: 'Shared on own', visibility: 'shared', predicate: on })), [
      'predicate.value dead_reference',
    ])
    const upon = await made(w, 'coordinator', { name: 'Own on own', predicate: on })
    assert.deepEqual(faults(await w.as('coordinator').patch(`/smart-groups/${upon.id}`, { visibility: 'shared' })), [
      'predicate.value dead_reference',
    ])
    assert.deepEqual(faults(await post(w, 'hse', { name: 'Foreign', predicate: on })), ['predicate.value dead_reference'])
    // The groups have too many conditions once they are expanded.
    const wide = await made(w, 'coordinator', { name: 'Wide', predicate: { any: Array(199).fill(HOT) } })
    assert.deepEqual(
      faults(
        await post(w, 'coordinator', {
          name: 'Wider',
          predicate: { any: Array(15).fill({ field: 'group_ids', op: 'contains', value: wide.id }) },
        }),
      ),
      ['predicate too_large'],
    )
    const ways = { overlaps: [first.id, own.id], contains_all: [first.id, own.id], disjoint: [first.id] }
    const n = async (op: keyof typeof ways) =>
      (await post(w, 'coordinator', { predicate: { field: 'group_ids', op, value: ways[op] }, dry_run: true })).body.count
    assert.deepEqual([await n('overlaps'), await n('contains_all'), await n('disjoint')], [1, 1, 0])
  })

  test('§18 changing the predicate of a group that a rule uses needs that rule’s permission, even through another group; changing its name doesn’t', async () => {
    const w = await house.world()
    const inner = await made(w, 'coordinator', { name: 'Inner', visibility: 'shared', predicate: HOT })
    const outer = await made(w, 'coordinator', {
      name: 'Outer',
      visibility: 'shared',
      predicate: { field: 'group_ids', op: 'contains', value: inner.id },
    })
    rules.push({ site_id: w.site_id, used_id: outer.id, id: ids.next(), name: 'Keep fire away' })
    for (const group of [outer, inner]) {
      const refused = await w.as('coordinator').patch(`/smart-groups/${group.id}`, { predicate: true })
      assert.deepEqual([refused.status, refused.body.error.permission], [403, 'site_configure'])
      assert.match(refused.body.error.detail, /Keep fire away/)
    }
    const renamed = await w.as('coordinator').patch(`/smart-groups/${outer.id}`, { name: 'Outside', predicate: outer.predicate })
    assert.equal(renamed.status, 200, renamed.text)
    assert.deepEqual(
      renamed.body.used_by.map((u: { kind: string; name: string }) => [u.kind, u.name]),
      [['clash_rule', 'Keep fire away']],
    )
    const read = async (by: 'viewer' | 'coordinator') => (await w.as(by).get(`/smart-groups/${outer.id}`)).body.used_by.length
    assert.deepEqual([await read('viewer'), await read('coordinator')], [0, 1], '1098 a rule is shown to those who can see rules')
    assert.equal((await w.as('hse').patch(`/smart-groups/${inner.id}`, { predicate: true })).status, 200)
    for (const by of ['coordinator', 'hse'] as const) {
      const gone = await w.as(by).del(`/smart-groups/${outer.id}`)
      assert.deepEqual([gone.status, gone.body.error.reason, gone.body.error.used_by[0].name], [409, 'in_use', 'Keep fire away'])
    }
    const hidden = await w.as('coordinator').patch(`/smart-groups/${outer.id}`, { visibility: 'private' })
    assert.deepEqual([hidden.status, hidden.body.error.reason], [409, 'in_use'])
    assert.equal((await w.as('coordinator').del(`/smart-groups/${inner.id}`)).body.error.used_by[0].name, 'Outside')
    rules.length = 0
    assert.equal((await w.as('coordinator').del(`/smart-groups/${outer.id}`)).status, 204)
    assert.equal((await w.as('coordinator').del(`/smart-groups/${inner.id}`)).status, 204)
    const kinds = (
      await house.rows(`select kind from event where site_id = $1 and kind like 'smart_group.%' order by event_no`, [w.site_id])
    ).map(e => e.kind)
    assert.deepEqual(
      kinds,
      ['changed', 'changed', 'changed', 'changed', 'deleted', 'deleted'].map(kind => `smart_group.${kind}`),
    )
  })

  test('§18 private groups are deleted with the membership, shared ones stay; another person’s private group prevents nothing', async () => {
    const w = await house.world()
    const leaver = await w.join('coordinator')
    const keep = async (name: string, visibility: string, predicate: Predicate = ALL) =>
      (await leaver.post('/smart-groups/', { site_id: w.site_id, name, subject: 'permit', predicate, visibility })).body
    const shared = await keep('Stays', 'shared')
    await keep('Goes', 'private')
    const mine = await made(w, 'member', { name: 'On theirs', predicate: { field: 'group_ids', op: 'contains', value: shared.id } })
    const { membership_id } = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${leaver.user_id}`)).body[0]
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.deepEqual(
      (await house.rows('select name from smart_group where site_id = $1 order by name', [w.site_id])).map(g => g.name),
      ['On theirs', 'Stays'],
    )
    assert.equal(
      (await w.as('coordinator').del(`/smart-groups/${shared.id}`)).status,
      204,
      'another person’s private group doesn’t count as a use',
    )
    const left = (await w.as('member').get(`/smart-groups/${mine.id}`)).body
    assert.deepEqual([left.count, left.warnings.map((x: { code: string }) => x.code)], [0, ['dead_reference']])
  })

  test('§18 a private group that is saved in the moment in which its owner is removed is deleted too', async () => {
    const w = await house.world()
    const leaver = await w.join('coordinator')
    const { membership_id } = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${leaver.user_id}`)).body[0]
    const every = { subject: 'permit', predicate: ALL }
    const shared = (await leaver.post('/smart-groups/', { ...every, site_id: w.site_id, name: 'Hidden', visibility: 'shared' })).body
    const waiting: Promise<Reply>[] = []
    await house.house.database.apart.db.transaction().execute(async db => {
      // Both writes have done their work and wait for their seal.
      await sql`select 1 from site_head where site_id = ${w.site_id} for update`.execute(db)
      waiting.push(leaver.post('/smart-groups/', { ...every, site_id: w.site_id, name: 'Late', visibility: 'private' }))
      await someoneWaits(house)
      waiting.push(
        leaver.patch(`/smart-groups/${shared.id}`, { visibility: 'private' }),
        w.as('admin').del(`/memberships/${membership_id}`),
      )
      await someoneWaits(house, 3)
    })
    const replies = (await Promise.all(waiting)).map(reply => reply.status)
    assert.deepEqual([replies[0], replies[2]], [201, 204])
    const left = await house.rows(`select name, visibility from smart_group where site_id = $1`, [w.site_id])
    assert.deepEqual(
      left.filter(group => group.visibility === 'private'),
      [],
    )
  })

  test('§0.3 on a locked site private groups can be saved, shared ones can’t', async () => {
    const w = await house.world()
    const shared = await made(w, 'coordinator', { visibility: 'shared' })
    const own = await made(w, 'coordinator', { name: 'Own' })
    assert.equal((await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })).status, 200)
    const locked = (reply: Reply) => assert.deepEqual([reply.status, reply.body?.error?.reason], [409, 'site_locked'])
    locked(await post(w, 'coordinator', { name: 'New', visibility: 'shared' }))
    locked(await w.as('coordinator').patch(`/smart-groups/${shared.id}`, { name: 'Other' }))
    locked(await w.as('coordinator').patch(`/smart-groups/${own.id}`, { visibility: 'shared' }))
    locked(await w.as('coordinator').del(`/smart-groups/${shared.id}`))
    await made(w, 'member', { name: 'Mine' })
    assert.equal((await w.as('coordinator').patch(`/smart-groups/${own.id}`, { name: 'Own still' })).status, 200)
    assert.equal((await w.as('coordinator').del(`/smart-groups/${own.id}`)).status, 204)
  })
})
