import { localeOf } from '../../../../../shared/locale.ts'
import type { Ctx, SiteFacts } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids, sha256 } from '../../../../base/ids.ts'
import { actorFor, personAt } from '../../../../kernel/access/door.ts'
import { passwordFault } from '../../../../kernel/accounts/domain.ts'
import { hashPassword, makeAccount, passwordFacts } from '../../../../kernel/accounts/door.ts'
import { limitLinkCall } from '../../../../kernel/links/door.ts'
import { addressKey, queueMail } from '../../../../kernel/mail/door.ts'
import { enterSite, siteFacts } from '../../../../kernel/site/door.ts'
import { admit, placeOf } from '../../memberships/door.ts'
import { admits, type Comer, letting, masked, statusOf, whyPending } from '../domain.ts'
import {
  addressOf,
  contractorOn,
  type InviteRow,
  insertUse,
  inviteRow,
  inviterName,
  pastOf,
  placeOfToken,
  saveInvite,
  saveUse,
  type UseRow,
  usedBy,
} from '../queries.ts'
import type { AcceptInvite, Register } from '../schema.ts'
import { inviterOf, joinUrl, tell } from './manage.ts'

type Found = { site: SiteFacts; invite: InviteRow }

/** Returns the invitation that a token belongs to, whatever its state; null when the token is unknown, or its site has been deleted. */
async function behind(ctx: Pick<Ctx, 'db'>, token: string): Promise<Found | null> {
  const place = await placeOfToken(ctx.db, sha256(token))
  if (place === null) return null
  const site = await siteFacts(ctx.db, place.site_id)
  const invite = await inviteRow(ctx.db, place.site_id, place.invite_id, false)
  return site === null || site.deleted || invite === null ? null : { site, invite }
}

/** Does the same for a write: enters the site and locks the invitation, so that its uses are counted one after another. */
async function entered(ctx: Ctx, token: string): Promise<Found> {
  const place = await placeOfToken(ctx.db, sha256(token))
  if (place === null) return refuse(notFound())
  const site = await enterSite(ctx, place.site_id, { passes_lock: true })
  const invite = await inviteRow(ctx.db, place.site_id, place.invite_id, true)
  // The token may have been replaced while we waited for the lock.
  if (invite === null || (await placeOfToken(ctx.db, sha256(token))) === null) return refuse(notFound())
  if (site.locked_at !== null)
    refuse(
      conflict('site_locked', 'This site is locked, so it is closed to new members. Ask the person who invited you.', {
        locked_at: site.locked_at,
      }),
    )
  return { site, invite }
}

/** Describes an invitation to the bearer of its token, before they say who they are. */
export async function describeInvite(
  ctx: Pick<Ctx, 'db' | 'house' | 'now'>,
  token: string,
): Promise<{ site_id: Id; invite: Record<string, unknown> } | null> {
  const found = await behind(ctx, token)
  if (found === null) return null
  const { kind, role, contractor_id, contractor_choice, approval, expires_at, email, site_id } = found.invite
  const contractor = contractor_id === null ? null : await contractorOn(ctx.db, site_id, contractor_id)
  return {
    site_id,
    invite: {
      inviter_name: await inviterName(ctx.db, found.invite.created_by),
      kind,
      role,
      contractor_name: contractor?.name ?? null,
      contractor_choice,
      approval: contractor?.status !== 'left' && (await inviterAdmits(ctx, found.invite)) ? approval : 'required',
      expires_at,
      email_masked: email === null ? null : masked(email),
      state: statusOf(found.invite, ctx.now),
    },
  }
}

/** Returns whether the bearer of a token can see its site's contractors: only if the invitation is open and lets people choose their contractor. */
export async function opensContractors(
  ctx: Pick<Ctx, 'db' | 'now'>,
  token: string,
): Promise<{ site_id: Id; sees_contractors: boolean } | null> {
  const found = await behind(ctx, token)
  if (found === null) return null
  return { site_id: found.invite.site_id, sees_contractors: found.invite.contractor_choice && letting(found.invite, ctx.now) === null }
}

type Contractor = { contractor_id: Id | null; typed: string | null }

