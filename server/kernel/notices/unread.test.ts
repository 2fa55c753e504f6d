// Proves what counting unread notifications costs when a person has very many.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'
import { sql } from '../../base/db.ts'
import { unreadOf, unreadQuery } from './queries/inbox.ts'

const MANY = 100_000
const UNREAD = 150

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; 'Actual Rows': number; Plans?: Plan[] }
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

describe('unread notifications', () => {
  const house = useHouse()

  test('9.22 among 100,000 notifications of a person, the count reads only the unread ones, from one index', async () => {
    const w = await house.world()
    const user_id = w.as('hse').user_id
    await house.rows(
      `insert into notification (site_id, id, user_id, kind, urgency, title, body, subject_kind, subject_id, subject_label, in_app, created_at, updated_at, read_at)
       select $1, gen_random_uuid(), $2, 'permit_to_review', (array['info', 'attention', 'critical'])[1 + n % 3], 'A title', 'A body', 'permit',
         gen_random_uuid(), 'PTW-1', true, now(), now(), case when n <= $3 then null else now() end
       from generate_series(1, $4) n`,
      [w.site_id, user_id, UNREAD, MANY],
    )
    await house.rows('vacuum analyze notification')
    const { db } = house.house.database
    const counts = await unreadOf(db, user_id, [w.site_id])
    assert.equal(
      counts.reduce((sum, one) => sum + Number(one.n), 0),
      UNREAD,
    )
    const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan; 'Execution Time': number }[] }>`
      explain (analyze, format json) ${unreadQuery(user_id, [w.site_id])}`.execute(db)
    const [said] = rows[0]?.['QUERY PLAN'] ?? []
    const reads = nodesOf(said?.Plan ?? assert.fail('no plan')).filter(node => node['Relation Name'] === 'notification')
    assert.deepEqual(
      reads.map(node => [node['Node Type'], node['Index Name'], node['Actual Rows']]),
      [['Index Only Scan', 'notification_unread', UNREAD]],
    )
  })
})
