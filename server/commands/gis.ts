// Views for programs that read maps from PostGIS, such as QGIS. Geometries are made of the JSON in the tables when a view is read. The views are in a schema
// of their own, which a backup leaves out, and a migration that changes their tables makes them again.
import pg from 'pg'
import { migrationState } from '../base/migrate.ts'
import { CommandError } from './command-error.ts'

/** The part of a connection that is needed here. */
export type Client = { query: pg.ClientBase['query'] }

/** The schema of the views. */
export const GIS_SCHEMA = 'walkdown_gis'

/** Returns the geometry of GeoJSON in a column; `g` is the schema of PostGIS. */
const shape = (g: string, json: string): string => `${g}.st_geomfromgeojson(${json})`

/** Returns a column with the type that programs recognise as a geometry in degrees. */
const geometry = (g: string, expression: string): string => `(${expression})::${g}.geometry(Geometry, 4326) as geom`

/** Returns the geometry of a place: its polygon, or else its point. */
const place = (g: string): string =>
  geometry(g, `coalesce(${shape(g, `t.place -> 'polygon'`)}, ${g}.st_setsrid(${g}.st_makepoint(t.lon, t.lat), 4326))`)

const SITE = 't.site_id, s.code as site_code'
const ON_SITE = 'join public.site s on s.site_id = t.site_id and s.deleted_at is null and s.nuked_at is null'
const CONTRACTOR = 'left join public.contractor c on c.site_id = t.site_id and c.id = t.contractor_id'
const WHERE = 't.building_id, t.level_index, t.zone_id, t.start_at, t.end_at'

/** Returns a view of the records of a table that are on the map for a time. `own`: what only they have. */
const things =
  (table: string, own: string, geom: (g: string) => string = place) =>
  (g: string) =>
    `
  select t.id, ${SITE}, ${own}, c.name as contractor, ${WHERE}, ${geom(g)} from public.${table} t ${ON_SITE} ${CONTRACTOR} where t.deleted_at is null`

/** The views by their names. None has names of people, registrations of vehicles or notes, and none has drafts of permits. */
const VIEWS: Readonly<Record<string, (g: string) => string>> = {
  sites: g => `
  select s.id, s.code as site_code, s.name, s.timezone, ${geometry(g, shape(g, 's.boundary'))}
  from public.site s where s.deleted_at is null and s.nuked_at is null`,
  reference_features: g => `
  select t.id, ${SITE}, t.feature_id, t.kind, t.code, t.name, t.zone_type, t.building_id, t.level_from, t.level_to, t.area_m2,
    t.valid_from as start_at, t.valid_to as end_at, ${geometry(g, shape(g, 't.geometry'))}
  from public.reference_feature_version t ${ON_SITE}`,
  workers: things('worker', 't.name, t.trade, t.headcount, t.radius_m'),
  plant: things('plant', 't.name, t.category, t.exclusion_radius_m, t.examination_due_on'),
  deliveries: things('delivery', 't.name, t.number, t.status, t.direction'),
  active_areas: things('active_area', 't.name, t.area_kind, t.exclusive, t.area_m2', g => geometry(g, shape(g, 't.geometry'))),
  points_of_interest: things('poi', 't.name, t.poi_kind'),
  text_labels: things('text_label', 't.text, t.rotation_deg'),
  permits: g => `
  select t.id, ${SITE}, t.permit_number, t.title, t.categories as permit_types, t.status, c.name as contractor, ${WHERE},
    t.place_geometry is not null as drawn, ${geometry(g, shape(g, 'coalesce(t.place_geometry, f.geometry)'))}
  from public.permit t ${ON_SITE} ${CONTRACTOR}
  left join public.reference_feature_version f on f.site_id = t.site_id and f.feature_id = coalesce(t.zone_id, t.building_id)
    and f.valid_from <= now() and (f.valid_to is null or f.valid_to > now())
  where t.status <> 'draft'`,
}

/** The names of the views. */
export const GIS_VIEWS: readonly string[] = Object.keys(VIEWS)

const named = (view: string) => `${GIS_SCHEMA}.${pg.escapeIdentifier(view)}`

