// The two sites of P14, which differ in what is over, and the barest statements that read and write the same rows.
import { loneClient } from '../server/base/db.ts'
import { pointAt } from '../tests/geo.ts'
import type { Caller, World } from '../tests/world.ts'
import { insertGangs, nowOrOver, PLACED } from './fill.ts'
import type { Bench } from './kit.ts'
import type { Sent } from './record.ts'

/** What both sites have now, and the gangs that both have in ten days (`ahead`). The goals of `map.md` speak of five million gangs and a million photos in all; these have `over` of each. */
export const SITES = { alive: 2000, ahead: 20_000, areas: 500, frame: 5000, pois: 5000, photos_a_day: 100, day: '2026-03-16' } as const

/** What is over, on the smaller and the larger site; `versions` of each building and zone. */
const OVER = [
  { gangs: 100_000, areas: 20_000, versions: 1, days: 300 },
  { gangs: 1_000_000, areas: 200_000, versions: 10, days: 3000 },
] as const

/** A site of the benchmark. */
export type Site = { site_id: string; reader: Caller; writer: Caller }

const [LON, LAT] = pointAt(0, 0)
const [EAST, NORTH] = pointAt(1, 1).map((degrees, axis) => degrees - (axis === 0 ? LON : LAT))
/** SQL of a place for each `n`: 10 m from the next one, in rows of a hundred. */
const AT = `${LON} + ${EAST} * 10 * (n % 100) as lon, ${LAT} + ${NORTH} * 10 * (n / 100 % 100) as lat`
const SPOT = `cross join lateral (select ${AT}) s`
const STAMPS = 'version, created_at, updated_at'
const STAMPED = '1, now(), now()'
const SQUARE = `jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array(jsonb_build_array(
  jsonb_build_array(s.lon, s.lat), jsonb_build_array(s.lon + 8 * ${EAST}, s.lat), jsonb_build_array(s.lon + 8 * ${EAST}, s.lat + 8 * ${NORTH}),
  jsonb_build_array(s.lon, s.lat + 8 * ${NORTH}), jsonb_build_array(s.lon, s.lat))))`
const AROUND = `box(point(s.lon, s.lat), point(s.lon + 8 * ${EAST}, s.lat + 8 * ${NORTH}))`

/** The statements that fill a site, without the history that each write has. */
function filling({ gangs, areas, versions, days }: (typeof OVER)[number]): string[] {
  return [
    insertGangs({ count: SITES.alive + gangs, spot: AT, times: nowOrOver(SITES.alive) }),
    insertGangs({ count: SITES.ahead, spot: AT, times: `now() + interval '10 days', now() + interval '11 days'` }),
    `insert into active_area (site_id, id, ${STAMPS}, name, area_kind, exclusive, geometry, area_m2, version_number, start_at, end_at, place, place_source, lon, lat, bounds)
     select $1::uuid, gen_random_uuid(), ${STAMPED}, 'Area ' || n, 'work', false, ${SQUARE}, 64, 1, ${nowOrOver(SITES.areas)},
       jsonb_build_object('polygon', ${SQUARE}), 'none', s.lon, s.lat, ${AROUND}
     from generate_series(1, ${SITES.areas + areas}) n ${SPOT}`,
    `with feature as (
       insert into reference_feature (site_id, id, ${STAMPS}, kind, name, last_number)
       select $1::uuid, gen_random_uuid(), ${STAMPED}, case when n % 10 = 0 then 'building' else 'zone' end, 'Feature ' || n, ${versions}
       from generate_series(0, ${SITES.frame - 1}) n returning id, kind, name)
     insert into reference_feature_version (site_id, id, ${STAMPS}, feature_id, number, kind, valid_from, valid_to, shown_from, shown_to, shown_number, code, code_key, name,
       outline, geometry, bounds, area_m2, centre_lon, centre_lat, digest)
     select $1::uuid, gen_random_uuid(), ${STAMPED}, f.id, v, f.kind, at.starts, at.ends, at.starts, at.ends, v, 'F' || n, 'f' || n, f.name, ${SQUARE}, ${SQUARE}, ${AROUND}, 64,
       s.lon + 4 * ${EAST}, s.lat + 4 * ${NORTH}, 'digest'
     from feature f cross join lateral (select split_part(f.name, ' ', 2)::integer as n) i ${SPOT} cross join generate_series(1, ${versions}) v
     cross join lateral (select now() - (${versions} - v + 1) * interval '30 days' as starts,
       case when v < ${versions} then now() - (${versions} - v) * interval '30 days' end as ends) at`,
    `insert into poi (site_id, id, ${STAMPS}, name, poi_kind, start_at, place, place_source, lon, lat, bounds)
     select $1::uuid, gen_random_uuid(), ${STAMPED}, 'Point ' || n, case when n % 10 = 3 then 'first_aid' else 'gate' end, now() - interval '1 day', ${PLACED}
     from generate_series(1, ${SITES.pois}) n ${SPOT}`,
    `with photo as (
       insert into token_photo (site_id, id, ${STAMPS}, token_kind, token_id, work_date, photo_kind, in_diary, sha256, taken_at)
       select $1::uuid, gen_random_uuid(), ${STAMPED}, 'worker', gen_random_uuid(), date '${SITES.day}' - n / ${SITES.photos_a_day}, 'progress', true, md5(n::text), now()
       from generate_series(0, ${days * SITES.photos_a_day - 1}) n returning id, sha256)
     insert into evidence (site_id, id, ${STAMPS}, owner_kind, owner_id, role, filename, sha256, media_type, size, width, height)
     select $1::uuid, gen_random_uuid(), ${STAMPED}, 'token_photo', id, 'during', 'photo.jpg', sha256, 'image/jpeg', 1000000, 4000, 3000 from photo`,
  ]
}

