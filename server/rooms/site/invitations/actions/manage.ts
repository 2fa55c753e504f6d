import QRCode from 'qrcode'
import { DAY, later, ms } from '../../../../../shared/time.ts'
import type { Actor } from '../../../../base/actor.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, explain, invalid, refuse } from '../../../../base/errors.ts'
import { type Id, ids, secretToken, sha256 } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { addressKey, queueMail, suppressionOf } from '../../../../kernel/mail/door.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { type Asked, approvalOf, DAYS, faultsOf, type Inviter, inviting, LINK_USES, resending, statusOf } from '../domain.ts'
import {
  contractorOn,
  type InviteRow,
  insertInvite,
  inviteRow,
  invitesOn,
  memberWithAddress,
  openInviteTo,
  replaceToken,
  type SeenInvite,
  saveInvite,
} from '../queries.ts'
import type { InviteFilter, NewInvite, NewInviteLink } from '../schema.ts'

/** Returns the address of a link. The token comes after the #, which browsers never send. */
export const joinUrl = (public_url: string, token: string, signing_in = false): string =>
  `${public_url}/join${signing_in ? '?sign_in=1' : ''}#${token}`

/** Returns the contractor that a contractor's H&S person is limited to; null for everyone else. */
export const ownContractorOnly = (ctx: Ctx): Id | null =>
  ctx.actor.standing?.role === 'contractor_hse' && !ctx.actor.is_superadmin ? ctx.actor.standing.contractor_id : null

/** Returns a person as the rules of invitations see them. */
export const inviterOf = (actor: Actor): Inviter => ({
  role: actor.standing?.role ?? null,
  is_superadmin: actor.is_superadmin,
  manages: actor.can('member_manage'),
  contractor_id: actor.standing?.contractor_id ?? null,
})

/** Returns invitations as the API shows them: never with a token or its hash. */
function shown(ctx: Ctx, row: SeenInvite): Record<string, unknown> {
  const { email_key: _key, approval_forced_by: _forced, resent_at, inviter_name, created_by, ...rest } = row
  const may = ctx.actor.lacks('member_invite')
  return {
    ...rest,
    status: statusOf(row, ctx.now),
    invited_by: created_by === null ? null : { id: created_by, name: inviter_name ?? '' },
    permissions: flagsFor(ctx.actor, {
      revoke: explain([may]),
      // Whether the address is suppressed is checked when it is sent, not for each row of a list.
      resend: explain([may, ...inviting(row, inviterOf(ctx.actor)), ...resending({ ...row, resent_at }, false, ctx.now)]),
    }),
  }
}

