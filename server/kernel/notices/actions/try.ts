// One message now, marked [TEST], to see whether a channel reaches somebody: past digests and quiet hours, and outside of every queue.
import { setTimeout as wait } from 'node:timers/promises'
import { jobActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { sendMail } from '../../../base/mail.ts'
import { written } from '../../mail/domain/letter.ts'
import { siteOf } from '../../site/door.ts'
import type { Member } from '../domain/audience.ts'
import { channelFor } from '../domain/channels.ts'
import { CHANNELS, type Channel } from '../domain/kinds.ts'
import { letterOf, pushWords } from '../domain/letter.ts'
import { oneLine, TITLE_LIMIT } from '../domain/words.ts'
import { insertTold } from '../queries/made.ts'
import { preferencesOf } from '../queries/people.ts'
import { unavailableFor } from './notify.ts'
import { pushPort } from './push.ts'
import { noticeKind } from './registry.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** How a channel went. */
export type Tried = {
  channel: Channel
  outcome: 'sent' | 'queued' | 'disabled' | 'suppressed' | 'no_subscription' | 'not_configured' | 'failed'
  detail: string | null
}

const PATIENCE_MS = 10_000

type Words = { kind: string; title: string; body: string; rule_id: Id | null }

async function overMail(
  house: House,
  id: Id,
  site: { id: Id; name: string },
  member: Member,
  words: Words,
): Promise<Omit<Tried, 'channel'>> {
  if (member.no_email === 'suppressed') return { outcome: 'suppressed', detail: 'Mails to this address came back.' }
  if (member.email === null) return { outcome: 'failed', detail: 'There is no verified address.' }
  const unsubscribe = `${house.settings.public_url}/u/${await unsubscribeToken(house, { user_id: member.user_id, kinds: [words.kind] })}`
  const said = letterOf([{ ...words, when: '', link: null }], {
    name: member.name,
    site: site.name,
    title: words.title,
    open_url: `${house.settings.public_url}/sites/${site.id}`,
    unsubscribe_url: unsubscribe,
    single_kind: noticeKind(words.kind)?.label ?? null,
  })
  const to = { name: member.name, address: member.email }
  const mail = { kind: 'test', id, to, subject: said.subject, ...written(said, 'en'), unsubscribe }
  const said_back = await Promise.race([sendMail(house, mail), wait(PATIENCE_MS).then(() => null)])
  if (said_back === null) return { outcome: 'queued', detail: 'The relay takes its time.' }
  return said_back.outcome === 'refused' ? { outcome: 'failed', detail: said_back.diagnostic } : { outcome: 'sent', detail: null }
}

async function overPush(
  house: House,
  id: Id,
  site: { id: Id; name: string },
  member: Member,
  words: Words,
): Promise<Omit<Tried, 'channel'>> {
  const message = {
    id,
    kind: words.kind,
    ...pushWords([{ ...words, when: '', link: null }], words.title, site.name),
    site_id: site.id,
    tag: `test ${id}`,
    link: null,
    urgency: 'info' as const,
    ttl_seconds: 60,
  }
  const said = await Promise.race([pushPort()?.pushTo(house, member.user_id, message), wait(PATIENCE_MS).then(() => null)])
  if (said === undefined) return { outcome: 'not_configured', detail: null }
  if (said === null || said.outcome === 'later') return { outcome: 'queued', detail: 'The push service takes its time.' }
  return { outcome: said.outcome, detail: said.detail ?? null }
}

/** Tries channels on a member, and writes down what came of it. `ctx` is one for reads: what goes over the network is in no transaction. */
export async function tryChannels(ctx: Ctx, site_id: Id, member: Member, channels: readonly Channel[], given: Words): Promise<Tried[]> {
  const { house } = ctx
  const site = await siteOf(ctx, site_id)
  const words = { ...given, title: oneLine(`[TEST] ${given.title}`, TITLE_LIMIT) }
  const registered = noticeKind(words.kind) ?? { kind: words.kind, channels: CHANNELS }
  const own = await preferencesOf(ctx.db, [member.user_id], [words.kind], site_id)
  const id = ids.next()
  const results: Tried[] = []
  for (const channel of CHANNELS.filter(one => channels.includes(one))) {
    const unavailable = await unavailableFor(ctx, member, channel)
    const resolved = channelFor(registered, channel, site_id, own, null, CHANNELS)
    if (unavailable === 'not_configured' || unavailable === 'no_subscription') results.push({ channel, outcome: unavailable, detail: null })
    else if (!resolved.enabled) results.push({ channel, outcome: 'disabled', detail: 'A preference switches it off.' })
    else if (channel === 'in_app') results.push({ channel, outcome: 'sent', detail: null })
    else if (channel === 'email') results.push({ channel, ...(await overMail(house, id, site, member, words)) })
    else results.push({ channel, ...(await overPush(house, id, site, member, words)) })
  }
  await writing(house, { actor: jobActor('notices'), cause: 'notification.test_dispatch' }, async work => {
    const in_app = results.some(one => one.channel === 'in_app' && one.outcome === 'sent')
    const sends = results.map(({ channel, outcome, detail }) => ({
      id: ids.next(),
      channel,
      state:
        channel === 'in_app' && outcome === 'sent'
          ? 'delivered'
          : outcome === 'sent' || outcome === 'failed' || outcome === 'suppressed'
            ? outcome
            : 'skipped',
      detail: outcome === 'sent' ? null : (detail ?? outcome),
      due_at: null,
      message_id: null,
    }))
    const shared = {
      site_id,
      event_id: null,
      event_no: null,
      ...words,
      urgency: 'info',
      subject_kind: 'site',
      subject_id: site_id,
      subject_label: site.name,
      link: null,
      facts: {},
      rule_version: null,
    }
    await insertTold(work.db, shared, [{ id, user_id: member.user_id, because: [{ user_id: member.user_id }], in_app, sends }], work.now)
    work.trail.placed.push({ site_id, id, kind: 'notification' })
  })
  return results
}
