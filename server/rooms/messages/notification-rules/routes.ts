import { created, del, get, patch, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { changeRule, cloneRule, createRule, deleteRule, switchRule } from './actions/change.ts'
import { previewRule } from './actions/preview.ts'
import { listEventSchemas, listRules, listVersions, showRule } from './actions/show.ts'
import { rule } from './door.ts'
import {
  CloneRule,
  EventSchema,
  NewRule,
  NotificationRule,
  PreviewRule,
  RuleChange,
  RuleFilter,
  RulePreview,
  RuleVersion,
  SwitchRule,
} from './schema.ts'

const all = '/notification-rules/'
const one = '/notification-rules/:rule_id'
const view = { needs: 'notification_rule_view' } as const
const manage = { needs: 'notification_rule_manage' } as const

export const routes = [
  get(all, {
    name: 'notification_rule.list',
    summary: 'List notification rules',
    says: 'Returns the notification rules of a site: fixed rules (`locked`) first, then by event and name.',
    access: view,
    query: RuleFilter,
    reply: Type.Array(ref(NotificationRule)),
    handle: ({ ctx, query }) => listRules(ctx, query),
  }),
  post(all, {
    name: 'notification_rule.create',
    summary: 'Create a notification rule',
    says: 'Adds a rule to the site. A new rule is off unless `enabled` is true.',
    access: manage,
    body: NewRule,
    of: NotificationRule,
    reply: ref(NotificationRule),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createRule(ctx, body)
      return created(made, `/notification-rules/${made.id}`)
    },
  }),
  get('/notification-rules/event-schemas', {
    name: 'notification_rule.list_event_schemas',
    summary: 'List event schemas',
    says: 'Returns the events that a rule can use, by kind, each with its fields, people and contractors.',
    access: { signed_in: true },
    reply: Type.Array(ref(EventSchema)),
    handle: () => listEventSchemas(),
  }),
  post('/notification-rules/preview-recipients', {
    name: 'notification_rule.preview',
    summary: 'Preview a notification rule',
    says: 'Returns a rule’s recipients, the text of its notification, and how often the rule would have been triggered in the last 30 days. Stores nothing.',
    access: view,
    reads: true,
    body: PreviewRule,
    reply: ref(RulePreview),
    handle: ({ ctx, body }) => previewRule(ctx, body),
  }),
  get(one, {
    name: 'notification_rule.show',
    summary: 'Show a notification rule',
    says: 'Returns a rule, with an explanation in words and how often it was triggered in the last 30 days.',
    access: view,
    on: rule,
    reply: ref(NotificationRule),
    handle: ({ ctx, thing }) => showRule(ctx, thing),
  }),
  patch(one, {
    name: 'notification_rule.change',
    summary: 'Update a notification rule',
    says: 'Saves the changes as the rule’s next version. Only `enabled` and `channels` of a standard rule can be changed. A fixed rule (`locked`) can’t be changed at all.',
    access: manage,
    on: rule,
    body: RuleChange,
    reply: ref(NotificationRule),
    handle: ({ ctx, thing, body }) => changeRule(ctx, thing, body),
  }),
  del(one, {
    name: 'notification_rule.delete',
    summary: 'Delete a notification rule',
    says: 'Deletes one of the site’s own rules. Standard rules can’t be deleted. Notifications that the rule created stay.',
    access: manage,
    on: rule,
    reply: null,
    handle: ({ ctx, thing }) => deleteRule(ctx, thing),
  }),
  post(`${one}/clone`, {
    name: 'notification_rule.clone',
    summary: 'Copy a notification rule',
    says: 'Copies any rule into a new rule of the site. The copy is switched off, and has urgency `attention` if the original is critical.',
    access: manage,
    on: rule,
    body: CloneRule,
    reply: ref(NotificationRule),
    status: 201,
    handle: async ({ ctx, thing, body }) => {
      const made = await cloneRule(ctx, thing, body.name)
      return created(made, `/notification-rules/${made.id}`)
    },
  }),
  post(`${one}/enabled`, {
    name: 'notification_rule.switch',
    summary: 'Switch a notification rule on or off',
    says: 'Switches a rule on or off, as the rule’s next version. Fixed rules (`locked`) can’t be switched off.',
    access: manage,
    on: rule,
    body: SwitchRule,
    reply: ref(NotificationRule),
    handle: ({ ctx, thing, body }) => switchRule(ctx, thing, body.enabled),
  }),
  get(`${one}/versions`, {
    name: 'notification_rule.list_versions',
    summary: 'List versions of a notification rule',
    says: 'Returns the versions of a rule, newest first.',
    access: view,
    on: rule,
    reply: Type.Array(ref(RuleVersion)),
    handle: ({ ctx, thing }) => listVersions(ctx, thing),
  }),
]
