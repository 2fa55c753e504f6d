import { boundsOf } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Role } from '../../../../base/actor.ts'
import { newColumns, setColumns } from '../../../../base/columns.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { andSince } from '../../../../base/plans.ts'
import type { Row } from '../../../../base/rows.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import { mentions } from '../../../../kernel/listing/door.ts'
import type { NamedDate } from '../../../../kernel/site/domain.ts'
import type { SiteSettings } from '../schema/settings.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'site.holidays': NamedDate[]
    'site.extra_work_dates': NamedDate[]
    'site.weather_limits': unknown[]
    'site.settings': SiteSettings
    'site.needs_attention': string[]
  }
}

/** A site as the database has it. */
export type SiteRow = Omit<Row<'site'>, 'id'> & { /** The same as `site_id`. */ id: Id }

/** Returns a site, locked against other changes when it is about to be written (but not against writes on the site, which lock the row's key). */
export async function siteRow(db: Db, site_id: Id, lock: boolean): Promise<SiteRow | null> {
  const { rows } =
    await sql<SiteRow>`select * from site where site_id = ${site_id} and nuked_at is null ${lock ? sql`for no key update` : sql``}`.execute(
      db,
    )
  return rows[0] ?? null
}

/** The columns for a list of sites: all but the boundary, which can be long. */
const LISTED = [
  ...[
    'site_id',
    'id',
    'version',
    'created_at',
    'updated_at',
    'name',
    'code',
    'timezone',
    'address_lines',
    'locality',
    'postal_code',
    'country_code',
  ],
  ...['location_lon', 'location_lat', 'location_derived', 'boundary_area_m2', 'boundary_updated_at', 'locale', 'currency', 'starts_on'],
  ...['planned_finish_on', 'work_weekdays', 'holidays', 'extra_work_dates', 'terrain', 'weather_limits', 'main_contractor_id'],
  ...[
    'oversight_transitive',
    'observation_threshold',
    'emergency_phone',
    'settings',
    'public_listing',
    'locked_at',
    'locked_by',
    'lock_reason',
  ],
  ...['deleted_at', 'nuked_at', 'needs_attention'],
].map(name => sql.ref(`s.${name}`))

/** A site, with the caller's membership of it. */
export type SeenSite = Omit<SiteRow, 'boundary' | 'boundary_bounds' | 'created_by' | 'updated_by'> & {
  my_membership_id: Id | null
  my_role: Role | null
  my_contractor_id: Id | null
  /** Name of the person who locked it. */
  locked_by_name: string | null
  sort_name: string
}

/** Lists the sites of a person (all of them for a superadmin), by name and id. */
export async function sitesFor(
  db: Db,
  who: { id: Id; is_superadmin: boolean },
  filter: {
    q?: string
    ids?: readonly Id[]
    status?: readonly string[]
    bbox?: readonly number[]
    updated_since?: Instant | undefined
    include_deleted: boolean
    limit: number
    after: readonly (string | number | null)[] | null
  },
): Promise<SeenSite[]> {
  const status = sql`case when s.deleted_at is not null then 'deleted' when s.locked_at is not null then 'locked' else 'open' end`
  const { rows } = await sql<SeenSite>`
    select ${sql.join(LISTED)}, m.id as my_membership_id, m.role as my_role, m.contractor_id as my_contractor_id,
      (select u.name from app_user u where u.id = s.locked_by) as locked_by_name, lower(s.name) as sort_name
    from site s ${who.is_superadmin ? sql`left` : sql``} join membership m on m.site_id = s.site_id and m.user_id = ${who.id} and m.status = 'active'
    where s.nuked_at is null
      ${filter.include_deleted && who.is_superadmin ? sql`` : sql`and s.deleted_at is null`}
      ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`s.name`, sql`s.code`, sql`s.locality`], filter.q)}`}
      ${filter.ids === undefined ? sql`` : sql`and s.site_id = any(${filter.ids}::uuid[])`} ${andSince('s.updated_at', filter.updated_since)}
      ${filter.status === undefined ? sql`` : sql`and ${status} = any(${filter.status}::text[])`}
      ${filter.bbox === undefined ? sql`` : sql`and s.location_lon between ${filter.bbox[0]} and ${filter.bbox[2]} and s.location_lat between ${filter.bbox[1]} and ${filter.bbox[3]}`}
      ${filter.after === null ? sql`` : sql`and (lower(s.name), s.site_id) > (${filter.after[0]}, ${filter.after[1]}::uuid)`}
    order by lower(s.name), s.site_id limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Returns the codes that start with this stem, for a default. */
