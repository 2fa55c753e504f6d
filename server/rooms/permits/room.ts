import { BANDS, held } from '../../kernel/access/domain.ts'
import type { EventKind } from '../../kernel/events/door.ts'
import { eventsOf } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import type { TaskKind } from '../../kernel/tasks/door.ts'
import { waitingForPlace } from './actions/place.ts'
import { actsOn, dutiesOf, permitMembers, permitReference, permitUses } from './actions/sockets.ts'
import { attachment, permit, signature } from './door.ts'
import { schedules } from './jobs.ts'
import { liveCounts, liveNumbers } from './queries/lists.ts'
import { permitSubject } from './queries/subject.ts'
import { routes } from './routes.ts'

const BASE = {
  permit_id: 'Permit',
  permit_number: 'Number; null before submit',
  status: 'Status',
  from_status: 'Status before',
  categories: 'Types',
  contractor_id: 'Firm',
  requestor_id: 'Requestor',
  receiver_id: 'Receiver',
  issuer_id: 'Issuer',
  next_gate: 'Gate that is due',
  awaiting_countersign: 'The issuer has signed, the receiver has not',
}

const happened = (more: Record<string, string>, said: Record<string, string>): EventKind[] => eventsOf('permit', { ...BASE, ...more }, said)

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
  routes,
  schedules,
  kinds: [permit, signature, attachment],
  permissions: {
    permit_request: held(BANDS.contribute, 'Create, edit, submit, withdraw own permits'),
    permit_approve_stage1: held(BANDS.stage1, 'Endorse (stage 1, coordination check)'),
    permit_approve_stage2: held(BANDS.stage2, 'Approve (stage 2, H&S desk review)'),
  },
  events: [
    ...happened(
      { fields: 'What was changed' },
      { created: 'A draft was written', edited: 'A draft was changed', deleted: 'A draft was dropped' },
    ).map(event => ({ ...event, private: true })),
    ...happened({ resubmission: 'Submitted again after corrections' }, { submitted: 'A permit was submitted' }),
    ...happened({ signature_id: 'Signature', controls_added: 'Controls were added' }, { endorsed: 'A permit was endorsed' }),
    ...happened(
      {
        signature_id: 'Signature',
        red_conflicts: 'Red conflicts',
        amber_conflicts: 'Amber conflicts',
        controls_added: 'Controls were added',
      },
      { approved: 'A permit was approved' },
    ),
    ...happened({ by_gate: 'Gate that sent it back', note: 'Note' }, { corrections_requested: 'A permit was sent back for corrections' }),
    ...happened({ by_gate: 'Gate that rejected it', reason: 'Reason' }, { rejected: 'A permit was rejected' }),
    ...happened({}, { withdrawn: 'A permit was withdrawn' }),
    ...happened({ signature_id: 'Signature', window_ended: 'The window had ended' }, { issue_signed: 'The issuer has signed' }),
    ...happened({ by: 'countersign or issue' }, { issued: 'A permit went live' }),
    ...happened(
      { work_complete: 'The work is complete', by_receiver: 'By the receiver himself', note: 'Note' },
      { handed_back: 'A live or expired permit was handed back' },
    ),
    ...happened(
      { extension_request_id: 'Request', requested_by_id: 'Who asks', requested_end_at: 'New end', reason: 'Reason' },
      { extension_requested: 'A longer window is wished for' },
    ),
    ...happened(
      { extension_request_id: 'Request', requested_by_id: 'Who asked', new_end_at: 'End', reason: 'Reason' },
      { extension_approved: 'A longer window was approved', extension_rejected: 'A longer window was rejected' },
    ),
    ...happened({ lead_hours: 'Lead', minutes_left: 'Minutes left' }, { expiring_soon: 'A permit is about to end' }),
    ...happened(
      { handed_back: 'It was handed back', fire_watch_until: 'Fire watch', backdated: 'Imported with its end past' },
      { expired: 'The window of a permit is over and nobody closed it' },
    ),
    ...happened({ signature_id: 'Signature', bulk: 'Among several' }, { closed: 'A permit was closed out' }),
    ...happened({ new_permit_id: 'The new draft' }, { reissued: 'A new draft was made of a permit' }),
  ],
  tasks: [
    gate('endorse', 'Review & endorse', 'Endorse', 'the stage-1 band', 'endorse the permit, or ask for corrections', 'stage1'),
    gate('approve', 'Review & approve', 'Approve', 'the stage-2 band', 'approve the permit, or ask for corrections', 'stage2'),
    gate(
      'issue',
      'Walk down & issue',
      'Issue',
      'issuers appointed for all its types; the stage-2 band sees that it waits',
      'sign as issuer, or hand it back',
      'stage2',
    ),
    gate(
      'close_out',
      'Close out',
      'Close out',
      'both review bands and the issuers appointed for its types',
      'close the permit out',
      'stage1',
    ),
  ],
  acts: [actsOn],
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
