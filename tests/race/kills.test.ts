// R3, R4 and R5 (`tools/proofs.ts`) at the size that every change runs; KILLS_SERVER, KILLS_ENGINE and KILLS_IMPORT make them longer, and SEED varies their
// moments.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { House } from '../../server/base/ctx.ts'
import { verifyChain } from '../../server/kernel/audit/door.ts'
import { chance, seedOf, times } from '../chance.ts'
import { openServed, type Served } from '../served.ts'

const SEED = seedOf(3, 'changes')
/** How long a response can take that was sent just before the kill. */
const LAST_WORDS_MS = 1000
const REGISTER = readFileSync(fileURLToPath(new URL('../data/permits/register-2000.xlsx', import.meta.url)))

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
type Said = { status: number; body: any }

/**
 * Makes one call; returns null when the process died before it responded. The end of the process is awaited as well, because a `fetch` whose upload was cut
 * off can stay pending for ever.
 */
async function call(service: Served, token: string, method: string, path: string, body?: unknown): Promise<Said | null> {
  const form = body instanceof FormData
  const answered = fetch(`${service.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined || form ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  }).then(async (answer): Promise<Said> => ({ status: answer.status, body: await answer.json() }))
  const died = service.gone().then(() => wait(LAST_WORDS_MS, null))
  return Promise.race([answered.catch(() => null), died])
}

const RANK = ['draft', 'requested', 'endorsed']

describe('killed at any moment', () => {
  const served: { it: Served | null } = { it: null }
  const service = (): Served => served.it ?? assert.fail('The service is there once the tests run.')
  const people = { root: '', site_id: '', contractor: '' }

  before(async () => {
    served.it = await openServed()
    await service().start()
    people.root = await service().token({ subject: 'root', name: 'Sam Root', email: 'root@walkdown.test' })
    const site = await call(service(), people.root, 'POST', '/sites/', { name: 'Killed Quarter', timezone: 'Europe/London' })
    assert.equal(site?.status, 201, JSON.stringify(site))
    people.site_id = site?.body.id
    const contractor = await call(service(), people.root, 'POST', '/contractors/', {
      site_id: people.site_id,
      name: 'Acme Scaffolding Ltd',
    })
    people.contractor = contractor?.body.id
  })
  after(async () => {
    await served.it?.close()
  })

  type Acked = { id: string; status: string }
  /** Works until the process dies: drafts, submits and endorses permits, and records the responses. */
  async function work(acked: Map<string, Acked>, stop: { killing: boolean; now: boolean }): Promise<void> {
    const note = (said: Said | null, status: string): string | null => {
      if (said === null || said.status >= 300) return null
      acked.set(said.body.id, { id: said.body.id, status })
      return said.body.id
    }
    while (!stop.now) {
      const made = await call(service(), people.root, 'POST', '/permits/applications', {
        site_id: people.site_id,
        categories: ['HW'],
        contractor_id: people.contractor,
        title: 'Weld handrails',
        start_at: new Date(Date.now() + 3_600_000).toISOString(),
        end_at: new Date(Date.now() + 5 * 3_600_000).toISOString(),
      })
      const id = note(made, 'draft')
      if (id === null) {
        if (made === null) return
        // While everything is killed, the database can die before the service, which then says so; the draft wasn't acknowledged.
        if (made.status === 503 && stop.killing) return
        assert.fail(`No draft: ${JSON.stringify(made)}`)
      }
      const submitted = await call(service(), people.root, 'POST', `/permits/applications/${id}/submit`, {})
      if (note(submitted, 'requested') === null) continue
      note(await call(service(), people.root, 'POST', `/permits/applications/${id}/endorse`, {}), 'endorsed')
    }
  }

  /** Checks that everything with a response is stored, nothing is half written, and every hash is right. */
  async function look(house: House, acked: Map<string, Acked>): Promise<void> {
    const { pool } = house.database
    const { rows } = await pool.query('select id, status from permit where id = any($1::uuid[])', [[...acked.keys()]])
    const there = new Map(rows.map(row => [row.id, row.status]))
    for (const { id, status } of acked.values()) {
      const now = there.get(id)
      assert.ok(now !== undefined, `${id} was answered ${status} and is gone`)
      assert.ok(RANK.indexOf(now) >= RANK.indexOf(status), `${id} was answered ${status} and is ${now}`)
    }
    const all = await pool.query(
      `select p.id, p.status, p.version,
        (select count(*)::int from audit_entry a where a.entity_id = p.id) as entries,
        (select count(*)::int from event e where e.subject_id = p.id and e.kind = 'permit.submitted') as submitted,
        (select count(*)::int from event e where e.subject_id = p.id and e.kind = 'permit.endorsed') as endorsed,
        (select count(*)::int from task t where t.subject_id = p.id and t.status = 'open') as tasks
      from permit p where p.site_id = $1`,
      [people.site_id],
    )
    for (const { id, status, version, ...counts } of all.rows) {
      const step = RANK.indexOf(status)
      const whole = { entries: version, submitted: Math.min(1, step), endorsed: Math.max(0, step - 1), tasks: Math.min(1, step) }
      assert.deepEqual(counts, whole, `${id} is ${status}, half written`)
    }
    const drafts = await pool.query('select count(*)::int as n from audit_draft')
    assert.equal(drafts.rows[0].n, 0)
    assert.equal((await verifyChain(house.database.db, people.site_id)).fault, null)
  }

  async function underLoad(kill: () => Promise<void>, how_often: number): Promise<number> {
    const acked = new Map<string, Acked>()
    const draw = chance(SEED)
    for (let round = 0; round < how_often; round++) {
      const stop = { killing: false, now: false }
      const workers = Array.from({ length: 6 }, () => work(acked, stop))
      const before = acked.size
      for (let tries = 0; tries < 200 && acked.size < before + 3; tries++) await wait(25)
      await wait(draw.below(400))
      stop.killing = true
      await kill()
      stop.now = true
      await Promise.all(workers)
      await service().start()
      await service().looking(house => look(house, acked))
    }
    return acked.size
  }

  test('R3 kill -9 of the server under load: every acknowledged write is stored, and none is half written', async () => {
    const many = await underLoad(() => service().kill(), times('KILLS_SERVER', 5))
    assert.ok(many > 10, `only ${many} permits were written between the kills`)
  })

  test('R4 kill -9 of every database process under load: every acknowledged write is stored, none is half written, and the chain verifies', async () => {
    const both = async () => {
      await service().killEngine()
      await service().kill()
    }
    const many = await underLoad(both, times('KILLS_ENGINE', 2))
    assert.ok(many > 5, `only ${many} permits were written between the kills`)
  })

  // Goal R5. The title leaves the number out, because tests/house/rules.test.ts would take it for R5 of permits.md.
  test('an import killed anywhere: its upload is absent or complete, and a second run completes it', async () => {
    const upload = async (site_id: string) => {
      const form = new FormData()
      form.append('file', new Blob([REGISTER]), 'register-2000.xlsx')
      return call(service(), people.root, 'POST', `/permits/upload?site_id=${site_id}`, form)
    }
    const site = async (name: string) =>
      (await call(service(), people.root, 'POST', '/sites/', { name, timezone: 'America/Edmonton' }))?.body.id
    const first = await site('Never killed')
    const began = performance.now()
    const whole = await upload(first)
    const took = performance.now() - began
    assert.equal(whole?.status, 201)
    const kills = times('KILLS_IMPORT', 3)
    const draw = chance(SEED + 2)
    for (let round = 0; round < kills; round++) {
      const site_id = await site(`Import ${round}`)
      const going = upload(site_id)
      await wait((took * (round + draw.next())) / kills) // every part of the import in turn
      await service().kill()
      const answered = await going
      await service().start()
      await service().looking(async house => {
        const { pool, db } = house.database
        const sets = await pool.query(
          `select s.rows_new, (select count(*)::int from permit p where p.site_id = s.site_id and p.set_id = s.id) as permits,
            (select count(distinct a.entity_id)::int from audit_entry a where a.site_id = s.site_id and a.entity_type = 'permit') as entries
          from permit_set s where s.site_id = $1`,
          [site_id],
        )
        const permits = await pool.query('select count(*)::int as n from permit where site_id = $1', [site_id])
        if (answered?.status === 201) assert.equal(sets.rows.length, 1, 'what was answered is there')
        const [set] = sets.rows
        if (set === undefined) assert.equal(permits.rows[0].n, 0, 'no permit without its set')
        else assert.deepEqual([set.permits, set.entries], [set.rows_new, set.rows_new])
        assert.equal((await verifyChain(db, site_id)).fault, null)
      })
      const again = await upload(site_id)
      assert.equal(again?.status, 201, JSON.stringify(again?.body)?.slice(0, 300))
      assert.equal(again?.body.new + again?.body.unchanged, whole?.body.new)
    }
  })
})
