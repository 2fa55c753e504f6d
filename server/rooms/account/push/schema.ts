import { flag, id, instant, integer, list, object, optional, orNull, type Static, shape, text } from '../../../base/schema.ts'

const KEY = 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM'
const label = (description: string) => text(description, { max: 100, example: 'Phone in the site hut' })
const endpoint = (description: string) => text(description, { max: 2000, min: 1, example: 'https://fcm.googleapis.com/fcm/send/abc' })

export const PushConfig = shape('PushConfig', 'Settings that a device needs to subscribe', {
  enabled: flag('Whether this installation sends push notifications', { example: true }),
  vapid_public_key: orNull(
    text('Public key: an uncompressed P-256 point, base64url, 65 bytes; null while push is off', { max: 100, example: KEY }),
  ),
  vapid_key_id: orNull(text('Key id; null while push is off', { max: 40, example: 'Qw3kPz0aBc1dEf2g' })),
})

export const PushSubscription = shape('PushSubscription', 'A device that receives push notifications', {
  id: id('Id'),
  host: text('Host name of the push service', { max: 300, example: 'fcm.googleapis.com' }),
  device_label: orNull(label('Name of the device; null if there is none')),
  vapid_key_id: text('Id of the key that the device subscribed with', { max: 40, example: 'Qw3kPz0aBc1dEf2g' }),
  expires_at: orNull(instant('Expiry of the subscription; null if it doesn’t expire')),
  created_at: instant('Time when the device was subscribed'),
  last_success_at: orNull(instant('Time when the push service last accepted a notification; null if it hasn’t accepted any')),
  failures: integer('Number of failed attempts since the last success or renewal', { example: 0 }),
})

export const PushSubscriptions = list(PushSubscription, 'Devices, newest first', { max: 10 })

export const NewPushSubscription = shape('NewPushSubscription', 'A push subscription of a device, as its browser describes it', {
  endpoint: endpoint('URL at the push service'),
  expiration_time: optional(
    orNull(
      integer('Expiry given by the browser, milliseconds since 1970; null if the browser gives none', {
        max: 7_289_654_399_999, // the end of the year 2200
        example: 1_774_000_000_000,
      }),
    ),
  ),
  keys: object(
    {
      p256dh: text('Device’s public key: an uncompressed P-256 point, base64url', { max: 200, example: KEY }),
      auth: text('Device’s secret: 16 bytes, base64url', { max: 100, example: 'BTBZMqHH6r4Tts7J_aSIgg' }),
    },
    'Device’s keys',
  ),
  device_label: optional(orNull(label('Name of the device; null if there is none'))),
  previous_endpoint: optional(orNull(endpoint('URL of the caller’s subscription that this one replaces; null for none'))),
  vapid_key_id: optional(
    text('Id of the key that the device subscribed with; default: the key from /push/config', { max: 40, example: 'Qw3kPz0aBc1dEf2g' }),
  ),
})

export const PushEndpoint = object({ endpoint: endpoint('URL at the push service') })

export type NewPushSubscription = Static<typeof NewPushSubscription>
