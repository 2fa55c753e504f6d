import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { later } from '../../../../shared/time.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

const HOURS = 3_600_000
const NOW = '2026-03-16T09:00:00.000Z'
const STARTS = [null, -400, -200, -30, -1, 0, 5].map(days => (days === null ? null : later(NOW, days * 24 * HOURS)))
const LENGTHS = [null, 8, 7 * 24, 7 * 24 + 1, 200 * 24]
const TYPES = [['HW'], ['GEN'], ['GEN', 'HW'], ['HW', 'GEN'], ['WAH', 'ELE', 'GEN']]

type Row = { permit_number: string; start_at: string | null; end_at: string | null; categories: string[] }

describe('lists of permits that are read as ranges', () => {
  const house = useHouse()

  /** Inserts permits directly; only a draft can have no window. */
  const insert = async (w: World, rows: readonly Row[]) => {
    const client = await house.house.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query(
        `insert into permit (site_id, id, version, created_at, updated_at, permit_number, status, source, requestor_id, categories, start_at, end_at, workflow_definition_id, workflow_version)
         select $1, gen_random_uuid(), 1, now(), now(), permit_number, case when end_at is null then 'draft' else 'issued' end,
           case when end_at is null then 'requested' else 'imported' end, case when end_at is null then $3::uuid end, categories, start_at, end_at, '00000000-0000-7000-8000-000000000001', 1
         from jsonb_to_recordset($2::jsonb) as r(permit_number text, categories text[], start_at timestamptz, end_at timestamptz)`,
        [w.site_id, JSON.stringify(rows), w.as('coordinator').user_id],
      )
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
  const list = async (w: World, query: string): Promise<Row[]> => {
    const path = `/permits?site_id=${w.site_id}&reasons=false&limit=20${query}`
    const found: Row[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { body, headers } = await w.as('coordinator').get(next)
      found.push(...body)
      next = /<\/api([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    }
    return found
  }
  const numbers = (rows: readonly Row[]) => rows.map(row => row.permit_number).sort()

  test('a list by period or by types has exactly the permits that fit, whatever their windows and their other types, in the same order on all pages', async () => {
    const w = await house.world()
    const all = STARTS.flatMap((start_at, s) =>
      LENGTHS.flatMap((hours, l) =>
        TYPES.map((categories, t): Row => {
          const end_at = start_at === null || hours === null ? null : later(start_at, hours * HOURS)
          return { permit_number: `R-${s}${l}${t}`, start_at, end_at, categories }
        }),
      ),
    )
    await insert(w, all)
    const order = (await list(w, '')).map(row => row.permit_number)
    assert.equal(order.length, all.length)
    const check = async (query: string, fits: (row: Row) => boolean) => {
      const found = await list(w, query)
      assert.deepEqual(numbers(found), numbers(all.filter(fits)), query)
      const places = found.map(row => order.indexOf(row.permit_number))
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
        query,
      )
    }
    const days = (n: number) => later(NOW, n * 24 * HOURS)
    for (const [from, to] of [
      [-1, 1],
      [-35, -20],
      [-300, -250],
      [-193, -192],
      [-500, 500],
      [0, 0],
    ] as const)
      await check(
        `&from=${days(from)}&to=${days(to)}`,
        row => (row.end_at === null || row.end_at > days(from)) && (row.start_at === null || row.start_at < days(to)),
      )
    for (const to of [-100, 0, 100]) await check(`&to=${days(to)}`, row => row.start_at === null || row.start_at < days(to))
    for (const wanted of [['HW'], ['GEN'], ['ELE', 'HW'], ['WAH'], ['EXC'], ['NONE']])
      await check(`${wanted.map(code => `&category=${code}`).join('')}`, row => row.categories.some(code => wanted.includes(code)))
    await check(
      `&category=HW&from=${days(-1)}&to=${days(1)}`,
      row =>
        row.categories.includes('HW') &&
        (row.end_at === null || row.end_at > days(-1)) &&
        (row.start_at === null || row.start_at < days(1)),
    )
  })

  test('a list by type is complete if its type is used together with very many others', async () => {
    const w = await house.world()
    const rows = Array.from({ length: 230 }, (_, n): Row => {
      const categories = n % 2 === 0 ? ['HW', `T${n}`] : [`T${n}`]
      return { permit_number: `M-${n}`, start_at: NOW, end_at: later(NOW, 8 * HOURS), categories }
    })
    await insert(w, rows)
    for (const code of ['HW', 'T5', 'T229']) {
      const fit = rows.filter(row => row.categories.includes(code))
      assert.deepEqual(numbers(await list(w, `&category=${code}`)), numbers(fit), code)
    }
  })
})