async function shownOne(ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown>> {
  const [row] = await invitesOn(ctx.db, site_id, { now: ctx.now, ids: [id], limit: 1, after: null })
  if (row === undefined) throw new Error('The invitation that was just saved is missing.')
  return shown(ctx, row)
}

/** Lists a site's invitations, newest first; for a contractor's H&S person only those of their own contractor. */
export async function listInvites(ctx: Ctx, site_id: Id, filter: InviteFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const limit = filter.limit ?? PAGE
  const own = ownContractorOnly(ctx)
  const contractors = own === null ? filter.contractor_id : (filter.contractor_id ?? [own]).filter(id => id === own)
  const found = await invitesOn(ctx.db, site_id, {
    now: ctx.now,
    ...(filter.kind === undefined ? {} : { kinds: filter.kind }),
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(contractors === undefined ? {} : { contractor_ids: contractors }),
    ...(filter.id === undefined ? {} : { ids: filter.id }),
    ...(filter.q === undefined ? {} : { q: filter.q }),
    updated_since: filter.updated_since,
    limit,
    after: readCursor(filter.cursor, 2),
  })
  const { rows, next } = cut(found, limit, row => [row.created_at, row.id])
  return { rows: rows.map(row => shown(ctx, row)), next }
}

/** Checks what the inviter asks for, and returns the columns to store. */
async function judged(ctx: Ctx, site_id: Id, given: Asked) {
  const by = inviterOf(ctx.actor)
  const own = ownContractorOnly(ctx)
  const asked = { ...given, contractor_id: given.contractor_id ?? (given.contractor_choice ? null : own) }
  const faults = faultsOf(asked, ctx.now)
  const contractor = asked.contractor_id === null ? null : await contractorOn(ctx.db, site_id, asked.contractor_id)
  if (asked.contractor_id !== null && contractor === null)
    faults.push({ path: 'contractor_id', message: 'isn’t a contractor on this site.' })
  if (faults.length > 0) refuse(invalid(faults))
  enforce(inviting(asked, by))
  if (contractor?.status === 'left') refuse(conflict('contractor_left', `${contractor.name} has left the site. Choose another contractor.`))
  const { approval, forced } = approvalOf(asked, by)
  return {
    site_id,
    id: ids.next(),
    kind: asked.kind,
    role: asked.role,
    contractor_id: asked.contractor_id,
    contractor_choice: asked.contractor_choice,
    expires_at: asked.expires_at ?? later(ctx.now, DAYS[asked.kind].by_itself * DAY),
    max_uses: asked.max_uses,
    uses: 0,
    approval,
    approval_forced_by: forced,
    email: null,
    email_key: null,
    name: null,
    message: null,
    label: null,
    sends: 0,
    last_sent_at: null,
    resent_at: [],
    bounced_at: null,
    revoked_at: null,
  } satisfies Parameters<typeof insertInvite>[1]
}

const subjectOf = (invite: Pick<InviteRow, 'id' | 'kind' | 'label'>) => ({
  kind: 'invite',
  id: invite.id,
  label: invite.label ?? (invite.kind === 'email' ? 'Invitation by email' : 'Invitation by link'),
})

/** Emits an event about an invitation. */
export function tell(
  ctx: Ctx,
  verb: 'sent' | 'bounced' | 'accepted' | 'revoked',
  invite: InviteRow,
  payload: Record<string, unknown> = {},
): void {
  ctx.emit({
    kind: `invite.${verb}`,
    site_id: invite.site_id,
    subject: subjectOf(invite),
    contractor_ids: invite.contractor_id === null ? [] : [invite.contractor_id],
    payload: { invite_id: invite.id, role: invite.role, contractor_id: invite.contractor_id, inviter_id: invite.created_by, ...payload },
  })
}

/** Invites one person by email. */
export async function sendInvite(ctx: Ctx, site_id: Id, body: NewInvite): Promise<Record<string, unknown>> {
  const email_key = addressKey(body.email)
  const row = await judged(ctx, site_id, {
    kind: 'email',
    role: body.role,
    contractor_id: body.contractor_id ?? null,
    contractor_choice: false,
    expires_at: body.expires_at ?? null,
    max_uses: 1,
    approval: body.approval ?? 'none',
  })
  await hold(ctx, 'invite', site_id, email_key)
  const member = await memberWithAddress(ctx.db, site_id, email_key)
  if (member !== null)
    refuse(
      conflict('already_member', 'Someone with this email address is already a member of the site, so no invitation is needed.', {
        membership_id: member,
      }),
    )
  const open = await openInviteTo(ctx.db, site_id, email_key, ctx.now)
  if (open !== null)
    refuse(conflict('already_invited', 'An invitation to this address is already active. Resend that invitation.', { existing_id: open }))
  const suppression = await suppressionOf(ctx.db, email_key)
  if (suppression !== null)
    refuse(
      conflict(
        'email_suppressed',
        'Email to this address is stopped, because messages bounced or were reported as spam. Use another address, or ask a superadmin to allow this address again.',
        {
          suppression: suppression.reason,
        },
      ),
    )
  await insertInvite(ctx.db, {
    ...row,
    email: body.email,
    email_key,
    name: body.name ?? null,
    message: body.message ?? null,
    sends: 1,
    last_sent_at: ctx.now,
  })
  return queued(ctx, site_id, row.id, 1)
}

async function queued(ctx: Ctx, site_id: Id, id: Id, send: number): Promise<Record<string, unknown>> {
  await queueMail(ctx, 'invitation', { site_id, invite_id: id, send }, site_id)
  const invite = await inviteRow(ctx.db, site_id, id, false)
  if (invite !== null) tell(ctx, 'sent', invite)
  return { ...(await shownOne(ctx, site_id, id)), ...(invite === null ? {} : await linkByHand(ctx, invite)) }
}

/** Returns whether people pass links on by hand, because there is no mail server. */
const passesOn = (ctx: Ctx): boolean => ctx.house.settings.smtp_url === null

/**
 * Returns a link that the inviter passes on, if there is no mail server (decision 680). Never for the address of a superadmin in SUPERADMIN_EMAILS: the
 * link would prove that address to the inviter.
 */
async function linkByHand(ctx: Ctx, invite: InviteRow): Promise<Record<string, unknown>> {
  const { superadmin_emails } = ctx.house.settings
  if (!passesOn(ctx) || superadmin_emails.includes((invite.email ?? '').toLowerCase())) return {}
  const token = secretToken()
  await replaceToken(ctx.db, invite, sha256(token))
  const join_url = joinUrl(ctx.house.settings.public_url, token)
  return { join_url, qr_svg: await qrOf(join_url) }
}

const qrOf = (url: string): Promise<string> => QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 })

