import type { Ctx } from '../../../base/ctx.ts'
import { conflict, expectVersion, invalid, invalidField, notFound, refuse } from '../../../base/errors.ts'
import { type Id, PLATFORM } from '../../../base/ids.ts'
import {
  channelFor,
  deliveryFor,
  digestFor,
  type KindChannels,
  ownPreference,
  type Preference,
  quietFor,
  type Unavailable,
} from '../../../kernel/notices/domain/channels.ts'
import { CHANNELS, type Channel, ruleOfKind, type Urgency } from '../../../kernel/notices/domain/kinds.ts'
import {
  allNotices,
  dropPreference,
  emptyPreference,
  isKind,
  mailOf,
  preferencesOf,
  ruleRows,
  savePreference,
  unavailableFor,
} from '../../../kernel/notices/door.ts'
import { hold } from '../../../kernel/records/door.ts'
import { preferenceFaults } from './domain.ts'
import type { PreferenceChange } from './schema.ts'

type Listed = KindChannels & { label: string; group: string; urgency: Urgency | null }

const ALL: Listed = { kind: 'all', label: 'All notifications', group: '', urgency: null, channels: ['in_app', 'email', 'push'] }

/** Returns the kinds that a person can set: the registry's, and for a site also those of its own rules. */
async function listed(ctx: Ctx, site_id: Id | null): Promise<Listed[]> {
  const own = site_id === null ? [] : await ruleRows(ctx.db, site_id)
  const rules = own
    .filter(rule => rule.source === 'site')
    .map(rule => ({ kind: rule.kind, label: rule.name, group: 'Rules on this site', urgency: rule.urgency, channels: rule.channels }))
  return [ALL, ...[...allNotices(), ...rules].sort((a, b) => (`${a.group} ${a.label}` < `${b.group} ${b.label}` ? -1 : 1))]
}

async function reachOf(ctx: Ctx): Promise<Record<Channel, Unavailable>> {
  const user_id = ctx.actor.id ?? ''
  const who = { user_id, ...(await mailOf(ctx.db, user_id)) }
  const [in_app, email, push] = await Promise.all(CHANNELS.map(channel => unavailableFor(ctx, who, channel)))
  return { in_app: in_app ?? null, email: email ?? null, push: push ?? null }
}

function shown(kind: Listed, site_id: Id | null, own: readonly Preference[], reach: Record<Channel, Unavailable>) {
  const versionAt = (channel: Channel, place: Id) => ownPreference(own, kind.kind, channel, place)?.version ?? 0
  const on = (channel: Channel) => ({
    ...channelFor(kind, channel, site_id, own, reach[channel], null),
    version: versionAt(channel, site_id ?? PLATFORM),
    all_sites_version: versionAt(channel, PLATFORM),
  })
  const digest = digestFor(site_id, own)
  return {
    kind: kind.kind,
    label: kind.label,
    group: kind.group,
    urgency: kind.urgency,
    channels: {
      in_app: on('in_app'),
      email: { ...on('email'), delivery: deliveryFor(kind.kind, kind.urgency ?? 'attention', site_id, own) },
      push: on('push'),
    },
    ...(kind.kind === 'all'
      ? {
          quiet_hours: { email: quietFor('email', site_id, own), push: quietFor('push', site_id, own) },
          digest_at: digest.at,
          digest_weekdays: [...digest.weekdays],
        }
      : {}),
  }
}

/** Returns how every kind reaches the caller, on one site or on all of them. */
export async function listEffective(ctx: Ctx, site_id: Id | null): Promise<unknown[]> {
  const [kinds, reach, own] = await Promise.all([
    listed(ctx, site_id),
    reachOf(ctx),
    preferencesOf(ctx.db, [ctx.actor.id ?? ''], null, site_id),
  ])
  return kinds.map(kind => shown(kind, site_id, own, reach))
}

const UNKNOWN_KIND = 'isn’t a kind of notification. See GET /notification-prefs/effective for the list.'

function wanted(kind: string, channel: string): Channel {
  const faults = []
  if (kind !== ALL.kind && !isKind(kind)) faults.push({ path: 'kind', message: UNKNOWN_KIND })
  const found = CHANNELS.find(one => one === channel)
  if (found === undefined) faults.push({ path: 'channel', message: 'must be in_app, email or push.' })
  return found === undefined || faults.length > 0 ? refuse(invalid(faults)) : found
}

/** Returns the caller's own preference under a lock; version 0 if nothing was saved. */
async function mine(ctx: Ctx, key: Pick<Preference, 'site_id' | 'kind' | 'channel'>): Promise<Preference> {
  const user_id = ctx.actor.id ?? ''
  // Two first saves have no row that they could both lock.
  await hold(ctx, 'notification_preference', user_id)
  const rows = await preferencesOf(ctx.db, [user_id], [key.kind], key.site_id)
  return ownPreference(rows, key.kind, key.channel, key.site_id) ?? emptyPreference({ ...key, user_id })
}

/** Saves which notifications the caller gets. Those that safety or law requires stay on. */
export async function setPreference(
  ctx: Ctx,
  kind: string,
  named: string,
  body: PreferenceChange,
  if_match: string | undefined,
): Promise<{ shown: unknown; version: number }> {
  const channel = wanted(kind, named)
  const faults = preferenceFaults(kind, channel, body)
  if (faults.length > 0) refuse(invalid(faults))
  const { site_id: given, ...change } = body
  const site_id = given ?? null
  const known = (await listed(ctx, site_id)).find(one => one.kind === kind)
  const rule_id = ruleOfKind(kind)
  if (known === undefined)
    return refuse(
      invalidField(
        'kind',
        rule_id === null
          ? UNKNOWN_KIND
          : site_id === null
            ? 'is a rule of one site: send its site_id.'
            : 'isn’t a rule on this site. See GET /notification-rules/ for the list.',
      ),
    )
  if (change.enabled === false && (known.mandatory?.includes(channel) ?? false))
    refuse(
      conflict(
        'mandatory',
        `“${known.label}” can’t be switched off on this channel, because everyone concerned must get these notifications.`,
        { kind, channel },
      ),
    )
  const before = await mine(ctx, { site_id: site_id ?? PLATFORM, kind, channel })
  expectVersion(if_match, before.version)
  await savePreference(ctx.db, { ...before, ...change, updated_at: ctx.now })
  const own = await preferencesOf(ctx.db, [before.user_id], [kind], site_id)
  return { shown: shown(known, site_id, own, await reachOf(ctx)), version: before.version + 1 }
}

/** Deletes a preference: the inherited one applies again. */
export async function dropOwn(ctx: Ctx, kind: string, named: string, site_id: Id | null, if_match: string | undefined): Promise<void> {
  const channel = wanted(kind, named)
  const { user_id, version, ...key } = await mine(ctx, { site_id: site_id ?? PLATFORM, kind, channel })
  if (version === 0) refuse(notFound())
  expectVersion(if_match, version)
  await dropPreference(ctx.db, key.site_id, user_id, kind, channel)
}
