import { instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { type FieldFault, invalid, refuse, unauthenticated } from '../../../base/errors.ts'
import { type Id, ids, sha256 } from '../../../base/ids.ts'
import {
  dropBeyond,
  dropSubscription,
  isBytes,
  isCurvePoint,
  keyRing,
  pushEnabled,
  pushServices,
  putSubscription,
  type SubscriptionRow,
  serviceFor,
  subscriptionsOf,
} from '../../../kernel/push/door.ts'
import { hold } from '../../../kernel/records/door.ts'
import type { NewPushSubscription } from './schema.ts'

const MOST = 10

const me = (ctx: Ctx): Id => ctx.actor.id ?? refuse(unauthenticated('missing', 'You aren’t signed in. Sign in and try again.'))

/** Returns what a device needs to subscribe. */
export async function showConfig(ctx: Ctx): Promise<Record<string, unknown>> {
  if (!pushEnabled(ctx.house)) return { enabled: false, vapid_public_key: null, vapid_key_id: null }
  const { current } = await keyRing(ctx.house)
  return { enabled: true, vapid_public_key: current.public_key, vapid_key_id: current.id }
}

function shown(row: SubscriptionRow): Record<string, unknown> {
  const { id, endpoint, device_label, vapid_key_id, expires_at, created_at, last_success_at, failures } = row
  return { id, host: new URL(endpoint).host, device_label, vapid_key_id, expires_at, created_at, last_success_at, failures }
}

/** Lists the caller's devices, newest first. */
export const listDevices = async (ctx: Ctx): Promise<unknown[]> => (await subscriptionsOf(ctx.db, me(ctx))).map(shown)

/**
 * Subscribes a device, or renews its keys. If the device belonged to another person, it belongs to the caller from now on: only the person who is signed in
 * on it gets notifications.
 */
export async function keepDevice(ctx: Ctx, given: NewPushSubscription): Promise<{ device: Record<string, unknown>; fresh: boolean }> {
  const { endpoint, keys, previous_endpoint } = given
  const { all, current } = await keyRing(ctx.house)
  const faults: FieldFault[] = []
  if (serviceFor(endpoint, pushServices(ctx.house)) === null)
    faults.push({
      path: 'endpoint',
      message: 'isn’t an https URL of a push service that this installation uses. Try another browser, or contact your administrator.',
    })
  if (!isCurvePoint(keys.p256dh))
    faults.push({ path: 'keys.p256dh', message: 'must be an uncompressed P-256 point (65 bytes) in base64url.' })
  if (!isBytes(keys.auth, 16)) faults.push({ path: 'keys.auth', message: 'must be 16 bytes in base64url.' })
  const vapid_key_id = given.vapid_key_id ?? current.id
  if (!all.has(vapid_key_id))
    faults.push({ path: 'vapid_key_id', message: 'isn’t a key of this installation. Send vapid_key_id from /push/config.' })
  const expires_at = given.expiration_time == null ? null : instant(given.expiration_time)
  if (expires_at !== null && expires_at <= ctx.now)
    faults.push({ path: 'expiration_time', message: 'is in the past. Subscribe the device again.' })
  if (faults.length > 0) refuse(invalid(faults))
  const user_id = me(ctx)
  const endpoint_hash = sha256(endpoint)
  await hold(ctx, 'push', user_id)
  await hold(ctx, 'push', endpoint_hash)
  if (previous_endpoint != null && previous_endpoint !== endpoint) await dropSubscription(ctx.db, sha256(previous_endpoint), user_id)
  const fresh = await putSubscription(ctx.db, {
    endpoint_hash,
    id: ids.next(),
    user_id,
    endpoint,
    // Browsers send no padding, so the encryption doesn't accept any.
    p256dh: keys.p256dh.replace(/=+$/, ''),
    auth: keys.auth.replace(/=+$/, ''),
    vapid_key_id,
    device_label: given.device_label ?? null,
    expires_at,
    created_at: ctx.now,
    session_family: ctx.actor.session_family ?? null,
  })
  await dropBeyond(ctx.db, user_id, MOST, endpoint_hash)
  const row = (await subscriptionsOf(ctx.db, user_id)).find(one => one.endpoint_hash === endpoint_hash)
  if (row === undefined) throw new Error('The device that was just saved is missing from the list.')
  return { device: shown(row), fresh }
}

/** Deletes a device of the caller. A device that no longer exists is not a fault, because sign-out must not fail. */
export const forgetDevice = (ctx: Ctx, endpoint: string): Promise<void> => dropSubscription(ctx.db, sha256(endpoint), me(ctx))
