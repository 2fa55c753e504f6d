import { END_REASONS } from '../../../../shared/conflicts/episodes.ts'
import { isClause } from '../../../../shared/conflicts/pair-words.ts'
import { SEVERITIES } from '../../../../shared/conflicts/rules.ts'
import { LAPSE_REASONS, STANCES, WITHDRAWN } from '../../../../shared/conflicts/stances.ts'
import { SIDE_KINDS } from '../../../../shared/predicates/entity.ts'
import { counted } from '../../../../shared/text.ts'
import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { rowUse } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { clashChanges } from './actions/changes.ts'
import { dutiesOf } from './actions/duties.ts'
import { follower } from './actions/follow.ts'
import { clashEpisode, clashStance } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

const severity = { ...field.text('Severity', SEVERITIES), clause: isClause('the clash', value => value) }
const decided = { episode_id: 'Episode', stance_id: 'Decision', stance: field.text('Kind of decision', STANCES), severity }
const link = '/sites/{site_id}/clashes?episode={subject_id}'

/** Returns the rule that notifies both contractors and the coordinators of a red clash within 48 hours (`messages.md` §0.5). */
const redAhead = (
  verb: 'opened' | 'worsened' | 'reopened',
  title: string,
  body = 'It is there now or starts within 48 hours. Open it, and say who gives way.',
) => ({
  key: `red_clash_ahead:${verb}`,
  event_kind: `clash.${verb}`,
  kind: 'red_clash_ahead',
  when: {
    all: [
      { field: 'severity', op: 'eq', value: 'red' },
      { field: 'hours_ahead', op: 'lte', value: 48 },
    ],
  },
  audience: [{ contractor: 'a' }, { contractor: 'b' }, { role: 'coordinator' as const }],
  channels: ['in_app' as const],
  title,
  body,
  link,
})

export const room = defineRoom({
  name: 'clashes',
  says: 'Things that the clash rules don’t allow together: what is found as the site changes, and what people decide about it.',
  routes,
  kinds: [clashEpisode, clashStance],
  permissions: {
    clash_view_any: held(['coordinator', 'hse', 'site_manager', 'admin', 'viewer', 'commercial'], 'See the clashes of every contractor'),
    clash_stance: held(BANDS.contribute, 'Say who resolves a clash'),
    clash_stance_any: held(BANDS.coordinate, 'Settle any clash'),
    clash_accept_red: held(BANDS.manage, 'Settle red clashes'),
    clash_declare_blocker: held(BANDS.contribute, 'Say that work of their contractor has stopped because of a clash'),
    clash_declare_blocker_any: held(BANDS.coordinate, 'Say that work has stopped because of any clash'),
  },
  events: [
    ...eventsOf(
      'clash',
      {
        episode_id: 'Episode',
        rule_key: field.text('Key of the standard rule; null for a rule of the site'),
        severity,
        first_at: 'Start of the first clash',
        a_kind: field.text('Kind of side a', SIDE_KINDS),
        b_kind: field.text('Kind of side b', SIDE_KINDS),
        a_contractor_id: 'Contractor of side a',
        b_contractor_id: 'Contractor of side b',
        hours_ahead: {
          ...field.number('Hours until the start of the next clash; 0 if it is there now'),
          clause: ({ op, value }, denied) =>
            op === 'lte' && !denied ? `it is there now or begins within ${counted(Number(value), 'hour')}` : null,
        },
        end_reason: field.text('Why it ended; null for another event', END_REASONS),
      },
      {
        opened: 'Two things on site clash',
        worsened: 'A clash became more severe',
        eased: 'A clash became less severe',
        ended: 'A clash is over',
        reopened: 'A clash that had ended is there again',
      },
      { contractors: { a: 'a_contractor_id', b: 'b_contractor_id' } },
    ),
    ...eventsOf(
      'clash',
      {
        ...decided,
        owner_user_id: 'Person who resolves it',
        owner_contractor_id: 'Contractor who resolves it',
        due_at: 'Time by which it is resolved',
      },
      { stance_set: 'Someone decided about a clash' },
      { identities: { owner: 'owner_user_id' }, contractors: { owner: 'owner_contractor_id' } },
    ),
    ...eventsOf(
      'clash',
      { ...decided, lapse_reason: field.text('Why the decision lapsed', [...LAPSE_REASONS, WITHDRAWN]) },
      { stance_lapsed: 'A decision about a clash lapsed, because its facts changed or because someone withdrew it' },
    ),
  ],
  notices: {
    kinds: [
      {
        kind: 'red_clash_ahead',
        label: 'Red clashes within 48 hours',
        group: 'Safety',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} red clashes',
        moot_after: ['clash.ended', 'clash.eased', 'clash.stance_set'],
      },
    ],
    rules: [
      redAhead('opened', 'Red clash: {{subject_label}}'),
      redAhead('worsened', 'A clash has become red: {{subject_label}}'),
      redAhead(
        'reopened',
        'A red clash is back: {{subject_label}}',
        'It was over. It is there again now, or starts within 48 hours. Open it, and check that what was decided still applies.',
      ),
    ],
  },
  uses: [rowUse({ of: 'contractor', name: 'decisions_about_clashes', when: 'ever' }, 'clash_stance', 'owner_contractor_id')],
  duties: [dutiesOf],
  consumers: [follower],
  changes: [clashChanges],
  schedules,
  tasks: [
    {
      kind: 'resolve_clash',
      area: 'clashes',
      title: 'Settle clash',
      action_label: 'Open clash',
      link_pattern: link,
      addressed_to: 'coordinators',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'the clash is settled or over',
      falls_back_to: 'coordinate',
    },
    {
      kind: 'overdue_resolving',
      area: 'clashes',
      title: 'Resolve clash: overdue',
      action_label: 'Open clash',
      link_pattern: link,
      addressed_to: 'the person or contractor who resolves it',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'there is another decision, or the clash is over',
      falls_back_to: 'coordinate',
    },
  ],
})
