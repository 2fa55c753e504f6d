import { ROLES } from '../../../base/actor.ts'
import { BANDS, held, ROLE_WORDS } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import type { NoticePlugs } from '../../../kernel/notices/door.ts'
import { rowUse, type Use } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { admit, askForAddress } from './actions/manage.ts'
import { membership } from './door.ts'
import { schedules } from './jobs.ts'
import { memberNames } from './queries.ts'
import { routes } from './routes.ts'

const members = (name: string, when: Use['when'], status: readonly string[]): Use =>
  rowUse({ of: 'contractor', name, when }, 'membership', 'contractor_id', status)

/** Returns the rule for one decision. The person can have left before they are notified; that is not a configuration fault. */
const decided = (verb: string, title: string) => ({
  key: `membership_decided:${verb}`,
  event_kind: `membership.${verb}`,
  kind: 'membership_decided',
  audience: [{ named: 'person' }],
  channels: ['in_app'] as const,
  title,
  include_actor: true,
  link: '/sites/{site_id}',
  may_reach_nobody: true,
})

/** The recipients of membership notifications (`messages.md` §0.5). */
const notices: Partial<NoticePlugs> = {
  kinds: [
    {
      kind: 'membership_requested',
      label: 'Membership requests',
      group: 'Site',
      urgency: 'attention',
      channels: ['in_app', 'email'],
      many: '{{count}} membership requests are pending',
      moot_after: ['membership.activated', 'membership.ended'],
    },
    {
      kind: 'membership_decided',
      label: 'Your memberships',
      group: 'Site',
      urgency: 'attention',
      channels: ['in_app'],
      mandatory: ['in_app'],
      many: '{{count}} changes to your memberships',
    },
  ],
  rules: [
    {
      key: 'membership_requested',
      event_kind: 'membership.requested',
      kind: 'membership_requested',
      audience: [{ band: 'administer' }],
      channels: ['in_app', 'email'],
      title: '{{user_id}} has asked to join {{site_name}}',
      body: 'The requested role is {{role}}.',
      link: '/sites/{site_id}/members?pending={subject_id}',
    },
    decided('activated', 'You are now a member of {{site_name}}, as {{role}}'),
    decided('changed', 'Your role on {{site_name}} is now {{role}}'),
    decided('ended', 'Your membership of {{site_name}} has ended'), // a person who is no longer a member gets no notifications from the site
  ],
}

export const room = defineRoom({
  name: 'memberships',
  says: 'People on a site: their membership requests, roles and contractors.',
  routes,
  schedules,
  kinds: [membership],
  references: [
    {
      name: 'user',
      // A person who can't see the people of the site learns from a condition that a person is named, but not which one.
      ids: async (ctx, site_id, ids) => {
        const names = await memberNames(ctx.db, site_id, ids)
        return ctx.actor.kind === 'job' || ctx.actor.can('member_view') ? names : new Map([...names.keys()].map(id => [id, 'a member']))
      },
    },
  ],
  permissions: {
    member_invite: held(
      [...BANDS.coordinate, 'contractor_hse'],
      'Invite people; a contractor’s H&S person can invite people only to their own contractor',
    ),
    member_manage: held(
      BANDS.administer,
      'Approve membership requests, change roles and contractors, end memberships, and see all email addresses',
    ),
  },
  events: eventsOf(
    'membership',
    {
      user_id: 'Person',
      role: { ...field.text('Role', ROLES), words: ROLE_WORDS },
      contractor_id: 'Contractor',
      duties: field.texts('Duties that the person had'),
    },
    {
      requested: 'A membership was requested',
      activated: 'A person became a member',
      changed: 'The role or contractor of a member was changed',
      ended: 'A membership has ended',
    },
    { identities: { person: 'user_id' }, contractors: { own: 'contractor_id' }, sometimes: ['duties'] },
  ),
  notices,
  tasks: [
    {
      kind: 'approve_membership',
      area: 'site',
      title: 'Approve a membership request',
      action_label: 'Approve',
      link_pattern: '/sites/{site_id}/members?pending={subject_id}',
      addressed_to: 'site managers and administrators',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'approve or reject the request',
      falls_back_to: 'administer',
      label_seen_with: 'member_manage',
    },
    {
      kind: 'reassign_duties',
      area: 'site',
      title: 'Reassign the duties of a former member',
      action_label: 'Reassign',
      link_pattern: '/sites/{site_id}/members?duties={subject_id}',
      addressed_to: 'site managers and administrators',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'give the duties to other people, or make the person a member again',
      falls_back_to: 'administer',
      label_seen_with: 'member_manage',
    },
    {
      kind: 'check_address',
      area: 'site',
      title: 'A member can’t get emails',
      action_label: 'Correct',
      link_pattern: '/sites/{site_id}/members?address={subject_id}',
      addressed_to: 'site managers and administrators',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'ask a superadmin to allow the address again, or end the membership',
      falls_back_to: 'administer',
      label_seen_with: 'member_manage',
    },
  ],
  addresses: [askForAddress],
  uses: [
    members('memberships', 'ever', ['pending', 'active', 'ended']),
    members('members', 'ahead', ['active']),
    members('members', 'now', ['active']),
  ],
  site: {
    seeds: [
      {
        area: 'memberships',
        keys: [],
        run: async (ctx, site_id) => {
          if (ctx.actor.id === null) return
          const who = {
            user_id: ctx.actor.id,
            role: 'admin',
            contractor_id: null,
            requested_contractor_name: null,
            invite_id: null,
            why_pending: null,
            label: ctx.actor.name,
          } as const
          await admit(ctx, site_id, who)
        },
      },
    ],
  },
})
