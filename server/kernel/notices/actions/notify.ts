// From an event to people: rules, recipients, texts, channels, and one statement that writes everything.
import { DAY, HOUR, hourOf, type Instant, instant, ms, startOfDay } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { once } from '../../../base/memo.ts'
import { allEvents, type Consumer, type EventKind, type EventRow, eventKind, fieldsOf, newestOf } from '../../events/door.ts'
import { siteOf } from '../../site/door.ts'
import type { Recipient } from '../domain/audience.ts'
import { channelFor, deliveryFor, digestFor, type Preference, quietFor, type Unavailable } from '../domain/channels.ts'
import { heldUntil } from '../domain/hours.ts'
import { CHANNELS, type Channel, type Rule, type Term, type Urgency } from '../domain/kinds.ts'
import { BODY_LIMIT, cut, fieldsIn, filledIn, oneLine, TITLE_LIMIT } from '../domain/words.ts'
import { countRule, insertNotifications, type Notified, ruleHour } from '../queries/made.ts'
import { namesOf, preferencesOf } from '../queries/people.ts'
import { addressed } from './address.ts'
import { pushPort } from './push.ts'
import { allShipped, isRuled, noticeKind } from './registry.ts'
import { firedBy } from './rules.ts'
import { settle, settlingEvents } from './settle.ts'

/** A site's own rule that would make more notifications than this in an hour is paused until the next hour. */
export const MOST_AN_HOUR = 500

/** Older events are shown in the app only, so that nobody is disturbed by yesterday's news. */
const STALE_MS = DAY

/** Returns the title and body of a rule for an event, with times of the site and names in place of ids. */
export async function worded(
  ctx: Ctx,
  rule: Pick<Rule, 'title' | 'body'>,
  event: EventRow,
  kind: EventKind,
): Promise<{ title: string; body: string }> {
  const site = await siteOf(ctx, event.site_id)
  const fields = fieldsOf(kind)
  const used = [...new Set([...fieldsIn(rule.title), ...fieldsIn(rule.body)])]
  const named = used.flatMap(name => (['id', 'ids'].includes(fields[name]?.type ?? '') ? [event.payload[name]].flat() : []))
  const names = await namesOf(
    ctx.db,
    event.site_id,
    named.filter((id): id is Id => typeof id === 'string'),
  )
  const how = { timezone: site.timezone, locale: site.locale, label: (id: string) => names.get(id) }
  return {
    // If every field of the title is empty, the title is the name of the subject.
    title: oneLine(filledIn(rule.title, event, fields, site.name, how) || event.subject_label || kind.says, TITLE_LIMIT),
    body: cut(filledIn(rule.body, event, fields, site.name, how), BODY_LIMIT),
  }
}

/** Returns why a channel can't reach a person now; null if it can. */
export async function unavailableFor(
  ctx: Ctx,
  who: Pick<Recipient['member'], 'user_id' | 'email' | 'no_email'>,
  channel: Channel,
): Promise<Unavailable> {
  if (channel === 'in_app') return null
  if (channel === 'email') return ctx.house.settings.smtp_url === null ? 'not_configured' : who.email === null ? who.no_email : null
  const port = pushPort()
  if (port === null || !port.enabled(ctx.house)) return 'not_configured'
  return (await port.hasDevice(ctx.db, who.user_id)) ? null : 'no_subscription'
}

/** The rules of one kind that an event triggers, treated as one. */
type Joined = { kind: string; urgency: Urgency; first: Rule; rules: Rule[] }

function joined(rules: readonly Rule[]): Joined[] {
  return [...Map.groupBy(rules, rule => rule.kind).values()].flatMap(some => {
    const [first] = some
    return first === undefined ? [] : [{ kind: first.kind, urgency: first.urgency, first, rules: some }]
  })
}

