import { isOneOf } from '../../../../shared/narrow.ts'
import { DAY, HOUR, type Instant, later, MINUTE, ms } from '../../../../shared/time.ts'
import type { Role } from '../../../base/actor.ts'
import { conflict, type FieldFault, forbidden, rateLimited, type Verdict, wrongStep } from '../../../base/errors.ts'
import { RANK, ROLE_WORDS } from '../../../kernel/access/domain.ts'

/** Roles that a link can give (`site-and-people.md` §3). Other roles are given to one person, by email. */
export const LINK_ROLES = ['member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const satisfies readonly Role[]

/** Days that an invitation is valid, by default and at most. */
export const DAYS = { email: { by_itself: 14, most: 60 }, link: { by_itself: 7, most: 90 } } as const
/** Uses of a link by default; a link with more than MANY_USES always needs approval. */
export const LINK_USES = 50
const MANY_USES = 100

export type Kind = 'email' | 'link'
export type Status = 'open' | 'accepted' | 'used_up' | 'expired' | 'revoked' | 'bounced'

/** What decides the state of an invitation. */
export type Stamps = {
  kind: Kind
  uses: number
  max_uses: number
  expires_at: Instant
  bounced_at: Instant | null
  revoked_at: Instant | null
}

/** Returns the state of an invitation now. Once it is revoked or used up it stays so, even after it expires. */
export function statusOf(invite: Stamps, now: Instant): Status {
  if (invite.revoked_at !== null) return 'revoked'
  if (invite.uses >= invite.max_uses) return invite.kind === 'email' ? 'accepted' : 'used_up'
  if (invite.bounced_at !== null) return 'bounced'
  return invite.expires_at <= now ? 'expired' : 'open'
}

/** The inviter, as the rules see them. */
export type Inviter = { role: Role | null; is_superadmin: boolean; manages: boolean; contractor_id: string | null }

/** What the inviter asks for. */
export type Asked = {
  kind: Kind
  role: Role
  contractor_id: string | null
  contractor_choice: boolean
  expires_at: Instant | null
  max_uses: number
  approval: 'none' | 'required'
}

/** Returns the faults of the fields themselves: a role that is out of range, an end in the past or too late, a missing contractor. */
export function faultsOf(asked: Asked, now: Instant): FieldFault[] {
  const faults: FieldFault[] = []
  const { most } = DAYS[asked.kind]
  if (asked.kind === 'link' && !isOneOf(LINK_ROLES, asked.role))
    faults.push({ path: 'role', message: `can’t be given by a link. Use ${LINK_ROLES.join(', ')}, or invite this person by email.` })
  if (asked.expires_at !== null && asked.expires_at <= now)
    faults.push({ path: 'expires_at', message: 'is in the past. Choose a later time.' })
  if (asked.expires_at !== null && asked.expires_at > later(now, most * DAY))
    faults.push({ path: 'expires_at', message: `must be at most ${most} days from now.` })
  if (asked.contractor_choice && asked.contractor_id !== null)
    faults.push({ path: 'contractor_choice', message: 'can’t be given together with contractor_id. Send one of the two.' })
  if (asked.role === 'contractor_hse' && asked.contractor_id === null && !asked.contractor_choice)
    faults.push({ path: 'contractor_id', message: 'is required: a contractor’s H&S person belongs to a contractor.' })
  return faults
}

const rankOf = (by: Pick<Inviter, 'role' | 'is_superadmin'>): number =>
  by.is_superadmin ? Number.POSITIVE_INFINITY : by.role === null ? -1 : RANK[by.role]

/** Returns whether this person could give someone this role without anyone’s approval. */
export const admits = (role: Role, by: Inviter): boolean => by.manages && RANK[role] <= rankOf(by)

/** Refuses a role above the inviter's own rank, and another contractor when the inviter is a contractor's H&S person. */
export function inviting(asked: Pick<Asked, 'role' | 'contractor_id' | 'contractor_choice'>, by: Inviter): Verdict[] {
  const above =
    RANK[asked.role] > rankOf(by)
      ? forbidden(
          'member_invite',
          `The role “${ROLE_WORDS[asked.role]}” is above yours. Ask someone with at least that role to send the invitation.`,
          [{ code: 'rank', detail: asked.role }],
        )
      : null
  const foreign =
    by.role === 'contractor_hse' && !by.is_superadmin && (asked.contractor_choice || asked.contractor_id !== by.contractor_id)
      ? forbidden(
          'member_invite',
          'You can only invite people who work for your own contractor. Ask a coordinator, H&S, a site manager or an administrator to invite other people.',
          [{ code: 'own_firm', detail: 'contractor_id' }],
        )
      : null
  return [foreign, above]
}

/** Why approval is needed even if the inviter asked for none: they couldn’t approve, people choose their contractor, or the link has very many uses. */
export type Forced = 'inviter' | 'choice' | 'uses'

/**
 * Returns whether approval is needed, and what forces it; null if nothing does: then the inviter decides.
 */
export function approvalOf(asked: Pick<Asked, 'kind' | 'contractor_choice' | 'max_uses' | 'approval'>, by: Pick<Inviter, 'manages'>) {
  const forced: Forced | null = !by.manages
    ? 'inviter'
    : asked.kind === 'link' && asked.contractor_choice
      ? 'choice'
      : asked.kind === 'link' && asked.max_uses > MANY_USES
        ? 'uses'
        : null
  return { approval: forced === null ? asked.approval : ('required' as const), forced }
}

/** The end of a person's last membership: when, whether another person ended it or rejected the request, and the terms that it had. */
export type Past = { ended_at: Instant; sent_away: boolean; role: Role; contractor_id: string | null }

/** The person who joins, and what they bring. */
export type Comer = {
  /** Null if they gave no address. */
  email_key: string | null
  email_verified: boolean
  /** True if they typed a contractor that is not on the list. */
  typed_contractor: boolean
  /** How their last membership of the site ended; null if they weren't on it. */
  past: Past | null
  /** True while the person who invited them could give them this role without anyone’s approval. */
  inviter_admits: boolean
  /** True if the contractor that they join has left the site. */
  contractor_left: boolean
}

/** What an invitation gives, and since when. */
type Terms = { kind: Kind; role: Role; contractor_id: string | null; created_at: Instant }

/**
 * Returns whether an invitation would give a person who was on the site before what an administrator has taken from them: the membership itself, or, after they
 * have left, another role that isn’t lower, or another contractor. An email invitation that was created afterwards was meant for them.
 */
function regains(invite: Terms, past: Past): boolean {
  if (invite.kind === 'email' && invite.created_at >= past.ended_at) return false
  const higher = invite.role !== past.role && RANK[invite.role] >= RANK[past.role]
  return past.sent_away || higher || invite.contractor_id !== past.contractor_id
}

/** Returns why a membership request is pending; null if they join immediately. The reason that helps the approver most comes first. */
export function whyPending(
  invite: Terms & { email_key: string | null; approval: 'none' | 'required'; approval_forced_by: Forced | null },
  comer: Comer,
): 'email_differs' | 'email_unverified' | 'unknown_firm' | 'inviter' | 'approval' | null {
  if (invite.kind === 'email' && comer.email_key !== invite.email_key) return 'email_differs'
  if (invite.kind === 'email' && !comer.email_verified) return 'email_unverified'
  if (comer.typed_contractor) return 'unknown_firm'
  if (invite.approval === 'required') return invite.approval_forced_by === 'inviter' ? 'inviter' : 'approval'
  // An invitation must not outlast the right to send it: a person who has left, or has a lower role now, lets nobody in.
  if (!comer.inviter_admits) return 'inviter'
  // Nor must it outlast the contractor: a poster that still hangs at the site of a contractor that has left lets nobody in.
  if (comer.contractor_left) return 'approval'
  return comer.past !== null && regains(invite, comer.past) ? 'approval' : null
}

/** Returns null while an invitation lets people join, otherwise the refusal. */
export function letting(invite: Stamps, now: Instant): Verdict {
  switch (statusOf(invite, now)) {
    case 'revoked':
      return conflict('invite_revoked', 'This invitation has been revoked. Ask the person who invited you for a new one.')
    case 'accepted':
      return conflict('invite_used_up', 'This invitation has already been used. Ask the person who invited you for a new one.')
    case 'used_up':
      return conflict('invite_used_up', 'This link has reached its limit. Ask the person who invited you for a new one.')
    case 'expired':
      return conflict('invite_expired', 'This invitation has expired. Ask the person who invited you for a new one.')
    case 'bounced': // the bearer of the token has received the email, so it arrived
      return invite.expires_at <= now
        ? conflict('invite_expired', 'This invitation has expired. Ask the person who invited you for a new one.')
        : null
    case 'open':
      return null
  }
}

const MOST_RESENDS = 5

/** Decides whether an invitation can be resent. It can after it expired or bounced too; once a minute, five times a day. */
export function resending(
  invite: Stamps & { last_sent_at: Instant | null; resent_at: readonly Instant[] },
  suppressed: boolean,
  now: Instant,
): Verdict[] {
  const status = statusOf(invite, now)
  if (invite.kind === 'link') return [wrongStep(status, ['revoke'], 'A link can’t be resent. Share the link again, or create a new link.')]
  if (status === 'revoked' || status === 'accepted')
    return [
      wrongStep(status, [], `This invitation has already been ${status === 'accepted' ? 'used' : 'revoked'}. Create a new invitation.`),
    ]
  const held = suppressed
    ? conflict(
        'email_suppressed',
        'Email to this address is stopped, because messages bounced or were reported as spam. Invite the person at another address, or ask a superadmin to allow this address again.',
      )
    : null
  const wait = (at: Instant, length: number) => Math.max(1, Math.ceil((ms(at) + length - ms(now)) / 1000))
  const soon = invite.last_sent_at !== null && ms(now) - ms(invite.last_sent_at) < MINUTE ? wait(invite.last_sent_at, MINUTE) : null
  const today = invite.resent_at.filter(at => ms(now) - ms(at) < DAY)
  const [first] = today
  const often = today.length >= MOST_RESENDS && first !== undefined ? wait(first, DAY) : null
  return [
    held,
    soon === null ? null : rateLimited(soon, 'This invitation was sent a moment ago. Wait a minute before you resend it.'),
    often === null
      ? null
      : rateLimited(
          often,
          `This invitation was resent ${MOST_RESENDS} times in the last 24 hours. Try again in ${Math.ceil(often / (HOUR / 1000))} h.`,
        ),
  ]
}

/** Returns an address as anonymous callers can see it: its first letter and its domain. */
export function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${[...email][0] ?? ''}***${email.slice(at)}`
}
