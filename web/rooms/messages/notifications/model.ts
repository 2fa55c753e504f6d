// Notifications as people read them: by day and site, with the reason why they were sent.
import { fieldsIn } from '../../../../shared/narrow.ts'
import { dateOn } from '../../../../shared/time.ts'
import type { Schemas } from '../../../base/api.ts'
import { paths } from '../../../base/paths.ts'
import { hasWord, t, tOf } from './says.ts'

/** A message. */
export type Message = Schemas['Notification']
/** A person's notification settings. */
export type Preference = Schemas['EffectivePreference']
/** A notification channel. */
export type Channel = keyof Preference['channels']

/** Channels in the order of the table. */
export const CHANNELS = ['in_app', 'email', 'push'] as const

const PLACES: Record<string, (site: string, id: string) => string> = {
  permit: (site, id) => paths.permit(site, id),
  membership: site => paths.members(site),
  invite: site => paths.members(site),
  contractor: site => paths.contractors(site),
  permit_set: site => paths.import(site),
  reference_feature: site => paths.map(site),
}

/** Returns the page of what a notification is about; null when it has none. */
export const linkOf = ({ link, subject, site_id }: Pick<Message, 'link' | 'subject' | 'site_id'>): string | null =>
  link ?? PLACES[subject.kind]?.(site_id, subject.id) ?? null

/** Returns the group of a message in the list: the day in the calendar of the site, whatever the device's own zone, and the site. */
export const groupOf = ({ created_at, site_id }: Pick<Message, 'created_at' | 'site_id'>, zone: string): { key: string; date: string } => {
  const date = dateOn(zone, created_at)
  return { key: `${date} ${site_id}`, date }
}

/** Returns why a person is notified, in words: a term of the recipients. Terms without a text in the app yet get a general reason. */
export function reasonOf(term: unknown): string {
  const said = fieldsIn(term)
  if (typeof said.role === 'string') return t('why.role', { role: tOf('role', said.role) })
  if (typeof said.band === 'string') return t('why.band', { band: tOf('band', said.band) })
  if (said.gate !== undefined) return t('why.gate')
  if (typeof said.named === 'string') return t('why.named', { part: namedOf(said.named) })
  if (said.user_id !== undefined) return t('why.chosen')
  if (said.contractor !== undefined) return t('why.contractor')
  if (said.overseers_of !== undefined) return t('why.overseer')
  return t('why.audience')
}

const namedOf = (field: string): string => {
  const bare = field.replace(/_id$/, '')
  const key = `named.${bare}`
  return hasWord(key) ? t(key) : bare.replaceAll('_', ' ')
}

const MINUTES = 24 * 60
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Returns quiet hours as parts of a day, from 0 to 1; across midnight they are two. */
export function quietParts(quiet: { from: string; to: string } | undefined | null): { from: number; to: number }[] {
  if (quiet == null) return []
  const [from, to] = [minutes(quiet.from) / MINUTES, minutes(quiet.to) / MINUTES]
  return from <= to
    ? [{ from, to }]
    : [
        { from: 0, to },
        { from, to: 1 },
      ].filter(part => part.from < part.to)
}

/** Decodes a base64url key into bytes. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, letter => letter.charCodeAt(0))
}