/** Returns the contractor of the person who joins: that of the invitation, one of the list, or one that they typed. */
async function contractorFor(ctx: Pick<Ctx, 'db'>, invite: InviteRow, body: AcceptInvite, faults: FieldFault[]): Promise<Contractor> {
  const { contractor_id = null, contractor_name = null } = body
  if (!invite.contractor_choice) {
    if (contractor_id !== null && contractor_id !== invite.contractor_id)
      faults.push({ path: 'contractor_id', message: 'is fixed by the invitation and can’t be changed. Leave it out.' })
    if (contractor_name !== null)
      faults.push({ path: 'contractor_name', message: 'is fixed by the invitation and can’t be changed. Leave it out.' })
    return { contractor_id: invite.contractor_id, typed: null }
  }
  if (contractor_id !== null && contractor_name !== null)
    faults.push({ path: 'contractor_name', message: 'can’t be given together with contractor_id. Send one of the two.' })
  if (contractor_id === null && contractor_name === null)
    faults.push({ path: 'contractor_id', message: 'is required: choose your contractor or enter its name.' })
  if (contractor_id !== null && (await contractorOn(ctx.db, invite.site_id, contractor_id))?.status !== 'active')
    faults.push({ path: 'contractor_id', message: 'isn’t a contractor on this site.' })
  return { contractor_id, typed: contractor_name }
}

/** Returns whether the inviter could still give this role to someone without approval. Who sent it is unknown only for what the installation itself made. */
async function inviterAdmits(ctx: Pick<Ctx, 'db' | 'house'>, { site_id, role, created_by }: InviteRow): Promise<boolean> {
  if (created_by === null) return true
  const person = await personAt(ctx.db, { id: created_by }, site_id)
  if (person === null || person.disabled_at !== null) return false
  return admits(role, inviterOf(actorFor(person, person.standing, ctx.house.settings)))
}

/** Returns whether a contractor has left the site. An invitation can name one that was active when it was sent. */
const hasLeft = async (ctx: Pick<Ctx, 'db'>, site_id: Id, contractor_id: Id | null): Promise<boolean> =>
  contractor_id !== null && (await contractorOn(ctx.db, site_id, contractor_id))?.status === 'left'

/** Creates the membership of the person who joins, and counts the use. */
async function comeIn(ctx: Ctx, invite: InviteRow, who: { user_id: Id; name: string } & Comer, contractor: Contractor, use: UseRow | null) {
  const { site_id } = invite
  const { membership } = await admit(ctx, site_id, {
    user_id: who.user_id,
    role: invite.role,
    contractor_id: contractor.contractor_id,
    requested_contractor_name: contractor.typed,
    invite_id: invite.id,
    why_pending: whyPending(invite, who),
    label: who.name,
  })
  const membership_id = String(membership.id)
  if (use === null) await countUse(ctx, invite, who.user_id, membership_id)
  else await saveUse(ctx.db, site_id, use.id, { membership_id, accepted_at: ctx.now })
  tell(ctx, 'accepted', invite, { user_id: who.user_id, membership_id, status: membership.status })
  return membership
}

async function countUse(ctx: Ctx, invite: InviteRow, user_id: Id, membership_id: Id | null): Promise<void> {
  const { site_id, id: invite_id } = invite
  const accepted_at = membership_id === null ? null : ctx.now
  await insertUse(ctx.db, { site_id, id: ids.next(), invite_id, user_id, membership_id, accepted_at })
  await saveInvite(ctx.db, site_id, invite_id, { uses: invite.uses + 1 })
}

/**
 * Joins a site by an invitation, signed in. A person who is already a member keeps their membership as it is, because an invitation never changes the terms
 * of a membership.
 */
export async function acceptInvite(
  ctx: Ctx,
  token: string,
  body: AcceptInvite,
): Promise<{ made: boolean; membership: Record<string, unknown> }> {
  const { invite } = await entered(ctx, token)
  const user_id = ctx.actor.id
  const me = user_id === null ? null : await addressOf(ctx.db, user_id)
  if (user_id === null || me === null) return refuse(notFound())
  const present = await placeOf(ctx, invite.site_id, user_id)
  if (present !== null) return { made: false, membership: present }
  const use = await usedBy(ctx.db, invite.site_id, invite.id, user_id)
  // A reserved place, and a place that its owner left, can be used again by that person; but an email invites a person only once.
  const own = use !== null && (use.membership_id === null || invite.kind === 'link') ? 1 : 0
  enforce([letting({ ...invite, uses: invite.uses - own }, ctx.now)])
  const faults: FieldFault[] = []
  const contractor = await contractorFor(ctx, invite, body, faults)
  if (faults.length > 0) refuse(invalid(faults))
  const comer = {
    user_id,
    name: me.name,
    email_key: me.email === null ? null : addressKey(me.email),
    email_verified: me.email_verified,
    typed_contractor: contractor.typed !== null,
    past: await pastOf(ctx.db, invite.site_id, user_id),
    inviter_admits: await inviterAdmits(ctx, invite),
    contractor_left: await hasLeft(ctx, invite.site_id, contractor.contractor_id),
  }
  return { made: true, membership: await comeIn(ctx, invite, comer, contractor, use) }
}

