import type { Instant } from '../../../shared/time.ts'
import type { Role, Standing } from '../../base/actor.ts'
import type { Db } from '../../base/db.ts'
import { passThrough, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { Oversight } from './domain.ts'

/** A user with their membership of a site, read in one statement. Permissions are read again on each request. */
export type PersonRow = {
  id: Id
  name: string
  email: string | null
  email_verified: boolean
  locale: string | null
  is_superadmin: boolean
  disabled_at: string | null
  claims_at: string | null
  seen_at: string | null
  /** Whether the session that a token belongs to has ended: signed out, replaced, or revoked. */
  session_ended: boolean
  standing: Standing | null
}

type Found = Omit<PersonRow, 'standing'> & {
  membership_id: Id | null
  role: Role | null
  contractor_id: Id | null
  timezone: string | null
  locked_at: Instant | null
  locked_by_name: string | null
  lock_reason: string | null
  event_no: number
  facts_no: number
  entries: number
  map_revision: number
  deleted: boolean
  nuked: boolean
}

/** Returns the statement that finds a person. `$1` is the site, `who` the condition for the person, and `ended` says whether the session has ended. */
const finding = (who: string, ended: string) => `
    select u.id, u.name, u.email, u.email_verified, u.locale, u.is_superadmin, u.disabled_at, u.claims_at, seen.seen_at,
           ${ended} as session_ended,
           m.id as membership_id, m.role, m.contractor_id, s.timezone, s.locked_at, s.lock_reason, (select l.name from app_user l where l.id = s.locked_by) as locked_by_name, coalesce(h.event_no, 0) as event_no, coalesce(h.facts_no, 0) as facts_no, coalesce(h.seq, 0) as entries, coalesce(h.revision, 0) as map_revision, s.deleted_at is not null as deleted, s.nuked_at is not null as nuked
    from app_user u
    left join app_user_seen seen on seen.user_id = u.id
    left join site s on s.site_id = $1
    left join site_head h on h.site_id = $1
    left join membership m on m.site_id = $1 and m.user_id = u.id and m.status = 'active'
    where ${who}`

// Each request sends one of these, so it isn't put together from its parts each time.
const BY_ID = finding('u.id = $2', 'false')
const BY_SUBJECT = finding('u.issuer = $2 and u.subject = $3', 'false')
const BY_SESSION = finding(
  'u.issuer = $2 and u.subject = $3',
  "not exists (select 1 from oidc_item g where g.kind = 'Grant' and g.grant_hash = $4)",
)

/**
 * Returns the user with this issuer and subject (or this id), with their membership of a site; null if there is no such user. `family` is the session of the
 * built-in provider that a token belongs to.
 */
export async function personAt(
  db: Db,
  who: { issuer: string; subject: string; family?: string | null } | { id: Id },
  site_id: Id | null,
): Promise<PersonRow | null> {
  const { rows } = await ('id' in who
    ? passThrough<Found>(db, BY_ID, [site_id, who.id])
    : who.family == null
      ? passThrough<Found>(db, BY_SUBJECT, [site_id, who.issuer, who.subject])
      : passThrough<Found>(db, BY_SESSION, [site_id, who.issuer, who.subject, who.family]))
  const row = rows[0]
  if (row === undefined) return null
  const {
    membership_id,
    role,
    contractor_id,
    timezone,
    event_no,
    facts_no,
    entries,
    map_revision,
    deleted,
    nuked,
    locked_at,
    locked_by_name,
    lock_reason,
    ...person
  } = row
  const lock = locked_at === null ? null : { locked_at, locked_by_name, lock_reason }
  const there = timezone !== null && !nuked && (!deleted || person.is_superadmin)
  const stands = there && site_id !== null && (membership_id !== null || person.is_superadmin)
  return {
    ...person,
    standing: stands ? { site_id, membership_id, role, contractor_id, timezone, lock, event_no, facts_no, entries, map_revision } : null,
  }
}

/** Between which contractors of a site there is direct oversight, whether chains count there, and which contractor is in charge of it. */
type Between = { pairs: Oversight[]; transitive: boolean; main_contractor_id: Id | null }

/** Returns the direct oversight pairs of a site, whether chains count there, and its main contractor. */
export async function oversightOf(db: Db, site_id: Id): Promise<Between> {
  const { rows } = await sql<Between>`
    select s.main_contractor_id, s.oversight_transitive as transitive, coalesce((
      select jsonb_agg(jsonb_build_object('overseer_id', o.overseer_id, 'subordinate_id', o.subordinate_id) order by o.overseer_id, o.subordinate_id)
      from contractor_oversight o where o.site_id = s.site_id), '[]') as pairs
    from site s where s.site_id = ${site_id}`.execute(db)
  return rows[0] ?? { pairs: [], transitive: false, main_contractor_id: null }
}
