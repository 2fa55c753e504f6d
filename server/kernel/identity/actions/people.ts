import { isRecord } from '../../../../shared/narrow.ts'
import { type Instant, ms } from '../../../../shared/time.ts'
import { type Actor, linkActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { outside } from '../../../base/db.ts'
import type { Verified } from '../../../base/edge-options.ts'
import { refuse, unauthenticated } from '../../../base/errors.ts'
import { type Id, ids, PLATFORM } from '../../../base/ids.ts'
import { remembered } from '../../../base/memo.ts'
import { actorFor, type PersonRow, personAt } from '../../access/door.ts'
import { addressMoved } from '../../mail/door.ts'
import { type Claims, claimsOf, listedAsSuperadmin, shownName } from '../domain.ts'
import { changeUser, eraseUserRow, insertUser, rememberSeen, sessionExists, userLocked } from '../queries.ts'
import { BUILT_IN, ofSeconds } from './keys.ts'
import type { Verifier } from './verifier.ts'

const SEEN_EVERY_MS = 5 * 60_000

/** What each token says about its person, read once and kept for as long as the verifier remembers the token. */
const claimsRead = new WeakMap<Verified, Claims>()

/**
 * Returns the person of a verified token, with their membership of a site. The first token of an unknown issuer and subject creates the user; a newer
 * token with different claims changes it; the configuration grants and revokes superadmin (`site-and-people.md` §5).
 */
export async function personOf(house: House, verifier: Verifier, token: Verified, site_id: Id | null): Promise<Actor> {
  const { db } = house.database
  // Only the built-in provider sets `family`, which lets a token end with its session and not a quarter of an hour later.
  const family = token.issuer === BUILT_IN && typeof token.claims.family === 'string' ? token.claims.family : null
  const who = { issuer: token.issuer, subject: token.subject, family }
  let row = await personAt(db, who, site_id)
  // Before anything is written: the claims of a session that has ended change nobody, and don't bring back a person who was erased with it.
  if (row !== null && row.disabled_at !== null) refuse(unauthenticated('disabled', 'This account is disabled. Contact your administrator.'))
  const ended = row === null ? family !== null && !(await sessionExists(db, family)) : row.session_ended
  if (ended) refuse(unauthenticated('expired', 'Your session has ended. Sign in again.'))
  const claims = remembered(claimsRead, token, () => claimsOf(token.issuer, token.subject, token.claims))
  if (row === null || differs(row, claims, house)) {
    if (row === null) await firstSeen(house, verifier, token, claims)
    else await provision(house, claims)
    row = await personAt(db, who, site_id)
  }
  if (row === null) throw new Error('The user that was just created is missing.')
  noteSeen(house, row)
  return { ...actorFor(row, row.standing, house.settings), session_family: family }
}

function noteSeen(house: House, row: PersonRow): void {
  const now = house.clock.now()
  if (row.seen_at !== null && ms(now) - ms(row.seen_at) < SEEN_EVERY_MS) return
  outside(() => rememberSeen(house.database.db, row.id, now)).catch(error => house.log.warn({ err: error }, 'last_seen_at was not saved'))
}

const newer = (claims: Claims, claims_at: string | null) =>
  claims.issued_at !== null && (claims_at === null || ofSeconds(claims.issued_at) > claims_at)

function differs(row: PersonRow, claims: Claims, house: House): boolean {
  if (!newer(claims, row.claims_at)) return false
  if (claims.name !== null && claims.name !== row.name) return true
  if (claims.email !== null && (claims.email !== row.email || claims.email_verified !== row.email_verified)) return true
  const listed = listedAsSuperadmin({ ...row, subject: claims.subject, ...(claims.email === null ? {} : claims) }, house.settings)
  return listed !== row.is_superadmin
}

const arriving = new WeakMap<House, Map<string, Promise<void>>>()

/** Creates the user on their first call. Parallel first calls of one person share the work, so the provider is asked only once. */
async function firstSeen(house: House, verifier: Verifier, token: Verified, claims: Claims): Promise<void> {
  const here = arriving.get(house) ?? new Map<string, Promise<void>>()
  arriving.set(house, here)
  const key = `${token.issuer} ${token.subject}`
  await remembered(here, key, async () => {
    try {
      // A request that looked before the user existed, and then waited here, finds them now.
      if ((await personAt(house.database.db, token, null)) !== null) return
      await provision(house, await completed(claims, token, verifier))
    } finally {
      here.delete(key)
    }
  })
}

/** Completes a token without address or name: the provider's UserInfo is called once. */
async function completed(claims: Claims, token: Verified, verifier: Verifier): Promise<Claims> {
  if (claims.name !== null && claims.email !== null) return claims
  try {
    const endpoint = (await verifier.discovery())?.userinfo_endpoint
    if (typeof endpoint !== 'string') return claims
    // Redirects are not followed, because the request contains the token.
    const response = await fetch(endpoint, {
      redirect: 'error',
      headers: { authorization: `Bearer ${token.bearer}` },
      signal: AbortSignal.timeout(5000),
    })
    if (!response.ok) return claims
    const said: unknown = await response.json()
    if (!isRecord(said) || said.sub !== token.subject) return claims
    const more = claimsOf(token.issuer, token.subject, said)
    return {
      ...claims,
      name: claims.name ?? more.name,
      ...(claims.email === null ? { email: more.email, email_verified: more.email_verified } : {}),
    }
  } catch {
    return claims // if the provider doesn't respond, the name stays unknown until the next token
  }
}

/** Adds a user; false if a parallel request was quicker. */
async function addUser(ctx: Ctx, claims: Omit<Claims, 'issued_at'>, is_superadmin: boolean, claims_at: Instant | null): Promise<boolean> {
  const id = ids.next()
  const { issuer, subject, email, email_verified, locale, timezone } = claims
  const made = await insertUser(ctx.db, {
    id,
    issuer,
    subject,
    email,
    email_verified,
    locale,
    timezone,
    name: shownName(claims),
    is_superadmin,
    superadmin_granted: false,
    claims_at,
    disabled_at: null,
  })
  if (made) {
    ctx.emit({
      kind: 'user.provisioned',
      site_id: PLATFORM,
      subject: { kind: 'user', id, label: shownName(claims) },
      payload: { user_id: id },
    })
  }
  return made
}

/** Returns the user of an issuer and subject; creates it before the first token if an account is already known. */
export async function userOf(ctx: Ctx, claims: Omit<Claims, 'issued_at' | 'timezone'>): Promise<Id> {
  const known = await userLocked(ctx.db, claims.issuer, claims.subject)
  if (known !== null) return known.id
  await addUser(ctx, { ...claims, timezone: null }, listedAsSuperadmin(claims, ctx.house.settings), null)
  const made = await userLocked(ctx.db, claims.issuer, claims.subject)
  if (made === null) throw new Error('The user that was just created is missing.')
  return made.id
}

/** Creates or updates the user with these claims, with an entry in the platform's audit log. Parallel first calls create only one user. */
async function provision(house: House, claims: Claims): Promise<void> {
  const { settings } = house
  await writing(house, { actor: linkActor('identity provider'), cause: 'user.provision' }, async ctx => {
    const listed = listedAsSuperadmin(claims, settings)
    const claims_at = claims.issued_at === null ? null : ofSeconds(claims.issued_at)
    const known = await userLocked(ctx.db, claims.issuer, claims.subject)
    if (known === null) {
      await addUser(ctx, claims, listed, claims_at)
      return
    }
    await changeUser(ctx.db, known.id, {
      name: claims.name ?? known.name,
      ...(claims.email === null ? {} : { email: claims.email, email_verified: claims.email_verified }),
      locale: claims.locale ?? known.locale,
      timezone: claims.timezone ?? known.timezone,
      is_superadmin:
        known.superadmin_granted ||
        listedAsSuperadmin(
          {
            ...claims,
            email: claims.email ?? known.email,
            email_verified: claims.email === null ? known.email_verified : claims.email_verified,
          },
          settings,
        ),
      claims_at,
    })
    if (claims.email !== null && claims.email !== known.email) await addressMoved(ctx, known.id, claims.email)
    ctx.emit({
      kind: 'user.changed',
      site_id: PLATFORM,
      subject: { kind: 'user', id: known.id, label: known.name },
      payload: { user_id: known.id },
    })
  })
}

/** Erases a user (`site-and-people.md` §4): removes name, address and subject, with effect from the next request. */
export async function eraseUser(ctx: Ctx, id: Id): Promise<void> {
  await eraseUserRow(ctx.db, id, ctx.now)
}
