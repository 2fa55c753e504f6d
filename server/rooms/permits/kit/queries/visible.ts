import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import type { Viewer } from '../domain/visibility.ts'

const requestedBy = (viewer: Viewer) => sql<boolean>`p.requestor_id = ${viewer.id}`
const receivedBy = (viewer: Viewer) => sql<boolean>`p.receiver_id = ${viewer.id}`
/** Imported and submitted ones; a draft is its requestor’s alone. */
const shared = sql<boolean>`(p.source = 'imported' or p.submitted_at is not null)`

/** Returns the condition for who sees a permit, in SQL: the same rule as `seesPermit` (a property test compares them). */
export function visibleTo(viewer: Viewer) {
  if (viewer.is_superadmin) return sql<boolean>`true`
  const own = requestedBy(viewer)
  if (viewer.in_band) return sql<boolean>`(${own} or ${shared})`
  const contractors = [...viewer.scope].filter(id => id !== null)
  const codes = viewer.appointed_codes === null ? null : [...viewer.appointed_codes]
  const ways = [
    receivedBy(viewer),
    ...(contractors.length > 0 ? [among('p.contractor_id', contractors, 'uuid')] : []),
    ...(viewer.scope.has(null) ? [sql`p.contractor_id is null`] : []),
    ...(viewer.sees_issued ? [sql`p.issued_at is not null`] : []),
    ...(viewer.is_nominee ? [sql`p.endorsed_at is not null`, sql`p.approved_at is not null`] : []),
    ...(codes === null
      ? [sql`p.approved_at is not null`]
      : codes.length > 0
        ? [sql`(p.approved_at is not null and p.categories && ${codes}::text[])`]
        : []),
  ]
  return sql<boolean>`(${own} or (${shared} and (${sql.join(ways, sql` or `)})))`
}

/** A way to see permits: the condition for the index that finds them, and all of its condition. */
type Way = { found: ReturnType<typeof sql>; sees: ReturnType<typeof sql> }

/**
 * Returns the ways in which a viewer without a wider role sees permits: as their requestor, as their receiver, or for their contractor. Each permit is seen in one
 * way only. Null for everybody else.
 */
export function waysToSee(viewer: Viewer): Way[] | null {
  const { is_superadmin, in_band, sees_issued, is_nominee, appointed_codes, scope } = viewer
  if (is_superadmin || in_band || sees_issued || is_nominee || appointed_codes === null || appointed_codes.size > 0 || scope.has(null))
    return null
  const contractors = [...scope].filter(id => id !== null)
  const [requested, received] = [requestedBy(viewer), receivedBy(viewer)]
  const ours = among('p.contractor_id', contractors, 'uuid')
  return [
    { found: requested, sees: requested },
    { found: received, sees: sql`${received} and ${shared} and (${requested}) is not true` },
    { found: ours, sees: sql`${ours} and ${shared} and (${requested}) is not true and (${received}) is not true` },
  ]
}

/** Returns which of these permits the viewer sees; deleted ones are left out. */
export async function seenAmong(db: Db, site_id: Id, viewer: Viewer, ids: readonly Id[]): Promise<Map<Id, boolean>> {
  const { rows } = await sql<{ id: Id; seen: boolean }>`
    select p.id, coalesce(${visibleTo(viewer)}, false) as seen from permit p where p.site_id = ${site_id} and ${among('p.id', ids, 'uuid')}`.execute(
    db,
  )
  return new Map(rows.map(row => [row.id, row.seen]))
}
