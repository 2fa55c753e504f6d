import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import type { TaskKind } from '../../../kernel/tasks/door.ts'
import { nextGateOf, permitSight } from './actions/audience.ts'
import { pendingPermits } from './actions/pending.ts'
import { waitingForPlace } from './actions/place.ts'
import { actsOn, dutiesOf, permitMembers, permitReference, permitUses } from './actions/sockets.ts'
import { permitEvents } from './domain/events.ts'
import { permitNotices, permitRules } from './domain/notices.ts'
import { attachment, permit, signature } from './door.ts'
import { jobs, schedules } from './jobs.ts'
import { liveCounts, liveNumbers } from './queries/lists.ts'
import { permitSubject } from './queries/subject.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { routes } from './routes/permits.ts'

const gate = (
  kind: string,
  title: string,
  action_label: string,
  addressed_to: string,
  resolves_when: string,
  falls_back_to: TaskKind['falls_back_to'],
): TaskKind => ({
  kind: `${kind}_permit`,
  area: 'permits',
  title,
  action_label,
  link_pattern: `/sites/{site_id}/permits/{subject_id}?review=${kind}`,
  addressed_to,
  manual_resolve: false,
  urgency: 'attention',
  resolves_when,
  falls_back_to,
})

export const room = defineRoom({
  name: 'permits',
  says: 'Permits to work: drafts, reviews, signatures and close-out.',
  routes: [...routes, ...attachmentRoutes],
  jobs,
  schedules,
  kinds: [permit, signature, attachment],
  permissions: {
    permit_request: held(BANDS.contribute, 'Create, edit, submit and withdraw your own permits'),
    permit_approve_stage1: held(BANDS.stage1, 'Endorse permits (stage 1, coordination check)'),
    permit_approve_stage2: held(BANDS.stage2, 'Approve permits (stage 2, H&S desk review)'),
  },
  events: permitEvents,
  notices: { kinds: permitNotices, rules: permitRules, sights: [permitSight], gates: [{ subject_kind: 'permit', of: nextGateOf }] },
  tasks: [
    gate(
      'endorse',
      'Review & endorse',
      'Endorse',
      'everyone who can endorse permits',
      'endorse or reject the permit, or return it for corrections',
      'stage1',
    ),
    gate(
      'approve',
      'Review & approve',
      'Approve',
      'everyone who can approve permits',
      'approve or reject the permit, or return it for corrections',
      'stage2',
    ),
    gate(
      'issue',
      'Walk down and issue',
      'Issue',
      'issuers appointed for all the permit’s types; people who can approve permits see that the permit is waiting',
      'sign as issuer or hand the permit back',
      'stage2',
    ),
    gate(
      'close_out',
      'Close out',
      'Close out',
      'reviewers, and issuers appointed for the permit’s types',
      'close out the permit',
      'stage1',
    ),
  ],
  acts: [actsOn],
  pending: [pendingPermits],
  duties: [dutiesOf],
  uses: permitUses,
  subjects: [permitSubject],
  members: [permitMembers],
  references: [permitReference],
  site: {
    liveness: [(ctx, site_ids) => liveNumbers(ctx.db, site_ids)],
    counts: [{ name: 'live_permits', of: (ctx, site_ids) => liveCounts(ctx.db, site_ids) }],
    unplaced: [waitingForPlace],
  },
})
