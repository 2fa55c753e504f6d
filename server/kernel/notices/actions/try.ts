// Sends one message immediately, marked [TEST], to check whether a channel reaches a person. It ignores digests and quiet hours, and uses no queue.
import { setTimeout as wait } from 'node:timers/promises'
import { isOneOf, keysOf } from '../../../../shared/narrow.ts'
import { ms } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { type Id, ids, sha256 } from '../../../base/ids.ts'
import { sendMail } from '../../../base/mail.ts'
import { tellPeople } from '../../events/door.ts'
import { written } from '../../mail/domain/letter.ts'
import { siteOf } from '../../site/door.ts'
import type { Member } from '../domain/audience.ts'
import { channelFor } from '../domain/channels.ts'
import { CHANNELS, type Channel } from '../domain/kinds.ts'
import { letterOf, pushWords } from '../domain/letter.ts'
import { oneLine, TITLE_LIMIT } from '../domain/words.ts'
import { insertNotifications } from '../queries/made.ts'
import { noteTried, type TriedSend, triedSends } from '../queries/outgoing.ts'
import { preferencesOf } from '../queries/people.ts'
import { unavailableFor } from './notify.ts'
import { pushPort } from './push.ts'
import { noticeKind } from './registry.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** The test result of one channel. */
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
  if (member.no_email === 'suppressed')
    return {
      outcome: 'suppressed',
      detail:
        'Email to this address is stopped, because messages bounced or were reported as spam. Ask a superadmin to allow the address again.',
    }
  if (member.email === null)
    return {
      outcome: 'failed',
      detail: 'The recipient of this test has no verified email address. Verify one first, or choose another recipient.',
    }
  const token = await unsubscribeToken(house, { user_id: member.user_id, kinds: [words.kind] })
  const said = letterOf([{ ...words, when: '', link: null }], {
    name: member.name,
    site: site.name,
    title: words.title,
    open_url: `${house.settings.public_url}/sites/${site.id}`,
    unsubscribe_url: `${house.settings.public_url}/u#${token}`,
    single_kind: noticeKind(words.kind)?.label ?? null,
  })
  const to = { name: member.name, address: member.email }
  const mail = {
    kind: 'test',
    id,
    to,
    subject: said.subject,
    ...written(said, 'en'),
    unsubscribe: `${house.settings.public_url}/u/${token}`,
  }
  const said_back = await Promise.race([sendMail(house, mail), wait(PATIENCE_MS).then(() => null)])
  if (said_back === null) return { outcome: 'queued', detail: 'The mail relay is slow to respond.' }
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
  if (said === null || said.outcome === 'later')
    return { outcome: 'queued', detail: 'The push service hasn’t accepted the notification yet.' }
  return { outcome: said.outcome, detail: said.detail ?? null }
}

/** A requested test; a repeated request has the same `key`. */
export type Trial = { site_id: Id; member: Member; channels: readonly Channel[]; words: Words; key: string | null }