/** Returns the schema of PostGIS in a database, quoted. Says what is missing if there is none. */
async function postGisIn(client: Client): Promise<string> {
  const { rows } = await client.query<{ schema: string | null; available: boolean; major: number }>(`
    select (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis') as schema,
      exists (select 1 from pg_available_extensions where name = 'postgis') as available,
      current_setting('server_version_num')::integer / 10000 as major`)
  const [found] = rows
  if (found?.schema != null) return pg.escapeIdentifier(found.schema)
  throw new CommandError(
    found?.available === true
      ? 'PostGIS isn’t switched on in this database. As an administrator of the database server, run this in it: CREATE SCHEMA postgis; CREATE EXTENSION postgis SCHEMA postgis; Then run this command again.'
      : `This database server doesn’t have PostGIS, and the embedded database can’t have it. Use your own server (DATABASE_URL), install PostGIS on it (on Debian: apt-get install postgresql-${found?.major ?? 'VERSION'}-postgis-3), and run this in its database: CREATE SCHEMA postgis; CREATE EXTENSION postgis SCHEMA postgis;`,
    1,
  )
}

async function atOnce<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const done = await work()
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** The roles that can read each view, besides its owner. */
type Readers = { view: string; role: string }[]

async function readersOf(client: Client): Promise<Readers> {
  const { rows } = await client.query<{ view: string; role: string }>(
    `select c.relname as view, case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as role
    from pg_class c cross join aclexplode(c.relacl) a
    where c.relnamespace = to_regnamespace($1) and c.relkind = 'v' and a.privilege_type = 'SELECT' and a.grantee <> c.relowner`,
    [GIS_SCHEMA],
  )
  return rows
}

/** Drops the views, with those of an earlier version. The schema stays, with what was granted on it. Returns how many there were. */
async function dropViews(client: Client): Promise<number> {
  const { rows } = await client.query<{ view: string }>(
    `select relname as view from pg_class where relnamespace = to_regnamespace($1) and relkind = 'v' order by relname`,
    [GIS_SCHEMA],
  )
  for (const { view } of rows) await client.query(`drop view ${named(view)}`)
  return rows.length
}

async function makeViews(client: Client, readers: Readers): Promise<void> {
  const g = await postGisIn(client)
  await client.query(`create schema if not exists ${GIS_SCHEMA}`)
  for (const [view, select] of Object.entries(VIEWS)) await client.query(`create view ${named(view)} as ${select(g)}`)
  for (const { view, role } of readers) if (view in VIEWS) await client.query(`grant select on ${named(view)} to ${role}`)
}

/** Makes the views, or makes them again as this version has them. The roles that could read them still can. */
export const makeGisViews = (client: Client): Promise<void> =>
  atOnce(client, async () => {
    const readers = await readersOf(client)
    await dropViews(client)
    await makeViews(client, readers)
  })

/** Drops the views and their schema. Returns how many views there were. */
export const dropGisViews = (client: Client): Promise<number> =>
  atOnce(client, async () => {
    const dropped = await dropViews(client)
    await client.query(`drop schema if exists ${GIS_SCHEMA}`)
    return dropped
  })

/** Migrates a database that can have these views: a column that a view reads can’t be changed, so they are dropped before, and made again afterwards. */
export async function withoutGisViews<T>(client: Client, say: (line: string) => void, migrating: () => Promise<T>): Promise<T> {
  const { waiting } = await migrationState(client)
  const readers = waiting.length === 0 ? [] : await readersOf(client)
  const dropped = waiting.length === 0 ? 0 : await dropViews(client)
  try {
    return await migrating()
  } finally {
    // A migration that fails leaves the tables as they were.
    if (dropped > 0) await makeAgain(client, readers, say)
  }
}

/** Makes the views after they were dropped, and says how that went: the service itself doesn’t need them. */
async function makeAgain(client: Client, readers: Readers, say: (line: string) => void): Promise<void> {
  try {
    await atOnce(client, () => makeViews(client, readers))
    say('The views for GIS programs were made again.')
  } catch (error) {
    say(`The views for GIS programs weren’t made again: ${error instanceof Error ? error.message : error} Run walkdown gis-views.`)
  }
}
