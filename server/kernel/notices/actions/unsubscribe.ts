// Unsubscribing from emails (`messages.md` §3.2, 6): the signed token never expires, so that last year's email still works.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { itemsIn } from '../../../../shared/narrow.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import { type Id, PLATFORM, secretToken } from '../../../base/ids.ts'
import { platformSecret } from '../../identity/door.ts'
import type { Preference } from '../domain/channels.ts'
import { preferencesOf, savePreference, switchOffEverywhere } from '../queries/people.ts'

/** What a token switches off: emails of these kinds to this person, on all sites. */
export type Unsubscribed = { user_id: Id; kinds: string[] }

const keys = new WeakMap<House, Promise<string>>()

function keyOf(house: House): Promise<string> {
  const known = keys.get(house) ?? platformSecret(house, 'unsubscribe', async () => secretToken()).then(String)
  keys.set(house, known)
  known.catch(() => keys.delete(house))
  return known
}

const signed = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Creates the token for one email. */
export async function unsubscribeToken(house: House, what: Unsubscribed): Promise<string> {
  const text = Buffer.from(JSON.stringify([what.user_id, ...what.kinds])).toString('base64url')
  return `${text}.${signed(await keyOf(house), text)}`
}

/** Returns what a token switches off; null if we didn't sign it. */
export async function readToken(house: House, token: string): Promise<Unsubscribed | null> {
  const [text = '', signature = '', ...rest] = token.split('.')
  const wanted = Buffer.from(signed(await keyOf(house), text))
  const given = Buffer.from(signature)
  if (rest.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
  const [user_id = '', ...kinds] = itemsIn(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).map(String)
  return { user_id, kinds }
}

/** Returns a preference in which nothing is chosen. */
export const emptyPreference = (key: Pick<Preference, 'site_id' | 'user_id' | 'kind' | 'channel'>): Preference => ({
  ...key,
  enabled: null,
  delivery: null,
  quiet_hours: null,
  digest_at: null,
  digest_weekdays: null,
  version: 0,
})

/** Switches emails of some kinds off on all sites; this also overrides preferences for single sites. */
export async function switchOff(ctx: Ctx, { user_id, kinds }: Unsubscribed): Promise<void> {
  await switchOffEverywhere(ctx.db, user_id, kinds, ctx.now)
  const rows = await preferencesOf(ctx.db, [user_id], kinds, null)
  for (const kind of kinds) {
    const key = { site_id: PLATFORM, user_id, kind, channel: 'email' as const }
    const known = rows.find(row => row.kind === kind && row.channel === 'email')
    await savePreference(ctx.db, { ...(known ?? emptyPreference(key)), enabled: false, updated_at: ctx.now })
  }
}