/** Returns an id that depends only on the person and the key; a new one if there is no key. */
function idFor(user_id: Id, key: string | null): Id {
  if (key === null) return ids.next()
  const hex = sha256(`test dispatch ${user_id} ${key}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Starts the test; false if the same request started it before. */
async function takeOn(house: House, id: Id, trial: Trial, site_name: string, channels: readonly Channel[]): Promise<boolean> {
  const { site_id, member, words } = trial
  return writing(house, { actor: jobActor('notices'), cause: 'notification.test_dispatch' }, async ctx => {
    const sends = channels.map(channel => ({ id: ids.next(), channel, state: 'sending', detail: null, due_at: null, message_id: null }))
    const shared = {
      site_id,
      event_id: id,
      event_no: null,
      ...words,
      urgency: 'info',
      subject_kind: 'site',
      subject_id: site_id,
      subject_label: site_name,
      link: null,
      facts: {},
      rule_version: null,
    }
    const person = { id, user_id: member.user_id, because: [{ user_id: member.user_id }], in_app: channels.includes('in_app'), sends }
    const made = await insertNotifications(ctx.db, shared, [person], ctx.now)
    if (made.length > 0) {
      ctx.trail.placed.push({ site_id, id, kind: 'notification' })
      await tellPeople(ctx.db, [{ user_id: member.user_id, thing: 'notification', site_id, ids: [id], more: false }])
    }
    return made.length > 0
  })
}

const STATES: Record<Tried['outcome'], string> = {
  sent: 'sent',
  queued: 'queued',
  failed: 'failed',
  suppressed: 'suppressed',
  disabled: 'skipped',
  no_subscription: 'skipped',
  not_configured: 'skipped',
}

async function tryOne(ctx: Ctx, id: Id, trial: Trial, site: { id: Id; name: string }, channel: Channel): Promise<Tried> {
  const { member, words } = trial
  const registered = noticeKind(words.kind) ?? { kind: words.kind, channels: CHANNELS }
  const own = await preferencesOf(ctx.db, [member.user_id], [words.kind], site.id)
  const unavailable = await unavailableFor(ctx, member, channel)
  if (unavailable === 'not_configured' || unavailable === 'no_subscription') return { channel, outcome: unavailable, detail: null }
  if (!channelFor(registered, channel, site.id, own, null, CHANNELS).enabled)
    return { channel, outcome: 'disabled', detail: 'This channel is switched off in the person’s notification settings.' }
  if (channel === 'in_app') return { channel, outcome: 'sent', detail: null }
  return { channel, ...(await (channel === 'email' ? overMail : overPush)(ctx.house, id, site, member, words)) }
}

/** Longer than any test takes: email and push are given up after a while. One that is still being sent then was interrupted, because its process ended. */
const INTERRUPTED_MS = 3 * PATIENCE_MS

/** Records how the channels of a test did whose process ended before it could: what people find in the app is there. */
async function noteInterrupted({ house }: Ctx, site_id: Id, id: Id, sends: readonly TriedSend[]): Promise<void> {
  const detail = 'failed: The service was stopped while it sent this test. Send another one.'
  for (const { channel, state, began_at } of sends) {
    const at = house.clock.now()
    if (state !== 'sending' || ms(at) - ms(began_at) < INTERRUPTED_MS) continue
    const known = channel === 'in_app' ? { state: 'delivered', detail: 'sent' } : { state: 'failed', detail }
    await noteTried(house.database.db, site_id, id, channel, { ...known, at })
  }
}

/** Returns the results of a test that was started before; waits for them as long as the test can take. */
async function outcomeOf(ctx: Ctx, site_id: Id, id: Id): Promise<Tried[]> {
  const until = performance.now() + PATIENCE_MS
  await noteInterrupted(ctx, site_id, id, await triedSends(ctx.db, site_id, id))
  for (;;) {
    const sends = await triedSends(ctx.db, site_id, id)
    if (sends.every(send => send.state !== 'sending') || performance.now() > until)
      return sends.map(({ channel, state, detail }) => {
        // In the form that tryChannels writes: one that is still being sent counts as queued. What follows can have colons of its own.
        const [outcome = 'queued', ...more] = (detail ?? state).split(': ')
        return { channel, outcome: isOneOf(keysOf(STATES), outcome) ? outcome : 'queued', detail: more.join(': ') || null }
      })
    await wait(20)
  }
}

/**
 * Tests channels for a member, and records the results. `ctx` is for reading only: calls over the network run outside any transaction. `taken` runs
 * once for each test, however often the same request is sent.
 */
export async function tryChannels(ctx: Ctx, given: Trial, taken: () => Promise<void>): Promise<Tried[]> {
  const { house } = ctx
  const { site_id, member } = given
  const site = await siteOf(ctx, site_id)
  const trial = { ...given, words: { ...given.words, title: oneLine(`[TEST] ${given.words.title}`, TITLE_LIMIT) } }
  const channels = CHANNELS.filter(one => given.channels.includes(one))
  const id = idFor(member.user_id, given.key)
  if (!(await takeOn(house, id, trial, site.name, channels))) return outcomeOf(ctx, site_id, id)
  await taken()
  const results: Tried[] = []
  for (const channel of channels) {
    const tried = await tryOne(ctx, id, trial, site, channel)
    const detail = tried.detail === null ? tried.outcome : `${tried.outcome}: ${tried.detail}`
    const state = channel === 'in_app' && tried.outcome === 'sent' ? 'delivered' : STATES[tried.outcome]
    await noteTried(house.database.db, site_id, id, channel, { state, detail, at: house.clock.now() })
    results.push(tried)
  }
  return results
}
