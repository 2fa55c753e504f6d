import { flag, id, integer, list, object, oneOf, optional, orNull, type Static, shape, text, wallTime } from '../../base/schema.ts'
import { DELIVERIES, SOURCES } from '../../kernel/notices/domain/channels.ts'
import { URGENCIES } from '../../kernel/notices/domain/kinds.ts'

const weekdays = (what: string) => list(integer('ISO weekday', { min: 1, max: 7 }), what, { min: 1, max: 7, unique: true })

export const QuietHours = shape('QuietHours', 'Hours in which nothing rings; over midnight they are one window', {
  from: wallTime('Begin', { example: '18:00' }),
  to: wallTime('End; before the begin: on the next day', { example: '06:00' }),
  weekdays: optional(weekdays('Weekdays on which it begins; default every day')),
  timezone: optional(text('IANA zone; default that of the site', { max: 64, example: 'Europe/London' })),
})

const channel = {
  enabled: flag('Whether it goes this way'),
  source: oneOf(SOURCES, 'What decided: the first source that says something'),
  locked: flag('Safety or law needs it: it cannot be switched off'),
  why: orNull(
    oneOf(
      ['not_configured', 'no_address', 'not_verified', 'suppressed', 'no_subscription'],
      'Why the channel cannot reach the caller; null: it can',
    ),
  ),
}

export const EffectivePreference = shape('EffectivePreference', 'How one kind of notification reaches the caller', {
  kind: text('Kind; `rule:` with its id for a site’s own rule; `all` for what holds for every kind', {
    max: 100,
    example: 'permit_expired_unclosed',
  }),
  label: text('The kind in words', { max: 200, example: 'Permits that expired and are not closed' }),
  group: text('Under which heading it stands', { max: 60, example: 'Permits' }),
  urgency: orNull(oneOf(URGENCIES, 'How much it presses; null for `all`')),
  channels: object(
    {
      in_app: object(channel, 'In the app'),
      email: object({ ...channel, delivery: oneOf(DELIVERIES, 'At once, or gathered') }, 'By mail'),
      push: object(channel, 'On the phone'),
    },
    'By channel',
  ),
  quiet_hours: optional(
    object(
      { email: orNull(object(QuietHours.properties, 'Of mails')), push: orNull(object(QuietHours.properties, 'Of pushes')) },
      'Only on `all`',
    ),
  ),
  digest_at: optional(wallTime('When digests go; only on `all`', { example: '06:30' })),
  digest_weekdays: optional(weekdays('On which days; only on `all`')),
})

export const PreferenceFilter = object({ site_id: optional(id('Site; default: what holds for all sites')) })

export const PreferenceChange = shape('PreferenceChange', 'What the caller wants to hear, and how', {
  site_id: optional(orNull(id('Only on this site; null or left out: on all sites'))),
  enabled: optional(flag('Whether it goes this way')),
  delivery: optional(oneOf(DELIVERIES, 'Mails at once, or gathered')),
  quiet_hours: optional(orNull(object(QuietHours.properties, 'Of `all`, mail or push; null: none'))),
  digest_at: optional(wallTime('Of `all`, mail: when digests go', { example: '06:30' })),
  digest_weekdays: optional(weekdays('Of `all`, mail: on which days')),
})
export type PreferenceChange = Static<typeof PreferenceChange>
