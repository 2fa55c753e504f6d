// Push notifications to this device. The browser asks for permission only after the person's own tap.
import { ask, client } from '../../base/api.ts'
import { t } from '../../base/words.ts'
import { bytesOf } from './model.ts'

/** The state of push on this device. */
export type Standing = 'unable' | 'barred' | 'off' | 'on'

const KEPT = 'walkdown.push'
const able = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const worker = (): Promise<ServiceWorkerRegistration | undefined> => navigator.serviceWorker.getRegistration()

/** The current state of push on this device. */
export async function standing(): Promise<Standing> {
  if (!able()) return 'unable'
  const registration = await worker()
  if (registration === undefined) return 'unable'
  if (Notification.permission === 'denied') return 'barred'
  return (await registration.pushManager.getSubscription()) === null ? 'off' : 'on'
}

/** What a person would call this device. */
const deviceName = (): string => {
  const agent = navigator.userAgent
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0] ?? ''
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0]?.replace('Edg', 'Edge') ?? ''
  return [browser, system].filter(word => word !== '').join(', ') || t('push.a_device')
}

/** Switches messages to this device on; asks the browser, and tells the service where it reaches us. */
export async function switchOn(): Promise<Standing> {
  const { vapid_public_key, vapid_key_id } = await ask(client.GET('/push/config'))
  const registration = await worker()
  if (vapid_public_key === null || vapid_key_id === null || registration === undefined) return 'unable'
  if ((await Notification.requestPermission()) !== 'granted') return 'barred'
  const old = await registration.pushManager.getSubscription()
  // One that was made under another key of the installation takes no messages of ours.
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

/** Switches them off: here, and at the service. */
export async function switchOff(): Promise<Standing> {
  const registration = await worker()
  const made = await registration?.pushManager.getSubscription()
  if (made == null) return standing()
  await ask(client.DELETE('/push/subscriptions', { params: { query: { endpoint: made.endpoint } } }))
  await made.unsubscribe()
  localStorage.removeItem(KEPT)
  return 'off'
}
