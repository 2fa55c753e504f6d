import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPostGis, type PostGis } from '../../bench/postgis.ts'
import { useHouse } from '../../tests/world.ts'
import { serverEngine } from '../base/engine.ts'
import { migrate, migrations } from '../base/migrate.ts'
import { CommandError } from './command.ts'
import { dropGisViews, GIS_SCHEMA, GIS_VIEWS, makeGisViews, withoutGisViews } from './gis.ts'
import { gisViewsCommand } from './gis-views.ts'

describe('gis-views on a server without PostGIS', () => {
  const house = useHouse()

  test('operations.md it says what is missing and how to get it, fails with code 1, and leaves nothing behind', async () => {
    const client = await house.house.database.pool.connect()
    try {
      await assert.rejects(makeGisViews(client), error => {
        assert.ok(error instanceof CommandError && error.code === 1)
        assert.match(
          error.message,
          /doesn’t have PostGIS.*DATABASE_URL.*apt-get install postgresql-\d+-postgis-3.*CREATE EXTENSION postgis/,
        )
        return true
      })
      assert.equal(await dropGisViews(client), 0, 'what isn’t there can be dropped')
    } finally {
      client.release()
    }
    assert.deepEqual(await house.rows('select 1 from pg_namespace where nspname = $1', [GIS_SCHEMA]), [])
  })

  test('operations.md another option than --drop is a mistake of the person at the terminal (code 2)', async () => {
    await assert.rejects(gisViewsCommand.run(['--all'], {}), error => error instanceof CommandError && error.code === 2)
  })
})

const SITE = '01900000-0000-7000-8000-000000000001'
const id = (n: number) => `01900000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`
const SQUARE = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 51],
      [0.001, 51],
      [0.001, 51.001],
      [0, 51.001],
      [0, 51],
    ],
  ],
}