/** Decides how one person is notified: a notification, and one send for each channel that a rule or the person has chosen. */
async function notificationFor(
  ctx: Ctx,
  event: EventRow,
  one: Joined,
  who: { recipient: Recipient; rules: readonly Rule[] },
  own: readonly Preference[],
  timezone: string,
): Promise<Notified> {
  const { member, because } = who.recipient
  const site_id = event.site_id
  const registered = noticeKind(one.kind)
  const asked = [...new Set(who.rules.flatMap(rule => rule.channels))]
  const kind = registered ?? { kind: one.kind, channels: asked, mandatory: [] }
  const chosen = who.rules.some(rule => rule.channels_chosen) || registered === undefined ? asked : null
  const stale = ms(ctx.now) - ms(event.at) > STALE_MS
  const notified: Notified = { id: ids.next(), user_id: member.user_id, because, in_app: false, sends: [] }
  for (const channel of CHANNELS) {
    // A preference can add a channel to those of the rule. Whether the channel can reach the person is only looked up if it is on.
    const first = channelFor(kind, channel, site_id, own, null, chosen ?? asked)
    const unavailable = first.enabled ? await unavailableFor(ctx, member, channel) : null
    if (!first.enabled && channel !== 'in_app' && !asked.includes(channel)) continue
    const id = ids.next()
    const send = (state: string, detail: string | null = null, due_at: Instant | null = null, message_id: Id | null = null) =>
      notified.sends.push({ id, channel, state, detail, due_at, message_id })
    if (!first.enabled) send('skipped', 'preference')
    else if (channel === 'in_app') send('delivered')
    else if (unavailable !== null) send('skipped', unavailable === 'not_configured' ? unavailable : 'unavailable')
    else if (stale) send('skipped', 'stale')
    else {
      const delivery = channel === 'email' ? deliveryFor(one.kind, one.urgency, site_id, own) : 'immediate'
      const how = { urgency: one.urgency, delivery, quiet: quietFor(channel, site_id, own), digest: digestFor(site_id, own) }
      const until = heldUntil(how, ctx.now, timezone)
      if (until === null) send('queued', null, null, ids.next())
      else send('held', null, until)
    }
    if (channel === 'in_app') notified.in_app = first.enabled
  }
  return notified
}

/** Finds all recipients of the rules of one kind, with the rules that include each of them. */
async function audienceOf(ctx: Ctx, event: EventRow, rules: readonly Rule[]) {
  const people = new Map<Id, { recipient: Recipient; rules: Rule[] }>()
  const by_rule = new Map<Id, number>()
  let nobody = true
  for (const rule of rules) {
    const { recipients, meant } = await addressed(ctx, event, rule)
    if (meant || rule.may_reach_nobody) nobody = false
    by_rule.set(rule.id, recipients.length)
    for (const recipient of recipients) {
      const known = people.get(recipient.member.user_id)
      if (known === undefined)
        people.set(recipient.member.user_id, { recipient: { ...recipient, because: [...recipient.because] }, rules: [rule] })
      else {
        known.rules.push(rule)
        const has = new Set(known.recipient.because.map(term => JSON.stringify(term)))
        known.recipient.because.push(...recipient.because.filter((term: Term) => !has.has(JSON.stringify(term))))
      }
    }
  }
  return { people, by_rule, nobody }
}

/** Reports a rule whose gate has no recipients. That is a mistake in the set-up, so site managers and administrators are notified, once a day for each kind. */
async function reportNoRecipients(ctx: Ctx, event: EventRow, rule: Rule, timezone: string): Promise<void> {
  if (event.kind === 'notification.nobody_addressed') return
  const today = startOfDay(timezone, event.work_date)
  const already = await newestOf(ctx.db, event.site_id, 'notification.nobody_addressed', today, { notification_kind: rule.kind })
  if (
    already !== null ||
    ctx.trail.events.some(e => e.kind === 'notification.nobody_addressed' && e.payload.notification_kind === rule.kind)
  )
    return
  ctx.emit({
    kind: 'notification.nobody_addressed',
    site_id: event.site_id,
    subject: { kind: event.subject_kind, id: event.subject_id, label: event.subject_label },
    payload: {
      notification_kind: rule.kind,
      rule_name: rule.name,
      event_kind: event.kind,
      event_id: event.id,
      subject_label: event.subject_label,
    },
  })
}