/**
 * Sends an invitation again with a new token. The old token stops working immediately, and the validity period starts again. The caller is someone who could have sent it:
 * without a mail server they get the link, which proves the address (decision 1092).
 */
export async function resendInvite(ctx: Ctx, invite: InviteRow): Promise<Record<string, unknown>> {
  const by = inviterOf(ctx.actor)
  enforce(inviting(invite, by))
  const suppressed = invite.email_key !== null && (await suppressionOf(ctx.db, invite.email_key)) !== null
  enforce(resending(invite, suppressed, ctx.now))
  const held = invite.last_sent_at === null ? DAYS.email.by_itself * DAY : ms(invite.expires_at) - ms(invite.last_sent_at)
  const sends = invite.sends + 1
  await replaceToken(ctx.db, invite, null)
  await saveInvite(ctx.db, invite.site_id, invite.id, {
    sends,
    last_sent_at: ctx.now,
    resent_at: [...invite.resent_at.filter(at => ms(ctx.now) - ms(at) < DAY), ctx.now],
    expires_at: later(ctx.now, held),
    bounced_at: null,
    ...(passesOn(ctx) && !by.manages && invite.approval === 'none' ? { approval: 'required', approval_forced_by: 'inviter' } : {}),
  })
  return queued(ctx, invite.site_id, invite.id, sends)
}

/** Revokes an invitation immediately; people who joined by it stay. */
export async function revokeInvite(ctx: Ctx, invite: InviteRow): Promise<void> {
  if (invite.revoked_at !== null) return
  await saveInvite(ctx.db, invite.site_id, invite.id, { revoked_at: ctx.now })
  ctx.note(invite.id, { action: 'transition' })
  tell(ctx, 'revoked', invite)
}

/** Creates a link or poster. Its token is only in this response. */
export async function makeLink(ctx: Ctx, site_id: Id, body: NewInviteLink): Promise<Record<string, unknown> & { id: Id }> {
  const row = await judged(ctx, site_id, {
    kind: 'link',
    role: body.role,
    contractor_id: body.contractor_id ?? null,
    contractor_choice: body.contractor_choice ?? false,
    expires_at: body.expires_at ?? null,
    max_uses: body.max_uses ?? LINK_USES,
    approval: body.approval ?? 'none',
  })
  const token = secretToken()
  await insertInvite(ctx.db, { ...row, label: body.label ?? null })
  await replaceToken(ctx.db, row, sha256(token))
  const url = joinUrl(ctx.house.settings.public_url, token)
  const qr_svg = await qrOf(url)
  return { ...(await shownOne(ctx, site_id, row.id)), id: row.id, token, url, qr_svg }
}
