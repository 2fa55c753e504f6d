import {
  anything,
  flag,
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
} from '../../base/schema.ts'
import { SOURCES } from '../../kernel/notices/domain/channels.ts'
import { CHANNELS, URGENCIES } from '../../kernel/notices/domain/kinds.ts'
import { OPERATORS } from '../../kernel/predicates/domain/language.ts'

const channels = (what: string) => list(oneOf(CHANNELS, 'Channel'), what, { min: 1, max: 3, unique: true })
const anyTerm = anything('A term, as {"role": "hse"}, {"band": "stage2"}, {"named": "receiver"}, {"contractor": "own"}')

const content = {
  name: name('Name, unique on the site', { example: 'Hot work after four' }),
  event_kind: text('Event that fires it', { max: 100, example: 'permit.submitted' }),
  when: anything('Condition on the event (subject `event:<kind>`); true: always'),
  audience: list(anyTerm, 'Who is told', { min: 1, max: 20 }),
  channels: channels('By which channels'),
  title: text('Title, with {{field}} of the event', { min: 1, max: 200, example: 'Permit {{permit_number}} submitted' }),
  body: text('More of it, with {{field}}', { max: 1000, example: '{{title}}' }),
  urgency: oneOf(['info', 'attention'], 'How much it presses; critical are only kinds of the registry'),
  include_actor: flag('Tell who did it, too'),
  enabled: flag('Whether it is on'),
}

export const NotificationRule = shape('NotificationRule', 'A rule that turns an event into messages', {
  id: id('Rule'),
  site_id: id('Site'),
  origin_id: id('The rule over all its versions'),
  version: integer('Version', { min: 1 }),
  based_on_id: orNull(id('Rule that it was cloned from')),
  source: oneOf(['shipped', 'site'], 'Comes with the product, or is the site’s own'),
  locked: flag('Cannot be changed or switched off'),
  kind: text('Kind of notification that it makes', { max: 100, example: 'permit_awaiting_endorsement' }),
  ...content,
  urgency: oneOf(URGENCIES, 'How much it presses'),
  explanation: text('The rule in words', { max: 10_000 }),
  paused_until: orNull(instant('It told too many, and rests until then')),
  fired_30d: integer('How often it fired in the last 30 days'),
  reached_30d: integer('How many messages that made'),
  created_at: orNull(instant('When it was made; null for shipped ones')),
  updated_at: orNull(instant('When the site last changed it')),
})

export const RuleFilter = object({
  site_id: id('Site'),
  event_kind: optional(list(text('Event kind', { max: 100, example: 'permit.submitted' }), 'Event kinds', { max: 50 })),
  source: optional(oneOf(['shipped', 'site'], 'Shipped, or the site’s own')),
  enabled: optional(flag('On, or off')),
  kind: optional(list(text('Kind of notification', { max: 100, example: 'permit_live' }), 'Kinds', { max: 50 })),
  q: optional(text('Words in name or title', { min: 1, max: 200, example: 'hot work' })),
  id: optional(list(id('Rule'), 'Only these', { max: 200 })),
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

export const RuleChange = partial('NotificationRuleChange', 'What changes of a rule', content)
export type RuleChange = Static<typeof RuleChange>

export const CloneRule = shape('CloneNotificationRule', 'A copy, switched off', { name: optional(content.name) })
export const SwitchRule = shape('SwitchNotificationRule', 'On or off', { enabled: content.enabled })

export const RuleVersion = shape('NotificationRuleVersion', 'A rule as it was for a while', {
  version: integer('Version', { min: 1 }),
  content: object({ ...content, kind: text('Kind', { max: 100 }), urgency: oneOf(URGENCIES, 'Urgency') }, 'What it said'),
  valid_from: orNull(instant('Since when; null: since the site has it')),
  valid_to: orNull(instant('Until when; null: in force')),
  changed_by: orNull(object({ user_id: id('Person'), name: text('Name', { max: 200 }) }, 'Who made it so; null: it was shipped')),
  changes: list(text('A change in words', { max: 2000 }), 'What changed against the version before', { max: 50 }),
})

export const EventSchema = shape('EventSchema', 'An event that rules can use', {
  event_kind: text('Event kind', { max: 100, example: 'permit.submitted' }),
  area: text('Area', { max: 60, example: 'permits' }),
  label: text('When it is', { max: 300, example: 'A permit was submitted' }),
  schema: integer('Version of the payload', { min: 1 }),
  fields: list(
    object({
      path: text('Name in conditions and words', { max: 100, example: 'permit_number' }),
      type: text('Type, of the language of conditions', { max: 40, example: 'text' }),
      values: optional(list(text('Value', { max: 100 }), 'All that it can be', { max: 100 })),
      operators: list(oneOf(OPERATORS, 'Operator'), 'How it can be compared', { max: OPERATORS.length }),
      refers: optional(
        text('What its ids or codes name: user, contractor, reference_feature, permit_type', { max: 60, example: 'contractor' }),
      ),
      label: text('What it is', { max: 300 }),
      in_words: flag('May stand in title and body'),
    }),
    'Fields',
    { max: 200 },
  ),
  words: list(
    object({ path: text('Name between the braces', { max: 100, example: 'permit_number' }), label: text('What it is', { max: 300 }) }),
    'What may stand in title and body, as {{path}}',
    { max: 200 },
  ),
  identities: list(text('Name for {"named": …}', { max: 60, example: 'receiver' }), 'People whom it carries', { max: 50 }),
  contractors: list(text('Name for {"contractor": …}', { max: 60, example: 'own' }), 'Firms that it carries', { max: 50 }),
  sample: record(anything('Value'), 'A payload as it may be'),
})

export const PreviewRule = shape('PreviewNotificationRule', 'Whom a rule would tell', {
  site_id: id('Site'),
  rule_id: optional(id('A rule of the site')),
  definition: optional(ref(RuleChange, 'A rule that is not saved; beside rule_id: what would change of it')),
  event_id: optional(id('Event to judge it by; default: the newest that fires it')),
  payload: optional(record(anything('Value'), 'A payload to judge it by')),
})
export type PreviewRule = Static<typeof PreviewRule>

const way = object({ enabled: flag('Whether it goes this way'), source: oneOf(SOURCES, 'What decides it') }, 'A channel')

export const RulePreview = shape('NotificationRulePreview', 'Whom a rule would tell, of what, and how often', {
  valid: flag('Whether it could be saved'),
  problems: list(object({ path: text('Place', { max: 300 }), message: text('What is wrong', { max: 2000 }) }), 'What is wrong with it', {
    max: 200,
  }),
  recipients: list(
    object({
      user_id: id('Person'),
      name: text('Name', { max: 200 }),
      role: text('Role on the site', { max: 40, example: 'hse' }),
      because: list(anyTerm, 'Terms that bring the person in', { max: 20 }),
      channels: object({ in_app: way, email: way, push: way }, 'By channel'),
    }),
    'Who would be told',
    { max: 10_000 },
  ),
  dropped: list(
    object({ user_id: id('Person'), why: oneOf(['not_visible', 'not_a_member', 'actor'], 'Why not') }),
    'Who was meant and would not be told',
    { max: 10_000 },
  ),
  rendered: orNull(object({ title: text('Title', { max: 200 }), body: text('Body', { max: 1000 }) }, 'The words')),
  last_30_days: object(
    {
      events: integer('Events of the kind'),
      would_fire: integer('Of these, those that fulfil the condition'),
      notifications: integer('Messages that would have been made; beyond 100 such events reckoned from their average'),
    },
    'What it would have done',
  ),
})
