import { dateOn, HOUR, instant, later, MINUTE, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, invalidField, notFound, rateLimited, refuse } from '../../../../base/errors.ts'
import { type Id, PLATFORM } from '../../../../base/ids.ts'
import type { Static } from '../../../../base/schema.ts'
import { type EventRow, eventKind, newestOf, sampleOf } from '../../../../kernel/events/door.ts'
import { callsSince, countCall } from '../../../../kernel/identity/door.ts'
import {
  type Member,
  memberOn,
  type RuleContent,
  ruleRow,
  seenBy,
  shippedById,
  type Tried,
  tryChannels,
  worded,
} from '../../../../kernel/notices/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import type { TestDispatch } from '../schema.ts'

const AN_HOUR = 5

/** Allows a person five tests in any sixty minutes. Returns the function that counts this one. */
async function limit(ctx: Ctx, user_id: Id): Promise<() => Promise<void>> {
  const bucket = `test dispatch ${user_id}`
  const minute = instant(Math.floor(ms(ctx.now) / MINUTE) * MINUTE)
  const from = later(minute, -HOUR + MINUTE)
  const { calls, first } = await callsSince(ctx.db, bucket, from, later(minute, MINUTE))
  if (calls >= AN_HOUR) {
    const free = first === null ? ctx.now : later(first, HOUR)
    refuse(
      rateLimited(
        Math.max(1, Math.ceil((ms(free) - ms(ctx.now)) / 1000)),
        'You’ve sent five test notifications in the last hour, the most that you can send. Try again later.',
      ),
    )
  }
  return async () => {
    await countCall(ctx.db, bucket, minute)
  }
}

/** Returns the newest event of a kind if this person can see it, otherwise a made-up one. */
async function eventFor(ctx: Ctx, site_id: Id, event_kind: string, member: Member): Promise<EventRow> {
  const kind = eventKind(event_kind)
  const newest = await newestOf(ctx.db, site_id, event_kind)
  if (newest !== null) {
    const seen = await seenBy(ctx, site_id, { kind: newest.subject_kind, id: newest.subject_id }, [member])
    if (seen.has(member.user_id)) return newest
  }
  return {
    site_id,
    event_no: 0,
    id: PLATFORM,
    kind: event_kind,
    schema: 1,
    at: ctx.now,
    actor_kind: 'user',
    actor_id: null,
    actor_name: 'Someone',
    actor_role: null,
    subject_kind: 'site',
    subject_id: site_id,
    subject_label: 'An example',
    contractor_ids: [],
    place: null,
    work_date: dateOn((await siteOf(ctx, site_id)).timezone, ctx.now),
    payload: kind === undefined ? {} : sampleOf(kind),
    request_id: ctx.request_id,
  }
}

async function ruleOf(ctx: Ctx, site_id: Id, rule_id: Id): Promise<RuleContent> {
  const shipped = shippedById(site_id, rule_id)
  if (shipped !== undefined) return shipped
  return (
    (await ruleRow(ctx.db, site_id, rule_id, false)) ??
    refuse(invalidField('rule_id', 'isn’t a rule on this site. See GET /notification-rules/ for the list.'))
  )
}

/** Sends one message now, and returns how each channel did. Runs outside any transaction, because it calls other machines. */
export async function testDispatch(ctx: Ctx, body: Static<typeof TestDispatch>, key: string | null): Promise<{ results: Tried[] }> {
  const { site_id, channels = ['in_app', 'email', 'push'], rule_id, user_id = ctx.actor.id ?? '' } = body
  const other = user_id !== ctx.actor.id
  if (other) enforce([ctx.actor.lacks('notification_rule_manage')])
  // The message is the text of the rule.
  if (rule_id !== undefined) enforce([ctx.actor.lacks('notification_rule_view')])
  const member = await memberOn(ctx.db, site_id, user_id)
  if (member === null) refuse(other ? invalidField('user_id', 'isn’t an active member of this site.') : notFound())
  const rule = rule_id === undefined ? null : await ruleOf(ctx, site_id, rule_id)
  const count = await limit(ctx, ctx.actor.id ?? '')
  const words = { kind: 'test_message', title: 'This is a test notification from Walkdown', body: '', rule_id: null }
  const trial = { site_id, member, channels, key }
  if (rule === null || rule_id === undefined) return { results: await tryChannels(ctx, { ...trial, words }, count) }
  const kind = eventKind(rule.event_kind)
  const said = kind === undefined ? words : await worded(ctx, rule, await eventFor(ctx, site_id, rule.event_kind, member), kind)
  return { results: await tryChannels(ctx, { ...trial, words: { kind: rule.kind, ...said, rule_id } }, count) }
}
