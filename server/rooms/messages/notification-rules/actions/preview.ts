import { DAY, dateOn, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalid, invalidField, refuse } from '../../../../base/errors.ts'
import { type Id, isId, PLATFORM } from '../../../../base/ids.ts'
import {
  type EventKind,
  type EventRow,
  eventById,
  eventKind,
  eventsSince,
  type FieldType,
  misfitsIn,
  sampleOf,
} from '../../../../kernel/events/door.ts'
import { channelFor } from '../../../../kernel/notices/domain/channels.ts'
import { CHANNELS } from '../../../../kernel/notices/domain/kinds.ts'
import {
  addressed,
  type Conditioned,
  groupsAsked,
  memberOn,
  noticeKind,
  preferencesOf,
  type RuleContent,
  ruleRow,
  seenBy,
  shippedById,
  unavailableFor,
  withGroups,
  worded,
} from '../../../../kernel/notices/door.ts'
import { compilePredicate, isPredicate, type Judge } from '../../../../kernel/predicates/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { type GivenContent, ruled } from '../domain.ts'
import { ruleOf } from '../door.ts'
import type { PreviewRule } from '../schema.ts'
import { ruleFaults } from './change.ts'
import { contentOf } from './show.ts'

const DAYS = 30
const LOOKED_AT = 5000
const ADDRESSED = 100

async function contentFor(ctx: Ctx, body: PreviewRule): Promise<{ given: GivenContent; shipped: boolean }> {
  const { site_id, rule_id, definition } = body
  const blank: GivenContent = {
    name: 'Draft',
    event_kind: '',
    audience: [],
    when: true,
    channels: ['in_app'],
    title: '',
    body: '',
    urgency: 'info',
    include_actor: false,
    enabled: true,
    kind: 'rule:draft',
  }
  if (rule_id !== undefined) {
    const shipped = shippedById(site_id, rule_id)
    const rule = ruleOf(site_id, await ruleRow(ctx.db, site_id, rule_id, false), shipped)
    if (rule === null) return refuse(invalidField('rule_id', 'isn’t a rule on this site. See GET /notification-rules/ for the list.'))
    return {
      given: { ...contentOf(rule), ...definition },
      shipped: shipped !== undefined && definition === undefined,
    }
  }
  if (definition === undefined) return refuse(invalidField('definition', 'is required if rule_id isn’t given.'))
  return { given: { ...blank, ...definition }, shipped: false }
}

/** What the value of a field must be. */
const MUST_BE: Record<FieldType, string> = {
  text: 'text',
  number: 'a number',
  minutes: 'a number of minutes',
  flag: 'true or false',
  instant: 'an instant such as 2026-03-29T07:30:00.000Z',
  date: 'a date such as 2026-03-29',
  id: 'an id (UUID)',
  ids: 'a list of ids (UUID)',
  texts: 'a list of texts',
  json: 'JSON',
}

/** Returns a made-up event with this payload. Its subject is the first record that the payload refers to. */
function madeUp(ctx: Ctx, site: { id: Id; timezone: string }, kind: EventKind, payload: Record<string, unknown>): EventRow {
  const [subject_kind = ''] = kind.kind.split('.')
  const named = payload[`${subject_kind}_id`]
  const known = typeof named === 'string' && isId(named) && named !== sampleOf(kind)[`${subject_kind}_id`]
  return {
    site_id: site.id,
    event_no: 0,
    id: PLATFORM,
    kind: kind.kind,
    schema: 1,
    at: ctx.now,
    actor_kind: 'user',
    actor_id: null,
    actor_name: 'Someone',
    actor_role: null,
    subject_kind: known ? subject_kind : 'site',
    subject_id: known ? named : site.id,
    subject_label: String(payload.permit_number ?? payload.subject_label ?? 'An example'),
    contractor_ids: [],
    place: null,
    work_date: dateOn(site.timezone, ctx.now),
    payload: { ...sampleOf(kind), ...payload },
    request_id: ctx.request_id,
  }
}

/** How many of the newest matching events are tried, until the caller can see one. */
const TRIED = 50