/** A registration that was checked before the transaction; null with an external provider, where no account is created. */
export type Judged = { name: string; email: string; locale: string | null; password_hash: string } | null

/** Checks a registration: limits, the token, every fault of the form at once; and hashes the password in any case. */
export async function judgeRegistration(ctx: Ctx, token: string, body: Register, address: string): Promise<Judged> {
  await limitLinkCall(ctx, address, token)
  const found = await behind(ctx, token)
  if (found === null) return refuse(notFound())
  if (ctx.house.settings.oidc_issuer !== null) return null
  const { site, invite } = found
  const faults: FieldFault[] = []
  const { name = '', password = '', locale = null } = body
  const email = invite.kind === 'email' ? (invite.email ?? '') : (body.email ?? '')
  if (name === '') faults.push({ path: 'name', message: 'is required.' })
  if (email === '') faults.push({ path: 'email', message: 'is required.' })
  if (locale !== null && localeOf(locale) === null) faults.push({ path: 'locale', message: 'isn’t a language tag such as en-GB.' })
  const fault = password === '' ? 'is required.' : passwordFault(password, passwordFacts(ctx.house, email, [site.name]))
  if (fault !== null) faults.push({ path: 'password', message: fault })
  await contractorFor(ctx, invite, body, faults)
  if (faults.length > 0) refuse(invalid(faults))
  return { name, email, locale, password_hash: await hashPassword(password) }
}

/**
 * Creates an account and the membership together. For an address that already has an account the response is the same, and so is the work: a place is reserved
 * for the owner, who gets an email to sign in and accept.
 */
export async function registerBy(ctx: Ctx, token: string, body: Register, judged: Judged): Promise<Record<string, unknown>> {
  const { site, invite } = await entered(ctx, token)
  const sign_in_url = joinUrl(ctx.house.settings.public_url, token, true)
  if (judged === null) {
    enforce([letting(invite, ctx.now)])
    return { next: 'sign_in', sign_in_url }
  }
  const proven = invite.kind === 'email'
  const { made, account, user_id } = await makeAccount(ctx, { ...judged, confirmed: proven })
  const use = await usedBy(ctx.db, invite.site_id, invite.id, user_id)
  // If this very address accepted the email before, the response is the same again. With a link, nobody can learn anything by trying addresses.
  enforce([letting({ ...invite, uses: invite.uses - (use !== null && proven ? 1 : 0) }, ctx.now)])
  const contractor = await contractorFor(ctx, invite, body, [])
  const comer = {
    ...{ email_key: account.email_key, email_verified: proven, typed_contractor: contractor.typed !== null, past: null },
    inviter_admits: await inviterAdmits(ctx, invite),
    contractor_left: await hasLeft(ctx, invite.site_id, contractor.contractor_id),
  }
  if (made) {
    await comeIn(ctx, invite, { ...comer, user_id, name: account.name }, contractor, null)
    if (!proven) await queueMail(ctx, 'confirm_address', { account_id: account.id })
  } else {
    if (use === null) await countUse(ctx, invite, user_id, null)
    await queueMail(ctx, 'account_exists', { account_id: account.id, site: site.name })
  }
  const membership_status = whyPending(invite, comer) === null ? 'active' : 'pending'
  // Whether the confirmation leaves this installation isn't a secret, and without this the person would wait for an email that never comes.
  const mail_sent = ctx.house.settings.smtp_url !== null
  return { next: proven ? 'sign_in' : 'confirm_email', sign_in_url, membership_status, ...(proven ? {} : { mail_sent }) }
}