export async function codesLike(db: Db, stem: string): Promise<Set<string>> {
  const rows = await db.selectFrom('site').select('code').where('code', 'like', `${stem}%`).execute()
  return new Set(rows.map(r => r.code))
}

/** Returns the site that has a code. */
export async function siteWithCode(db: Db, code: string): Promise<Id | null> {
  const row = await db.selectFrom('site').select('site_id').where('code', '=', code).executeTakeFirst()
  return row?.site_id ?? null
}

/** The columns of a site that a person's change can set. */
export type SiteSet = Partial<Omit<SiteRow, 'site_id' | 'id' | 'version' | 'created_at' | 'updated_at'>>

const boundsFrom = ({ boundary }: SiteSet) =>
  boundary === undefined ? {} : { boundary_bounds: boundary === null ? null : boxed(boundsOf(boundary)) }

/** Inserts a site. */
export async function insertSite(db: Db, site: SiteSet & { site_id: Id; name: string; code: string; timezone: string }): Promise<void> {
  await db
    .insertInto('site')
    .values({ ...newColumns('site', site), ...boundsFrom(site) })
    .execute()
}

/** Updates a site. */
export async function saveSite(db: Db, site_id: Id, set: SiteSet): Promise<void> {
  if (Object.keys(set).length > 0)
    await db
      .updateTable('site')
      .set({ ...setColumns('site', set), ...boundsFrom(set) })
      .where('site_id', '=', site_id)
      .execute()
}

/** Lists who was the main contractor when, newest first. */
export async function mainContractors(
  db: Db,
  site_ids: readonly Id[],
): Promise<{ site_id: Id; contractor_id: Id; from: Instant; to: Instant | null }[]> {
  return db
    .selectFrom('main_contractor_period')
    .select(['site_id', 'contractor_id', 'from_at as from', 'to_at as to'])
    .where('site_id', 'in', [...site_ids])
    .orderBy('site_id')
    .orderBy('from_at', 'desc')
    .execute()
}

/** Ends the period of the main contractor. */
export async function endMainContractor(db: Db, site_id: Id, at: Instant): Promise<void> {
  await db.updateTable('main_contractor_period').set({ to_at: at }).where('site_id', '=', site_id).where('to_at', 'is', null).execute()
}

/** Starts a period of a main contractor. */
export async function beginMainContractor(db: Db, site_id: Id, id: Id, contractor_id: Id, at: Instant): Promise<void> {
  await db.insertInto('main_contractor_period').values({ site_id, id, contractor_id, from_at: at, to_at: null }).execute()
}

/** Returns a contractor of the site, as far as this room needs it. */
export async function contractorOf(
  db: Db,
  site_id: Id,
  contractor_id: Id,
): Promise<{ id: Id; name: string; colour: string; status: string } | null> {
  const row = await db
    .selectFrom('contractor')
    .select(['id', 'name', 'colour', 'status'])
    .where('site_id', '=', site_id)
    .where('id', '=', contractor_id)
    .executeTakeFirst()
  return row ?? null
}

/** Lists the open sites that anonymous callers can see, by name and id. */
export async function listedSites(
  db: Db,
  only: Id | null,
): Promise<
  (Pick<SiteRow, 'id' | 'code' | 'name' | 'locality' | 'country_code' | 'timezone'> & {
    contractor_name: string | null
    contractor_colour: string | null
  })[]
> {
  const { rows } = await sql<
    Pick<SiteRow, 'id' | 'code' | 'name' | 'locality' | 'country_code' | 'timezone'> & {
      contractor_name: string | null
      contractor_colour: string | null
    }
  >`
    select s.id, s.code, s.name, s.locality, s.country_code, s.timezone, c.name as contractor_name, c.colour as contractor_colour
    from site s left join contractor c on c.site_id = s.site_id and c.id = s.main_contractor_id
    where s.nuked_at is null and s.deleted_at is null
      ${only === null ? sql`and s.public_listing and s.locked_at is null` : sql`and s.site_id = ${only}`}
    order by lower(s.name), s.site_id limit 1000`.execute(db)
  return rows
}