/** Returns whether the caller can see what an event is about: a preview shows its words and its people (decision 1093). */
async function isShownTo(ctx: Ctx, event: EventRow): Promise<boolean> {
  if (ctx.actor.is_superadmin) return true
  const member = ctx.actor.id === null ? null : await memberOn(ctx.db, event.site_id, ctx.actor.id)
  if (member === null) return false
  const seen = await seenBy(ctx, event.site_id, { kind: event.subject_kind, id: event.subject_id }, [member])
  return seen.has(member.user_id)
}

async function eventFor(ctx: Ctx, body: PreviewRule, kind: EventKind, fired: readonly EventRow[]): Promise<EventRow> {
  const site = await siteOf(ctx, body.site_id)
  if (body.event_id !== undefined) {
    const event = await eventById(ctx.db, body.site_id, body.event_id)
    if (event === null || !(await isShownTo(ctx, event))) return refuse(invalidField('event_id', 'isn’t an event on this site.'))
    return event.kind === kind.kind
      ? event
      : refuse(invalidField('event_id', `is another kind of event. Send the id of an event of the kind ${kind.kind}.`))
  }
  if (body.payload !== undefined) {
    const faults = misfitsIn(kind, body.payload).map(({ name, type }) => ({
      path: `payload.${name}`,
      message: `must be ${MUST_BE[type]}.`,
    }))
    return faults.length > 0 ? refuse(invalid(faults)) : madeUp(ctx, site, kind, body.payload)
  }
  for (const event of fired.slice(-TRIED).reverse()) if (await isShownTo(ctx, event)) return event
  return madeUp(ctx, site, kind, {})
}

async function recipientsOf(ctx: Ctx, event: EventRow, content: RuleContent) {
  const { recipients, dropped } = await addressed(ctx, event, content)
  const ids = recipients.map(one => one.member.user_id)
  const own = Map.groupBy(await preferencesOf(ctx.db, ids, [content.kind], event.site_id), row => row.user_id)
  const notice = noticeKind(content.kind) ?? { kind: content.kind, channels: content.channels }
  const out = []
  for (const { member, because } of recipients) {
    const channels: Record<string, { enabled: boolean; source: string }> = {}
    for (const channel of CHANNELS) {
      const why = await unavailableFor(ctx, member, channel)
      const { enabled, source } = channelFor(notice, channel, event.site_id, own.get(member.user_id) ?? [], why, content.channels)
      channels[channel] = { enabled, source }
    }
    out.push({ user_id: member.user_id, name: member.name, role: member.role, because, channels })
  }
  return { recipients: out, dropped }
}

/** Previews a rule's recipients and messages, and what it would have sent in the last 30 days. Stores nothing. */
export async function previewRule(ctx: Ctx, body: PreviewRule): Promise<Record<string, unknown>> {
  const { given, shipped } = await contentFor(ctx, body)
  const problems = shipped ? [] : await ruleFaults(ctx, body.site_id, given)
  const content: RuleContent = ruled(given)
  const { when } = content
  const kind = eventKind(content.event_kind)
  const none = { recipients: [], dropped: [], rendered: null, last_30_days: { events: 0, would_fire: 0, notifications: 0 } }
  if (problems.length > 0 || kind === undefined || !isPredicate(when)) return { valid: false, problems, ...none }
  const { timezone } = await siteOf(ctx, body.site_id)
  const compiled: Judge<Conditioned> = compilePredicate<Conditioned>(`event:${content.event_kind}`, when) // free of faults
  const judge = (event: Conditioned) => compiled(event, { now: event.at, timezone })
  // Groups have the members that they have today.
  const recent = await withGroups(
    ctx,
    await eventsSince(ctx.db, body.site_id, content.event_kind, later(ctx.now, -DAYS * DAY), LOOKED_AT),
    groupsAsked(content),
    ctx.now,
  )
  const fired = recent.filter(judge)
  const event = await eventFor(ctx, body, kind, fired)
  let notified = 0
  const looked = fired.slice(-ADDRESSED)
  for (const one of looked) notified += (await addressed(ctx, one, content)).recipients.length
  return {
    valid: true,
    problems,
    ...(await recipientsOf(ctx, event, content)),
    rendered: await worded(ctx, content, event, kind),
    last_30_days: {
      events: recent.length,
      would_fire: fired.length,
      notifications: looked.length === 0 ? 0 : Math.round((notified / looked.length) * fired.length),
    },
  }
}
