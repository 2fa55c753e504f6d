// R10: the rule for who sees a permit exists twice, in TypeScript for one and in SQL for lists; both agree on random permits and random viewers.
// VIEWERS sets the number of viewers, SEED selects them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Chance, chance, seedOf, times } from '../../../../tests/chance.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { ids } from '../../../base/ids.ts'
import { SEEDED_ID, SEEDED_VERSION } from '../kit/domain/seed.ts'
import { type Seen, seesPermit, type Viewer } from '../kit/domain/visibility.ts'
import { seenAmong } from '../kit/queries/visible.ts'
import { countPermits, permitsFor } from './queries/lists.ts'

const PERMITS = 400
const VIEWERS = times('VIEWERS', 150)
const SEED = seedOf(10)
const CODES = ['GEN', 'HW', 'WAH', 'EXC']
const AT = '2026-03-16T09:00:00.000Z'

describe('R10 visibility in TypeScript and in SQL', () => {
  const house = useHouse()

  test(`${VIEWERS} random viewers see the same of ${PERMITS} random permits in both`, async () => {
    const w = await permitWorld(house)
    const c = chance(SEED)
    const people = ['member', 'hse', 'viewer', 'coordinator'].map(role => w.as(role as 'member').user_id) // all roles
    const contractors = [w.acme, await w.contractor('Other Firm'), await w.contractor('Third Firm')]
    const some = <T>(list: readonly T[], p = 0.5) => list.filter(() => c.odds(p))
    const stamp = () => (c.odds(0.5) ? AT : null)
    const rows = Array.from({ length: PERMITS }, (_, n) => {
      const source = c.odds(0.2) ? 'imported' : 'requested'
      const categories = some(CODES, 0.4)
      return {
        site_id: w.site_id,
        id: ids.next(),
        version: 1,
        created_at: AT,
        updated_at: AT,
        permit_number: `N-${n}`,
        status: c.of(['draft', 'withdrawn']),
        source,
        requestor_id: source === 'imported' ? null : c.of([...people, null]),
        receiver_id: c.of([...people, null]),
        contractor_id: c.of([...contractors, null]),
        categories,
        submitted_at: stamp(),
        endorsed_at: stamp(),
        approved_at: stamp(),
        issued_at: stamp(),
        workflow_definition_id: SEEDED_ID,
        workflow_version: SEEDED_VERSION,
      }
    })
    const columns = Object.keys(rows[0] ?? {})
    const client = await house.house.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query(
        `insert into permit (${columns.join()}) select ${columns.map(name => (name === 'categories' ? 'array(select jsonb_array_elements_text(r.categories))' : `r.${name}`)).join()}
         from jsonb_to_recordset($1) as r(site_id uuid, id uuid, version int, created_at timestamptz, updated_at timestamptz, permit_number text, status text, source text, requestor_id uuid,
           receiver_id uuid, contractor_id uuid, categories jsonb, submitted_at timestamptz, endorsed_at timestamptz, approved_at timestamptz, issued_at timestamptz,
           workflow_definition_id uuid, workflow_version int)`,
        [JSON.stringify(rows)],
      )
      // The trigger that writes them didn't run.
      await client.query('insert into permit_words select site_id, id, lower(permit_number) from permit where site_id = $1', [w.site_id])
      await client.query('commit')
    } finally {
      client.release()
    }
    const { db } = house.house.database
    const all = rows.map(row => row.id)
    const counts = new Set<number>()
    for (let n = 0; n < VIEWERS; n++) {
      const viewer = anybody(c, people, contractors)
      const details = `SEED=${SEED}, viewer ${n}: ${JSON.stringify({ ...viewer, scope: [...viewer.scope], appointed_codes: viewer.appointed_codes === null ? null : [...viewer.appointed_codes] })}`
      const wanted = rows.map(row => seesPermit(row as Seen, viewer)) // the columns that the rule needs
      const seen = await seenAmong(db, w.site_id, viewer, all)
      for (const [i, row] of rows.entries()) assert.equal(seen.get(row.id), wanted[i], `${JSON.stringify(row)} ${details}`)
      const count = wanted.filter(Boolean).length
      counts.add(count)
      assert.equal(await countPermits(db, w.site_id, viewer, {}), count, details)
      const few = { ...viewer, sees_few: true }
      assert.equal(await countPermits(db, w.site_id, few, {}), count, `found first: ${details}`)
      const burning = rows.filter((row, i) => wanted[i] && row.categories.some(code => code === 'HW' || code === 'EXC'))
      for (const lister of [viewer, few]) {
        const type_sets = [...new Set(rows.map(row => JSON.stringify(row.categories)))].map(set => JSON.parse(set) as string[]) // written one line above
        const hot = { category: ['HW', 'EXC'], type_sets: type_sets.filter(set => set.includes('HW') || set.includes('EXC')) }
        assert.equal(await countPermits(db, w.site_id, lister, hot), burning.length, `by type: ${details}`)
      }
      const drafts = rows.filter((row, i) => wanted[i] && row.status === 'draft').map(row => row.id)
      for (const lister of [viewer, few])
        assert.equal(await countPermits(db, w.site_id, lister, { status: ['draft'] }), drafts.length, `by state: ${details}`)
      if (n % 10 > 0) continue
      const searched = rows.filter((row, i) => wanted[i] && row.permit_number.startsWith('N-1')).map(row => row.id)
      for (const lister of [viewer, few]) {
        const found: string[] = []
        for (let after: [null, string] | null = null; ; after = [null, found.at(-1) ?? '']) {
          const page = await permitsFor(db, w.site_id, lister, { q: 'N-1' }, { limit: 20, after })
          found.push(...page.map(row => row.id))
          if (page.length < 20) break
        }
        assert.deepEqual(found, searched.toSorted().reverse(), `a search, page by page: ${details}`)
      }
      const listed = await permitsFor(db, w.site_id, viewer, {}, { limit: PERMITS, after: null })
      assert.deepEqual(new Set(listed.map(row => row.id)), new Set(all.filter((_, i) => wanted[i])), details)
    }
    assert.ok(counts.size > 10, 'viewers differ')
  })
})

function anybody(c: Chance, people: readonly string[], contractors: readonly string[]): Viewer {
  const dice = c.below(10)
  return {
    id: c.odds(0.95) ? c.of(people) : null,
    is_superadmin: dice === 0,
    in_band: dice === 1,
    scope: new Set([...contractors, null].filter(() => c.odds(0.25))),
    sees_issued: c.odds(0.3),
    is_nominee: c.odds(0.2),
    appointed_codes: c.odds(0.15) ? null : new Set(CODES.filter(() => c.odds(0.2))),
  }
}