describe('gis-views on a server with PostGIS', () => {
  let postgis: PostGis | null = null
  before(async () => {
    postgis = await openPostGis()
    if (postgis === null) return
    const engine = serverEngine(`postgresql://${postgis.user}@localhost/postgres`)
    await migrate({ ...engine, connection: { ...engine.connection, host: postgis.host } })
    const { client } = postgis
    // The rules about records aren’t the subject of this test: rows are written without them.
    await client.query('set session_replication_role = replica')
    const insert = (table: string, row: Record<string, unknown>) => {
      const all = { site_id: SITE, version: 1, created_at: '2026-03-16', updated_at: '2026-03-16', ...row }
      const names = Object.keys(all)
      return client.query(
        `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
        Object.values(all).map(value =>
          typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value,
        ),
      )
    }
    await insert('site', { name: 'Quayside', code: 'QY', timezone: 'UTC', boundary: SQUARE })
    const there = { start_at: '2026-03-16T08:00:00Z', place_source: 'drawn', lon: 0.0005, lat: 51.0005, bounds: '(1,1),(0,0)' }
    const gang = {
      name: 'Fixers',
      trade: 'Steel',
      headcount: 4,
      radius_m: 2,
      supervisor_name: 'Sue',
      end_at: '2026-03-16T17:00:00Z',
      ...there,
    }
    await insert('worker', { id: id(1), place: { point: { lon: 0.0005, lat: 51.0005 } }, ...gang })
    await insert('worker', { id: id(2), place: { polygon: SQUARE }, ...gang, deleted_at: '2026-03-16' })
    const feature = {
      number: 1,
      shown_number: 1,
      shown_from: '2026-03-01',
      valid_from: '2026-03-01',
      name: 'Block A',
      kind: 'building',
      digest: 'x',
    }
    const drawn = { outline: SQUARE, geometry: SQUARE, bounds: '(1,1),(0,0)', area_m2: 1, centre_lon: 0, centre_lat: 51 }
    await insert('reference_feature_version', { id: id(3), feature_id: id(4), ...feature, ...drawn })
    const permit = { source: 'requested', workflow_definition_id: id(9), workflow_version: 1, building_id: id(4), categories: ['HW'] }
    const window = {
      start_at: '2026-03-16T08:00:00Z',
      end_at: '2026-03-16T18:00:00Z',
      submitted_at: '2026-03-15',
      permit_number: 'PTW-000001',
    }
    await insert('permit', { id: id(5), status: 'requested', ...permit, ...window })
    await insert('permit', { id: id(6), status: 'draft', ...permit })
    await client.query('set session_replication_role = origin')
  })
  after(() => postgis?.close())

  const missing = () => (postgis === null ? 'PostGIS isn’t installed here' : false)
  const client = () => postgis?.client ?? assert.fail()
  const rows = async (text: string, values: unknown[] = []) => (await client().query(text, values)).rows

  test('operations.md each view has a geometry in degrees and a column that identifies a row, and no draft, deleted record or name of a person', async t => {
    if (missing() !== false) return t.skip(String(missing()))
    await makeGisViews(client())
    assert.deepEqual(
      await rows(`select f_table_name, srid, type from geometry_columns where f_table_schema = $1 order by 1`, [GIS_SCHEMA]),
      [...GIS_VIEWS].sort().map(f_table_name => ({ f_table_name, srid: 4326, type: 'GEOMETRY' })),
    )
    for (const view of GIS_VIEWS) await client().query(`select id, site_code, st_astext(geom) from ${GIS_SCHEMA}.${view}`)
    const [gang] = await rows(`select name, trade, st_astext(geom) as geom from ${GIS_SCHEMA}.workers`)
    assert.deepEqual(gang, { name: 'Fixers', trade: 'Steel', geom: 'POINT(0.0005 51.0005)' })
    assert.deepEqual(
      await rows(`select permit_number, drawn, st_area(geom) > 0 as area from ${GIS_SCHEMA}.permits`),
      [{ permit_number: 'PTW-000001', drawn: false, area: true }],
      'a permit without a drawn place is where its building is',
    )
    const columns = await rows('select table_name, column_name from information_schema.columns where table_schema = $1', [GIS_SCHEMA])
    assert.deepEqual(
      columns.filter(({ column_name }) => /person|user|_name$|_by$|driver|reg$|phone|note|email/.test(column_name)),
      [],
    )
  })

  test('operations.md the views can be made again, keep their readers, are dropped before a migration and made again after it', async t => {
    if (missing() !== false) return t.skip(String(missing()))
    await makeGisViews(client())
    await client().query(
      `create role "Survey Team"; grant usage on schema ${GIS_SCHEMA} to "Survey Team"; grant select on ${GIS_SCHEMA}.workers to "Survey Team"`,
    )
    const readable = async () => {
      await client().query('set role "Survey Team"')
      try {
        return [
          (await rows(`select name from ${GIS_SCHEMA}.workers`)).length,
          await client()
            .query('select 1 from public.worker')
            .then(
              () => true,
              () => false,
            ),
        ]
      } finally {
        await client().query('reset role')
      }
    }
    await makeGisViews(client())
    assert.deepEqual(await readable(), [1, false], 'a reader of the views doesn’t read the tables')
    const last = migrations().at(-1)?.name ?? assert.fail()
    const {
      rows: [known],
    } = await client().query('delete from schema_migration where name = $1 returning *', [last])
    const said: string[] = []
    const during = await withoutGisViews(
      client(),
      line => said.push(line),
      async () => {
        await client().query('alter table public.worker alter column trade type varchar(200)')
        await client().query('insert into schema_migration (name, checksum) values ($1, $2)', [known.name, known.checksum])
        return (await rows('select 1 from pg_views where schemaname = $1', [GIS_SCHEMA])).length
      },
    )
    assert.deepEqual([during, said], [0, ['The views for GIS programs were made again.']])
    assert.deepEqual(await readable(), [1, false])
    await client().query('delete from schema_migration where name = $1', [last])
    const failing = withoutGisViews(
      client(),
      line => said.push(line),
      () => Promise.reject(new Error('no space left')),
    )
    await assert.rejects(failing, /no space left/)
    assert.deepEqual(await readable(), [1, false], 'after a migration that failed they are there, too')
    await client().query('insert into schema_migration (name, checksum) values ($1, $2)', [known.name, known.checksum])
    await withoutGisViews(
      client(),
      () => assert.fail('nothing is pending'),
      async () => {},
    )
  })

  test('operations.md --drop leaves no view and no schema; without the extension the command says how to switch it on', async t => {
    if (missing() !== false) return t.skip(String(missing()))
    await makeGisViews(client())
    assert.equal(await dropGisViews(client()), GIS_VIEWS.length)
    assert.deepEqual(await rows('select 1 from pg_namespace where nspname = $1', [GIS_SCHEMA]), [])
    await client().query('drop extension postgis')
    await assert.rejects(makeGisViews(client()), /isn’t switched on in this database.*CREATE EXTENSION postgis/)
  })
})
