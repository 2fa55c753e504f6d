import type { Areal } from '../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { among } from '../../../base/plans.ts'
import type { StoredPlace } from '../../../kernel/placed/door.ts'
import type { Status } from '../kit/domain/facts.ts'
import type { Viewer } from '../kit/domain/visibility.ts'
import type { PermitRow } from '../kit/queries/permits.ts'
import { visibleTo } from '../kit/queries/visible.ts'

/** An area stop with what its alert says. */
export type StopRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  created_by_name: string | null
  reason: string
  alert_id: Id
  active: boolean
  place: StoredPlace | null
  radius_m: number | null
  levels: number[]
  area: Areal | null
  building_id: Id | null
  lifted_at: Instant | null
  lifted_by: Id | null
  lifted_by_name: string | null
  lift_note: string | null
}

/** A permit of a stop. */
export type StoppedRow = {
  stop_id: Id
  id: Id
  permit_number: string | null
  title: string | null
  location: string | null
  categories: string[]
  status: Status
  handed_back_at: Instant | null
  cause: 'stop' | 'went_live'
  stopped_at: Instant
  revalidated_at: Instant | null
  revalidated_by_name: string | null
  signature_id: Id | null
}

/** Whether a stop is active: its alert is, and still stops work. */
const ACTIVE = sql<boolean>`(a.deleted_at is null and a.state in ('active', 'overdue') and a.effect = 'stops')`
// A scalar query, because PostgreSQL would read every stop of every site for a hashed `exists`.
const WAITING = sql<boolean>`coalesce((
  select true from area_stop_permit e join permit p on p.site_id = e.site_id and p.id = e.permit_id and p.status = 'issued' and p.handed_back_at is null
  where e.site_id = s.site_id and e.stop_id = s.id and e.revalidated_at is null limit 1), false)`

/** Which stops are read. */
export type StopsAsked = {
  ids?: readonly Id[] | undefined
  state?: readonly ('active' | 'lifted')[] | undefined
  limit: number
  after: readonly unknown[] | null
}

/** Lists area stops, the newest first: one more than the limit, if there are more. */
export async function stopsOn(db: Db, site_id: Id, { ids: wanted, state, limit, after }: StopsAsked): Promise<StopRow[]> {
  const states =
    state === undefined
      ? wanted === undefined
        ? sql`(${ACTIVE} or ${WAITING})`
        : sql`true`
      : sql`${ACTIVE} = any(${state.map(one => one === 'active')}::boolean[])`
  const { rows } = await sql<StopRow>`
    select s.site_id, s.id, s.version, s.created_at, s.created_by, made.name as created_by_name, s.reason, s.alert_id, ${ACTIVE} as active, a.place, a.radius_m, a.levels,
      a.area, a.building_id, case when not ${ACTIVE} then coalesce(a.resolved_at, a.updated_at) end as lifted_at, case when not ${ACTIVE} then coalesce(a.resolved_by, a.updated_by) end as lifted_by,
      case when not ${ACTIVE} then ended.name end as lifted_by_name, case when not ${ACTIVE} then a.resolve_note end as lift_note
    from area_stop s join alert a on a.site_id = s.site_id and a.id = s.alert_id
    left join app_user made on made.id = s.created_by left join app_user ended on ended.id = coalesce(a.resolved_by, a.updated_by)
    where s.site_id = ${site_id} and ${states}
      ${wanted === undefined ? sql`` : sql`and ${among('s.id', wanted, 'uuid')}`}
      ${after === null ? sql`` : sql`and (s.created_at, s.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by s.created_at desc, s.id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Lists the permits of stops that the viewer sees: those that still have to be revalidated first, then by number. */
export async function stoppedIn(db: Db, site_id: Id, viewer: Viewer, stop_ids: readonly Id[]): Promise<StoppedRow[]> {
  if (stop_ids.length === 0) return []
  const { rows } = await sql<StoppedRow>`
    select e.stop_id, p.id, p.permit_number, p.title, p.location, p.categories, p.status, p.handed_back_at, e.cause, e.created_at as stopped_at, e.revalidated_at,
      g.signer_name as revalidated_by_name, e.signature_id
    from area_stop_permit e join permit p on p.site_id = e.site_id and p.id = e.permit_id
    left join permit_signature g on g.site_id = e.site_id and g.id = e.signature_id
    where e.site_id = ${site_id} and ${among('e.stop_id', stop_ids, 'uuid')} and ${visibleTo(viewer)}
    order by not (e.revalidated_at is null and p.status = 'issued' and p.handed_back_at is null), p.permit_number, p.id`.execute(db)
  return rows
}

/** Returns the permits of a site under which work goes on, by number. */
export async function underWay(db: Db, site_id: Id): Promise<PermitRow[]> {
  const { rows } = await sql<PermitRow>`
    select p.* from permit p where p.site_id = ${site_id} and p.status = 'issued' and p.handed_back_at is null order by p.permit_number, p.id`.execute(
    db,
  )
  return rows
}

/** Returns permits by id. */
export async function permitsWith(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<PermitRow[]> {
  const { rows } =
    await sql<PermitRow>`select p.* from permit p where p.site_id = ${site_id} and ${among('p.id', permit_ids, 'uuid')} order by p.id`.execute(
      db,
    )
  return rows
}

/** Returns the reasons of stops. */
export async function reasonsOf(db: Db, site_id: Id, stop_ids: readonly Id[]): Promise<Map<Id, string>> {
  const { rows } = await sql<{ id: Id; reason: string }>`
    select id, reason from area_stop where site_id = ${site_id} and ${among('id', stop_ids, 'uuid')}`.execute(db)
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}

/** Adds a stop. */
export async function insertStop(db: Db, row: { site_id: Id; id: Id; alert_id: Id; reason: string }): Promise<void> {
  await db.insertInto('area_stop').values(row).execute()
}

/** Adds permits to a stop, and returns those that it hadn’t stopped before. */
export async function insertStopped(
  db: Db,
  site_id: Id,
  stop_id: Id,
  permit_ids: readonly Id[],
  cause: StoppedRow['cause'],
): Promise<Set<Id>> {
  if (permit_ids.length === 0) return new Set()
  const rows = await db
    .insertInto('area_stop_permit')
    .values(permit_ids.map(permit_id => ({ site_id, id: ids.next(), stop_id, permit_id, cause })))
    .onConflict(conflict => conflict.columns(['site_id', 'stop_id', 'permit_id']).doNothing())
    .returning('permit_id')
    .execute()
  return new Set(rows.map(row => row.permit_id))
}

/** Records that a permit was revalidated for every stop that stopped it. */
export async function saveRevalidation(db: Db, site_id: Id, permit_id: Id, at: Instant, signature_id: Id): Promise<void> {
  await db
    .updateTable('area_stop_permit')
    .set({ revalidated_at: at, signature_id })
    .where('site_id', '=', site_id)
    .where('permit_id', '=', permit_id)
    .where('revalidated_at', 'is', null)
    .execute()
}
