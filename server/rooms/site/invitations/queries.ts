import type { Instant } from '../../../../shared/time.ts'
import type { Role } from '../../../base/actor.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { andSince } from '../../../base/plans.ts'
import { mentions } from '../../../kernel/listing/door.ts'
import type { Forced, Kind, Past, Status } from './domain.ts'

/** An invitation as the database has it. */
export type InviteRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  updated_at: Instant
  kind: Kind
  role: Role
  contractor_id: Id | null
  contractor_choice: boolean
  email: string | null
  email_key: string | null
  name: string | null
  message: string | null
  label: string | null
  expires_at: Instant
  max_uses: number
  uses: number
  approval: 'none' | 'required'
  approval_forced_by: Forced | null
  sends: number
  last_sent_at: Instant | null
  resent_at: Instant[]
  bounced_at: Instant | null
  revoked_at: Instant | null
}

/** An invitation as lists show it. */
export type SeenInvite = InviteRow & {
  inviter_name: string | null
  accepted_by: { user_id: Id; membership_id: Id; at: Instant }[]
}

type Columns = Omit<InviteRow, 'version' | 'created_at' | 'created_by' | 'updated_at'>

/** Adds an invitation. */
export async function insertInvite(db: Db, row: Columns): Promise<void> {
  await db.insertInto('invite').values(row).execute()
}