/** Returns the rules that aren't paused. A rule that would now make too many notifications is paused until the end of the hour, and its author is notified. */
async function awake(ctx: Ctx, event: EventRow, rules: readonly Rule[]): Promise<Rule[]> {
  const hour = hourOf(ctx.now)
  const out: Rule[] = []
  for (const rule of rules) {
    if (rule.source === 'shipped') {
      out.push(rule)
      continue
    }
    const so_far = await ruleHour(ctx.db, event.site_id, rule.id, hour)
    if (so_far.paused) continue
    const { recipients } = await addressed(ctx, event, rule)
    if (so_far.reached + recipients.length <= MOST_AN_HOUR) {
      out.push(rule)
      continue
    }
    await countRule(ctx.db, event.site_id, rule.id, hour, { reached: 0, paused: true })
    ctx.emit({
      kind: 'notification_rule.paused',
      site_id: event.site_id,
      subject: { kind: 'notification_rule', id: rule.id, label: rule.name },
      payload: {
        rule_id: rule.id,
        rule_name: rule.name,
        author_id: rule.author_id,
        paused_until: instant(ms(hour) + HOUR),
        reached: so_far.reached,
      },
    })
  }
  return out
}

/** Notifies people of an event under every rule that the event triggers, and marks those notifications as read that it makes pointless. */
export async function notify(ctx: Ctx, event: EventRow): Promise<void> {
  const kind = eventKind(event.kind)
  if (kind === undefined) return
  await settle(ctx, event)
  const { timezone } = await siteOf(ctx, event.site_id)
  for (const one of joined(await awake(ctx, event, await firedBy(ctx, event, timezone)))) {
    const { people, by_rule, nobody } = await audienceOf(ctx, event, one.rules)
    if (nobody) await reportNoRecipients(ctx, event, one.first, timezone)
    for (const [rule_id, count] of by_rule)
      await countRule(ctx.db, event.site_id, rule_id, hourOf(ctx.now), { reached: count, paused: false })
    if (people.size === 0) continue
    const user_ids = [...people.keys()]
    const preferences = await once(ctx, `preferences ${event.site_id} ${one.kind} ${user_ids.join()}`, () =>
      preferencesOf(ctx.db, user_ids, [one.kind], event.site_id),
    )
    const own = Map.groupBy(preferences, row => row.user_id)
    const notified: Notified[] = []
    for (const [user_id, who] of people) notified.push(await notificationFor(ctx, event, one, who, own.get(user_id) ?? [], timezone))
    const { title, body } = await worded(ctx, one.first, event, kind)
    const used = [...fieldsIn(one.first.title), ...fieldsIn(one.first.body)].filter(name => name in event.payload)
    const ids: Record<string, unknown> = { site_id: event.site_id, subject_id: event.subject_id }
    const link = one.first.link?.replace(/\{(\w+)\}/g, (all, name) => String(ids[name] ?? event.payload[name] ?? all)) ?? null
    const made = await insertNotifications(
      ctx.db,
      {
        site_id: event.site_id,
        event_id: event.id,
        event_no: event.event_no,
        kind: one.kind,
        urgency: one.urgency,
        title,
        body,
        subject_kind: event.subject_kind,
        subject_id: event.subject_id,
        subject_label: event.subject_label,
        link,
        facts: Object.fromEntries(used.map(name => [name, event.payload[name]])),
        rule_id: one.first.id,
        rule_version: one.first.number,
      },
      notified,
      ctx.now,
    )
    for (const { id } of made) ctx.trail.placed.push({ site_id: event.site_id, id, kind: 'notification' })
  }
}

/** Name of the consumer that makes notifications. */
export const NOTIFIER = 'notices'

/** The consumer that sends notifications; it receives every event that a rule can use. */
export const notifier = (): Consumer => {
  let kinds: readonly string[] | null = null
  return {
    name: NOTIFIER,
    says: 'Creates the notifications that a site’s rules require, and marks them as read once what they ask for has been done.',
    kinds: () => {
      kinds ??= [
        ...new Set([
          ...allEvents()
            .filter(isRuled)
            .map(one => one.kind),
          ...allShipped().map(rule => rule.event_kind),
          ...settlingEvents(),
        ]),
      ]
      return kinds
    },
    handle: notify,
  }
}
