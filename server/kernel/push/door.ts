// Web Push (`messages.md` §4): people's devices, and the messages to them. The texts and recipients of notifications are decided elsewhere.
import type { House } from '../../base/ctx.ts'
import type { Db } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { reachable } from './queries.ts'

export { isBytes, isCurvePoint, keyRing } from './actions/keys.ts'
export { pushServices, pushTo } from './actions/send.ts'
export { serviceFor } from './domain/endpoints.ts'
export type { PushMessage } from './domain/message.ts'
export {
  dropBeyond,
  dropDevicesOf,
  dropDevicesOfSessions,
  dropOver,
  dropSubscription,
  putSubscription,
  type SubscriptionRow,
  sendsSince,
  subscriptionsOf,
} from './queries.ts'

/** Returns whether a person has a device that push can reach. */
export const hasDevice = (db: Db, user_id: Id): Promise<boolean> => reachable(db, user_id)

/** Returns whether this installation sends push messages at all. */
export const pushEnabled = (house: House): boolean => house.settings.push.services.length + house.settings.push.own_services.length > 0
