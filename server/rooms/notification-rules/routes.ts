import { created, del, get, patch, post } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
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
    says: 'Rules by which people of a site are told: fixed ones first, then by event and name.',
    access: view,
    query: RuleFilter,
    reply: Type.Array(ref(NotificationRule)),
    handle: ({ ctx, query }) => listRules(ctx, query),
  }),
  post(all, {
    name: 'notification_rule.create',
    says: 'Writes a rule of the site; it is off unless it says that it is on.',
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
    says: 'Every event that a rule can use, with its fields, people and firms.',
    access: { signed_in: true },
    reply: Type.Array(ref(EventSchema)),
    handle: () => listEventSchemas(),
  }),
  post('/notification-rules/preview-recipients', {
    name: 'notification_rule.preview',
    says: 'Whom a rule would tell, in what words, and how often it would have fired in the last 30 days. Stores nothing.',
    access: view,
    reads: true,
    body: PreviewRule,
    reply: ref(RulePreview),
    handle: ({ ctx, body }) => previewRule(ctx, body),
  }),
  get(one, {
    name: 'notification_rule.show',
    says: 'A rule, in words and with how often it fired.',
    access: view,
    on: rule,
    reply: ref(NotificationRule),
    handle: ({ ctx, thing }) => showRule(ctx, thing),
  }),
  patch(one, {
    name: 'notification_rule.change',
    says: 'Changes a rule of the site as its next version; of a shipped one the switch and the channels.',
    access: manage,
    on: rule,
    body: RuleChange,
    reply: ref(NotificationRule),
    handle: ({ ctx, thing, body }) => changeRule(ctx, thing, body),
  }),
  del(one, {
    name: 'notification_rule.delete',
    says: 'Takes a rule of the site away.',
    access: manage,
    on: rule,
    reply: null,
    handle: ({ ctx, thing }) => deleteRule(ctx, thing),
  }),
  post(`${one}/clone`, {
    name: 'notification_rule.clone',
    says: 'Makes a rule of the site from any rule, switched off.',
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
    says: 'Switches a rule on or off.',
    access: manage,
    on: rule,
    body: SwitchRule,
    reply: ref(NotificationRule),
    handle: ({ ctx, thing, body }) => switchRule(ctx, thing, body.enabled),
  }),
  get(`${one}/versions`, {
    name: 'notification_rule.list_versions',
    says: 'What a rule said, the newest version first.',
    access: view,
    on: rule,
    reply: Type.Array(ref(RuleVersion)),
    handle: ({ ctx, thing }) => listVersions(ctx, thing),
  }),
]