/** Makes both sites; the larger one has ten times as much that is over. */
export async function sites(bench: Bench): Promise<readonly [Site, Site]> {
  const made: Site[] = []
  // Filling takes longer than a connection of the service waits.
  const client = await loneClient({ ...bench.connection, database: bench.database })
  await client.query('set session_replication_role = replica')
  for (const over of OVER) {
    const w: World = await bench.house.world()
    for (const statement of filling(over)) await client.query(statement, [w.site_id])
    for (const table of ['worker', 'active_area', 'reference_feature', 'reference_feature_version', 'poi', 'token_photo', 'evidence'])
      await client.query(`vacuum (analyze) ${table}`)
    made.push({ site_id: w.site_id, reader: w.as('viewer'), writer: w.as('coordinator') })
  }
  await client.end()
  const [small, large] = made
  if (small === undefined || large === undefined) throw new Error('A site is missing.')
  return [small, large]
}

const there = (table: string, { site_id }: Site, at = new Date()): Sent => ({
  text: `select * from ${table} where site_id = $1 and tstzrange(start_at, end_at) @> $2::timestamptz and deleted_at is null`,
  values: [site_id, at.toISOString()],
})
/** An instant at which the gangs are there that are planned ahead. */
export const AHEAD = new Date(Date.now() + 10.5 * 86_400_000)
/** The gangs that are there now. */
export const bareWorkers = (site: Site): Sent => there('worker', site)
/** The gangs that are there in ten days. */
export const bareAhead = (site: Site): Sent => there('worker', site, AHEAD)
/** The active areas that are there now. */
export const bareAreas = (site: Site): Sent => there('active_area', site)
/** The versions of buildings and zones that are active now. */
export const bareFrame = ({ site_id }: Site): Sent => ({
  text: 'select * from reference_feature_version where site_id = $1 and tstzrange(valid_from, valid_to) @> now()',
  values: [site_id],
})
/** The photos of the day. */
export const barePhotos = ({ site_id }: Site): Sent => ({
  text: 'select * from token_photo where site_id = $1 and work_date = $2 order by taken_at, id',
  values: [site_id, SITES.day],
})
/** The nearest point of interest of a kind, by the plane of degrees. */
export const barePois = ({ site_id }: Site): Sent => ({
  text: `select * from poi where site_id = $1 and poi_kind = 'first_aid' and deleted_at is null order by point(lon, lat) <-> point(${pointAt(3, 3)}) limit 1`,
  values: [site_id],
})
/** As many gangs as a schedule of a year has, as rows alone. */
export const bareSchedule = (site_id: string): Sent => ({
  text: insertGangs({
    count: 366,
    spot: AT,
    times: `now() + n * interval '1 day', now() + n * interval '1 day' + interval '10 hours'`,
    about: { name: `'Bare'`, trade: `'Fixer'`, headcount: '5' },
  }),
  values: [site_id],
})