/** Changes an invitation. */
export async function saveInvite(db: Db, site_id: Id, id: Id, set: Partial<Columns>): Promise<void> {
  await db.updateTable('invite').set(set).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns an invitation. With the lock, another request that counts a use of it has to wait. */
export async function inviteRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<InviteRow | null> {
  let query = db.selectFrom('invite').selectAll().where('site_id', '=', site_id).where('id', '=', id)
  if (lock) query = query.forUpdate()
  return (await query.executeTakeFirst()) ?? null
}

/** Returns every invitation to an address, on all sites. */
export const invitesTo = (db: Db, email_key: string): Promise<{ site_id: Id; id: Id }[]> =>
  db.selectFrom('invite').select(['site_id', 'id']).where('email_key', '=', email_key).orderBy('id').execute()

const statusAt = (now: Instant) => sql<Status>`case
  when i.revoked_at is not null then 'revoked'
  when i.uses >= i.max_uses then case i.kind when 'email' then 'accepted' else 'used_up' end
  when i.bounced_at is not null then 'bounced'
  when i.expires_at <= ${now} then 'expired' else 'open' end`

/** Lists a site's invitations, newest first. */
export async function invitesOn(
  db: Db,
  site_id: Id,
  filter: {
    now: Instant
    kinds?: readonly string[]
    status?: readonly string[]
    contractor_ids?: readonly Id[]
    ids?: readonly Id[]
    q?: string
    updated_since?: Instant | undefined
    limit: number
    after: readonly (string | number | null)[] | null
  },
): Promise<SeenInvite[]> {
  const { rows } = await sql<SeenInvite>`
    select i.*, u.name as inviter_name, coalesce((
      select jsonb_agg(jsonb_build_object('user_id', n.user_id, 'membership_id', n.membership_id,
          'at', to_char(n.accepted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by n.accepted_at, n.id)
      from invite_use n where n.site_id = i.site_id and n.invite_id = i.id and n.membership_id is not null), '[]') as accepted_by
    from invite i left join app_user u on u.id = i.created_by
    where i.site_id = ${site_id}
      ${filter.kinds === undefined ? sql`` : sql`and i.kind = any(${filter.kinds}::text[])`}
      ${filter.status === undefined ? sql`` : sql`and ${statusAt(filter.now)} = any(${filter.status}::text[])`}
      ${filter.contractor_ids === undefined ? sql`` : sql`and i.contractor_id = any(${filter.contractor_ids}::uuid[])`}
      ${filter.ids === undefined ? sql`` : sql`and i.id = any(${filter.ids}::uuid[])`} ${andSince('i.updated_at', filter.updated_since)}
      ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`i.email`, sql`i.name`, sql`i.label`], filter.q)}`}
      ${filter.after === null ? sql`` : sql`and (i.created_at, i.id) < (${filter.after[0]}::timestamptz, ${filter.after[1]}::uuid)`}
    order by i.created_at desc, i.id desc limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Returns the open invitation to an address; null when there is none. */
export async function openInviteTo(db: Db, site_id: Id, email_key: string, now: Instant): Promise<Id | null> {
  const { rows } = await sql<{ id: Id }>`
    select i.id from invite i where i.site_id = ${site_id} and i.email_key = ${email_key} and ${statusAt(now)} = 'open' order by i.created_at desc limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

/** Returns an active member who has this address. */
export async function memberWithAddress(db: Db, site_id: Id, email_key: string): Promise<Id | null> {
  const { rows } = await sql<{ id: Id }>`
    select m.id from membership m join app_user u on u.id = m.user_id
    where m.site_id = ${site_id} and m.status = 'active' and lower(u.email) = ${email_key} limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Returns a contractor of the site, as far as invitations need it. */
export async function contractorOn(db: Db, site_id: Id, id: Id): Promise<{ id: Id; name: string; status: 'active' | 'left' } | null> {
  const row = await db
    .selectFrom('contractor')
    .select(['id', 'name', 'status'])
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Replaces the tokens of an invitation with this one. The old ones are unknown from now on. */
export async function replaceToken(db: Db, invite: { site_id: Id; id: Id }, token_hash: string | null): Promise<void> {
  const { site_id, id } = invite
  await db.deleteFrom('invite_token').where('site_id', '=', site_id).where('invite_id', '=', id).execute()
  if (token_hash !== null) await db.insertInto('invite_token').values({ token_hash, site_id, invite_id: id }).execute()
}

/** Returns what a token belongs to. It is found by its hash, so that the time of a comparison doesn't reveal how much of a guess was right. */
export async function placeOfToken(db: Db, token_hash: string): Promise<{ site_id: Id; invite_id: Id } | null> {
  const row = await db.selectFrom('invite_token').select(['site_id', 'invite_id']).where('token_hash', '=', token_hash).executeTakeFirst()
  return row ?? null
}

/** A person's use of an invitation. Without a membership it is a reserved place. */
export type UseRow = { id: Id; membership_id: Id | null }

/** Returns a person's use of an invitation. */
export async function usedBy(db: Db, site_id: Id, invite_id: Id, user_id: Id): Promise<UseRow | null> {
  const row = await db
    .selectFrom('invite_use')
    .select(['id', 'membership_id'])
    .where('site_id', '=', site_id)
    .where('invite_id', '=', invite_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row ?? null
}

/** Records a use. */
export async function insertUse(
  db: Db,
  row: { site_id: Id; id: Id; invite_id: Id; user_id: Id; membership_id: Id | null; accepted_at: Instant | null },
): Promise<void> {
  await db.insertInto('invite_use').values(row).execute()
}

/** Records which membership a use led to. */
export async function saveUse(db: Db, site_id: Id, id: Id, set: { membership_id: Id; accepted_at: Instant }): Promise<void> {
  await db.updateTable('invite_use').set(set).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the caller's known address, and whether it is verified. */
export async function addressOf(db: Db, user_id: Id): Promise<{ name: string; email: string | null; email_verified: boolean } | null> {
  const row = await db.selectFrom('app_user').select(['name', 'email', 'email_verified']).where('id', '=', user_id).executeTakeFirst()
  return row ?? null
}

/** Returns how a person's last membership of a site ended; null if they weren't on it. A request that they withdrew, or that lapsed, says nothing about them. */
export async function pastOf(db: Db, site_id: Id, user_id: Id): Promise<Past | null> {
  const row = await db
    .selectFrom('membership')
    .select(['role', 'contractor_id', 'ended_at', 'ended_by'])
    .where('site_id', '=', site_id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'ended')
    .where(eb => eb.or([eb('why_pending', 'is', null), eb('ended_by', '<>', user_id)]))
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined || row.ended_at === null) return null
  const { role, contractor_id, ended_at, ended_by } = row
  return { role, contractor_id, ended_at, sent_away: ended_by !== null && ended_by !== user_id }
}

/** Returns the name of the person who invited; null if unknown. */
export async function inviterName(db: Db, user_id: Id | null): Promise<string | null> {
  if (user_id === null) return null
  return (await db.selectFrom('app_user').select('name').where('id', '=', user_id).executeTakeFirst())?.name ?? null
}

/** Adds a token to an invitation. A person can join with any of its tokens. */
export async function addToken(db: Db, invite: { site_id: Id; id: Id }, token_hash: string): Promise<void> {
  await db.insertInto('invite_token').values({ token_hash, site_id: invite.site_id, invite_id: invite.id }).execute()
}

/** Returns everything that the email of an invitation says. */
export async function letterFacts(
  db: Db,
  site_id: Id,
  id: Id,
): Promise<
  (InviteRow & { site_name: string; timezone: string; locale: string; inviter: string | null; contractor_name: string | null }) | null
> {
  const { rows } = await sql<
    InviteRow & { site_name: string; timezone: string; locale: string; inviter: string | null; contractor_name: string | null }
  >`
    select i.*, s.name as site_name, s.timezone, s.locale, u.name as inviter, c.name as contractor_name
    from invite i join site s on s.site_id = i.site_id left join app_user u on u.id = i.created_by
    left join contractor c on c.site_id = i.site_id and c.id = i.contractor_id
    where i.site_id = ${site_id} and i.id = ${id} and s.deleted_at is null and s.nuked_at is null`.execute(db)
  return rows[0] ?? null
}
