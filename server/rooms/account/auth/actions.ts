import { NOBODY } from '../../../base/actor.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { conflict, invalidField, notFound, rateLimited, refuse, unauthenticated } from '../../../base/errors.ts'
import { initialsOf, RANK } from '../../../kernel/access/domain.ts'
import { actorFor, permissionsOf } from '../../../kernel/access/door.ts'
import {
  type AccountRow,
  accountOfSubject,
  beginTry,
  faultOfNewPassword,
  hashPassword,
  keepPassword,
  passwordFits,
  passwordRight,
} from '../../../kernel/accounts/door.ts'
import { type DeviceKey, deviceKeyOf, deviceKeySecret } from '../../../kernel/identity/door.ts'
import { flagsOf } from '../../../kernel/site/door.ts'
import { meRow, myMemberships } from './queries.ts'
import type { ChangePassword } from './schema.ts'

/** Returns what the app requests first: who the caller is, and what they can do on each site. */
export async function showMe(ctx: Ctx): Promise<Record<string, unknown>> {
  const { settings } = ctx.house
  const me = ctx.actor.id === null ? null : await meRow(ctx.db, ctx.actor.id)
  if (me === null) return refuse(notFound())
  const rows = await myMemberships(ctx.db, me.id)
  const flags = await flagsOf(
    ctx,
    rows.map(row => row.site_id),
  )
  const memberships = rows.map(({ locked, groups_off, ...row }) => {
    const standing = {
      site_id: row.site_id,
      membership_id: row.id,
      role: row.role,
      contractor_id: row.contractor_id,
      timezone: row.timezone,
      lock: null, // permissions by name; each record says what a lock forbids
    }
    const actor = row.status === 'active' ? actorFor(me, standing, settings) : NOBODY
    return {
      ...row,
      rank: RANK[row.role],
      permissions: row.status === 'active' ? permissionsOf(actor) : [],
      flags: { locked, groups_off, coverage_policy_enabled: false, close_out_gate_enabled: false, regime: null, ...flags.get(row.site_id) },
    }
  })
  const { subject: _subject, email_suppressed, ...user } = me
  const external = settings.oidc_issuer !== null
  const account = external ? null : await accountOfSubject(ctx.house, me.subject)
  return {
    user: { ...user, initials: initialsOf(me.name) },
    memberships,
    flags: {
      email_suppressed,
      can_create_site: ctx.actor.can('site_create'),
      must_change_password: account?.must_change_password ?? false,
    },
    provider: {
      kind: external ? 'external' : 'built_in',
      can_change_password: !external,
      account_url: external ? settings.oidc_issuer : null,
    },
    server_time: ctx.now,
  }
}

/** Returns the secret that encrypts the keys of devices. Outside the transaction, because making it is a write of its own. */
export const deviceSecret = (ctx: Ctx): Promise<Buffer> => deviceKeySecret(ctx.house)

/** Returns the key with which the app encrypts what it stores on the caller's devices. */
export const keyOfMyDevices = (ctx: Ctx, secret: Buffer): Promise<DeviceKey> =>
  deviceKeyOf(ctx, secret, ctx.actor.id ?? refuse(unauthenticated('missing', 'You aren’t signed in. Sign in and try again.')))

/** A change of password that passed every check and only needs to be written. */
export type JudgedChange = { account: AccountRow; password_hash: string; family: string | null }

/**
 * Checks a change of password before the transaction: a wrong attempt must count even though it is refused, and hashing is slow. After five wrong attempts
 * in fifteen minutes it returns 429 (`site-and-people.md` §5).
 */
export async function judgeChange(ctx: Ctx, body: ChangePassword, address: string): Promise<JudgedChange> {
  const { house } = ctx
  const account_url = house.settings.oidc_issuer
  if (account_url !== null)
    return refuse(
      conflict(
        'external_identity_provider',
        'Your account belongs to an external identity provider, so Walkdown can’t change its password. Change it with your identity provider.',
        { account_url },
      ),
    )
  const me = ctx.actor.id === null ? null : await meRow(ctx.db, ctx.actor.id)
  const account = me === null ? null : await accountOfSubject(house, me.subject)
  const attempt = await beginTry(house, { account: account?.email_key ?? `user ${ctx.actor.id}`, address })
  if ('wait_seconds' in attempt)
    return refuse(rateLimited(attempt.wait_seconds, 'Too many wrong passwords. Wait 15 minutes, or reset your password by email.'))
  const fits = await passwordFits(body.current_password, account?.password_hash ?? null)
  if (!fits || account === null)
    return refuse(invalidField('current_password', 'isn’t your current password. Try again, or reset your password by email.'))
  await passwordRight(attempt, account)
  const fault = await faultOfNewPassword(house, account, body.new_password)
  if (fault !== null) return refuse(invalidField('new_password', fault))
  return { account, password_hash: await hashPassword(body.new_password), family: ctx.actor.session_family ?? null }
}

/** Writes the new password. If two changes with the same old password come at the same time, the first succeeds. */
export async function changePassword(ctx: Ctx, { account, password_hash, family }: JudgedChange): Promise<void> {
  const only_with = account.password_hash ?? ''
  if (!(await keepPassword(ctx, account, password_hash, { grant: family, only_with })))
    refuse(invalidField('current_password', 'isn’t your current password: it was changed a moment ago. Enter the new one.'))
}
