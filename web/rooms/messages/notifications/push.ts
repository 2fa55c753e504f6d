// Push notifications to this device. Browsers ask for permission only after a tap by the person.
import { deviceNameOf } from '../../../../shared/device-name.ts'
import { ask, client } from '../../../base/api.ts'
import { bytesOf } from './model.ts'
import { t } from './says.ts'

/** The state of push on this device. */
export type Standing = 'unable' | 'barred' | 'off' | 'on'

const KEPT = 'walkdown.push'
const able = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const worker = (): Promise<ServiceWorkerRegistration | undefined> => navigator.serviceWorker.getRegistration()

/** Returns the current state of push on this device. */
export async function standing(): Promise<Standing> {
  if (!able()) return 'unable'
  const registration = await worker()
  if (registration === undefined) return 'unable'
  if (Notification.permission === 'denied') return 'barred'
  return (await registration.pushManager.getSubscription()) === null ? 'off' : 'on'
}

/** Returns a name of this device that a person would recognise. */
const deviceName = (): string => deviceNameOf(navigator.userAgent) ?? t('push.a_device')

/** Turns on push for this device: asks the browser, and registers the device's push endpoint with the service. */
export async function switchOn(): Promise<Standing> {
  const { vapid_public_key, vapid_key_id } = await ask(client.GET('/push/config'))
  const registration = await worker()
  if (vapid_public_key === null || vapid_key_id === null || registration === undefined) return 'unable'
  if ((await Notification.requestPermission()) !== 'granted') return 'barred'
  const old = await registration.pushManager.getSubscription()
  // A subscription made under another key of the installation doesn't accept our messages.
  if (old !== null && localStorage.getItem(KEPT) !== vapid_key_id) await old.unsubscribe()
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(vapid_public_key) })
  const { endpoint, expirationTime, keys } = made.toJSON()
  try {
    await ask(
      client.PUT('/push/subscriptions', {
        body: {
          endpoint: endpoint ?? '',
          expiration_time: expirationTime ?? null,
          keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
          device_label: deviceName(),
          previous_endpoint: old !== null && old.endpoint !== endpoint ? old.endpoint : null,
          vapid_key_id,
        },
      }),
    )
  } catch (error) {
    await made.unsubscribe()
    throw error
  }
  localStorage.setItem(KEPT, vapid_key_id)
  return 'on'
}

/** Turns off push, on the device and in the service. */
export async function switchOff(): Promise<Standing> {
  const registration = await worker()
  const made = await registration?.pushManager.getSubscription()
  if (made == null) return standing()
  await ask(client.DELETE('/push/subscriptions', { params: { header: { 'X-Push-Endpoint': made.endpoint } } }))
  await made.unsubscribe()
  localStorage.removeItem(KEPT)
  return 'off'
}
