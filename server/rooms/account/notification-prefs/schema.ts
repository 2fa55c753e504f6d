import { flag, id, integer, list, object, oneOf, optional, orNull, type Static, shape, text, wallTime } from '../../../base/schema.ts'
import { DELIVERIES, SOURCES } from '../../../kernel/notices/domain/channels.ts'
import { URGENCIES } from '../../../kernel/notices/domain/kinds.ts'

const weekdays = (what: string) => list(integer('ISO weekday', { min: 1, max: 7 }), what, { min: 1, max: 7, unique: true })

export const QuietHours = shape('QuietHours', 'Hours without notifications; a window can span midnight', {
  from: wallTime('Start', { example: '18:00' }),
  to: wallTime('End; an end before the start is on the next day', { example: '06:00' }),
  weekdays: optional(weekdays('Weekdays on which the quiet hours start; default every day')),
  timezone: optional(text('IANA time zone; default: the site’s', { max: 64, example: 'Europe/London' })),
})

const channel = {
  enabled: flag('Whether this channel is used'),
  source: oneOf(SOURCES, 'Setting that decides whether the channel is used'),
  locked: flag('Whether this kind of notification is always on, so that the channel can’t be switched off'),
  version: integer('Version of the caller’s own setting for the site that was asked for, otherwise for all sites; 0 if there is none', {
    min: 0,
  }),
  all_sites_version: integer('Version of the caller’s own setting for all sites; 0 if there is none', { min: 0 }),
  why: orNull(
    oneOf(
      ['not_configured', 'no_address', 'not_verified', 'suppressed', 'no_subscription'],
      'Reason why the caller can’t be reached by this channel; null if they can be reached',
    ),
  ),
}

export const EffectivePreference = shape('EffectivePreference', 'Notification settings of one kind', {
  kind: text('Built-in kind, `rule:` with the id of one of the site’s rules, or `all` for every kind', {
    max: 100,
    example: 'permit_expired_unclosed',
  }),
  label: text('Description of the kind', { max: 200, example: 'Permits that expired and are not closed' }),
  group: text('Heading that the kind is listed under; empty for `all`', { max: 60, example: 'Permits' }),
  urgency: orNull(oneOf(URGENCIES, 'Urgency; null for `all`')),
  channels: object(
    {
      in_app: object(channel, 'Settings for notifications in the app'),
      email: object(
        { ...channel, delivery: oneOf(DELIVERIES, 'Whether emails are sent immediately or as a digest') },
        'Settings for emails',
      ),
      push: object(channel, 'Settings for push notifications'),
    },
    'Settings for each channel',
  ),
  quiet_hours: optional(
    object(
      {
        email: orNull(object(QuietHours.properties, 'Quiet hours for emails; null if there are none')),
        push: orNull(object(QuietHours.properties, 'Quiet hours for push notifications; null if there are none')),
      },
      'Quiet hours; returned only for `all`',
    ),
  ),
  digest_at: optional(wallTime('Time of the digest, in the site’s time zone; returned only for `all`', { example: '06:30' })),
  digest_weekdays: optional(weekdays('Weekdays of the digest; returned only for `all`')),
})

export const PreferenceFilter = object({ site_id: optional(id('Site; default: the preference for all sites')) })

export const PreferenceChange = shape('PreferenceChange', 'A notification preference', {
  site_id: optional(orNull(id('Site; null or left out for all sites'))),
  enabled: optional(flag('Whether this channel is used')),
  delivery: optional(oneOf(DELIVERIES, 'Whether emails are sent immediately or as a digest')),
  quiet_hours: optional(orNull(object(QuietHours.properties, 'Quiet hours, for `all` by email or push; null removes them'))),
  digest_at: optional(wallTime('Time of the digest, in the site’s time zone; for `all` by email', { example: '06:30' })),
  digest_weekdays: optional(weekdays('Weekdays of the digest, for `all` by email')),
})
export type PreferenceChange = Static<typeof PreferenceChange>
