import { GROUP_SUBJECTS, OPERATORS } from '../../../../shared/predicates/language.ts'
import {
  anything,
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  name,
  object,
  oneOf,
  optional,
  orNull,
  partial,
  record,
  ref,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { SOURCES } from '../../../kernel/notices/domain/channels.ts'
import { CHANNELS, URGENCIES } from '../../../kernel/notices/domain/kinds.ts'

const channels = (what: string) => list(oneOf(CHANNELS, 'Channel'), what, { min: 1, max: 3, unique: true })
const anyTerm = anything('A term, for example {"role": "hse"}, {"band": "stage2"}, {"named": "receiver"} or {"contractor": "own"}')

const content = {
  name: name('Name, unique among the site’s own rules, ignoring case', { example: 'Hot work after four' }),
  event_kind: text('Event that triggers the rule', { max: 100, example: 'permit.submitted' }),
  when: anything('Condition on the event (subject `event:<kind>`); `true` matches every event'),
  audience: list(anyTerm, 'Recipients', { min: 1, max: 20 }),
  channels: channels('Channels'),
  title: text('Title; can contain fields of the event as {{field}}', { min: 1, max: 200, example: 'Permit {{permit_number}} submitted' }),
  body: text('Body; can contain fields of the event as {{field}}', { max: 1000, example: '{{title}}' }),
  urgency: oneOf(['info', 'attention'], 'Urgency; only built-in kinds can be critical'),
  include_actor: flag('Whether the person who caused the event is notified too'),
  enabled: flag('Whether the rule is on'),
}

export const NotificationRule = shape('NotificationRule', 'A rule that turns an event into notifications', {
  id: id('Rule'),
  site_id: id('Site'),
  origin_id: id('Id of the rule, the same for all its versions'),
  version: integer('Version', { min: 1 }),
  based_on_id: orNull(id('Rule that this one was copied from; null if it isn’t a copy')),
  source: oneOf(['shipped', 'site'], 'Standard rule (`shipped`), or the site’s own'),
  locked: flag('Whether the rule is fixed, so that no one can change it or switch it off'),
  kind: text('Kind of the notifications that the rule creates', { max: 100, example: 'permit_awaiting_endorsement' }),
  ...content,
  urgency: oneOf(URGENCIES, 'Urgency'),
  explanation: text('The rule in words', { max: 10_000 }),
  paused_until: orNull(instant('End of the pause after too many notifications; null if the rule isn’t paused')),
  fired_30d: integer('Number of times the rule was triggered in the last 30 days'),
  reached_30d: integer('Number of notifications that the rule created in the last 30 days'),
  permissions: flags(['edit', 'switch', 'clone', 'delete'], { switch: 'switch the rule on or off' }),
  created_at: orNull(instant('Creation time; null for standard rules')),
  updated_at: orNull(instant('Time when the site last changed the rule; null for a standard rule that it hasn’t changed')),
})

export const RuleFilter = object({
  site_id: id('Site'),
  event_kind: optional(list(text('Kind of event', { max: 100, example: 'permit.submitted' }), 'Event kinds', { max: 50 })),
  source: optional(
    list(oneOf(['shipped', 'site'], 'Source'), 'Sources: standard rules (`shipped`), or the site’s own; default both', { max: 2 }),
  ),
  enabled: optional(flag('State of the rules to return: true for rules that are on, false for rules that are off; default both')),
  kind: optional(list(text('Kind of notification', { max: 100, example: 'permit_live' }), 'Kinds', { max: 50 })),
  q: optional(text('Text to search for in names and titles', { max: 200, example: 'hot work' })),
  id: optional(list(id('Rule'), 'Ids', { max: 200 })),
})
export type RuleFilter = Static<typeof RuleFilter>

export const NewRule = shape('NewNotificationRule', 'A rule of the site', {
  site_id: id('Site'),
  name: content.name,
  event_kind: content.event_kind,
  when: optional(content.when),
  audience: content.audience,
  channels: optional(content.channels),
  title: content.title,
  body: optional(content.body),
  urgency: optional(content.urgency),
  include_actor: optional(content.include_actor),
  enabled: optional(content.enabled),
})
export type NewRule = Static<typeof NewRule>

export const RuleChange = partial('NotificationRuleChange', 'Changes to a rule', content)
export type RuleChange = Static<typeof RuleChange>

export const CloneRule = shape('CloneNotificationRule', 'A copy of a rule', { name: optional(content.name) })
export const SwitchRule = shape('SwitchNotificationRule', 'Whether a rule is on', { enabled: content.enabled })

export const RuleVersion = shape('NotificationRuleVersion', 'A version of a rule', {
  version: integer('Version', { min: 1 }),
  content: object({ ...content, kind: text('Kind', { max: 100 }), urgency: oneOf(URGENCIES, 'Urgency') }, 'Content'),
  valid_from: orNull(instant('Start; null for the standard version')),
  valid_to: orNull(instant('End; null while the version is active')),
  changed_by: orNull(
    object({ user_id: id('Person'), name: text('Name', { max: 200 }) }, 'Person who saved the version; null for the standard version'),
  ),
  changes: list(text('Change, described in words', { max: 2000 }), 'Changes since the previous version', { max: 50 }),
})

export const EventSchema = shape('EventSchema', 'An event that rules can use', {
  event_kind: text('Kind of event', { max: 100, example: 'permit.submitted' }),
  area: text('Area', { max: 60, example: 'permits' }),
  label: text('Event in words', { max: 300, example: 'A permit was submitted' }),
  schema: integer('Payload version', { min: 1 }),
  fields: list(
    object({
      path: text('Name in conditions and in the text of notifications', { max: 100, example: 'permit_number' }),
      type: text('Type in the condition language', { max: 40, example: 'text' }),
      values: optional(list(text('Value', { max: 100 }), 'Possible values', { max: 100 })),
      operators: list(oneOf(OPERATORS, 'Operator'), 'Operators', { max: OPERATORS.length }),
      refers: optional(
        text('Kind of record that the field’s ids or codes refer to: user, contractor, reference_feature, permit_type, smart_group', {
          max: 60,
          example: 'contractor',
        }),
      ),
      groups: optional(oneOf(GROUP_SUBJECTS, 'Subject of the smart groups that can be used, in a field of smart groups')),
      label: text('Description', { max: 300 }),
      in_words: flag('Whether the field can be used in the title and body'),
    }),
    'Fields',
    { max: 200 },
  ),
  words: list(
    object({
      path: text('Placeholder name, without braces', { max: 100, example: 'permit_number' }),
      label: text('Description', { max: 300 }),
    }),
    'Fields for title and body, as {{path}}',
    { max: 200 },
  ),
  identities: list(text('Name of a person in the event, for {"named": …}', { max: 60, example: 'receiver' }), 'People in the event', {
    max: 50,
  }),
  contractors: list(
    text('Name of a contractor in the event, for {"contractor": …}', { max: 60, example: 'own' }),
    'Contractors in the event',
    { max: 50 },
  ),
  sample: record(anything('Value'), 'An example payload'),
})

export const PreviewRule = shape('PreviewNotificationRule', 'A rule to preview', {
  site_id: id('Site'),
  rule_id: optional(id('Rule to preview: a standard one or one of the site’s own')),
  definition: optional(ref(RuleChange, 'An unsaved rule; with rule_id, the changes to that rule')),
  event_id: optional(
    id('Event to test the rule with; default: the newest matching event of the last 30 days, or an example if there is none'),
  ),
  payload: optional(record(anything('Value'), 'Payload to test the rule with; ignored if event_id is sent')),
})
export type PreviewRule = Static<typeof PreviewRule>

const way = object(
  { enabled: flag('Whether this channel is used'), source: oneOf(SOURCES, 'Setting that decides whether the channel is used') },
  'A channel',
)

export const RulePreview = shape('NotificationRulePreview', 'A rule’s recipients, notifications and frequency', {
  valid: flag('Whether the rule can be saved'),
  problems: list(object({ path: text('Path of the faulty field', { max: 300 }), message: text('Fault', { max: 2000 }) }), 'Faults', {
    max: 200,
  }),
  recipients: list(
    object({
      user_id: id('Person'),
      name: text('Name', { max: 200 }),
      role: text('Role on the site', { max: 40, example: 'hse' }),
      because: list(anyTerm, 'Terms of the audience that include the person', { max: 20 }),
      channels: object({ in_app: way, email: way, push: way }, 'Channels of the person'),
    }),
    'Recipients',
    { max: 10_000 },
  ),
  dropped: list(
    object({ user_id: id('Person'), why: oneOf(['not_visible', 'not_a_member', 'actor'], 'Reason') }),
    'People in the audience who wouldn’t be notified',
    { max: 10_000 },
  ),
  rendered: orNull(
    object(
      { title: text('Title', { max: 200 }), body: text('Body', { max: 1000 }) },
      'Text of the notification; null if the rule has faults',
    ),
  ),
  last_30_days: object(
    {
      events: integer('Number of events of this kind, at most 5000'),
      would_fire: integer('Number of events that match the condition'),
      notifications: integer('Number of notifications that would have been created; an estimate if more than 100 events match'),
    },
    'What the rule would have done in the last 30 days',
  ),
})
