import type { Instant } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** A push message, as it is passed on. */
export type PushMessage = {
  id: Id
  kind: string
  title: string
  body: string
  site_id: Id
  tag: string
  link: string | null
  urgency: 'info' | 'attention' | 'critical'
  ttl_seconds: number
}

/** The outcome of a push message. */
export type PushOutcome = { outcome: 'sent' | 'no_subscription' | 'failed'; detail?: string } | { outcome: 'later'; after: Instant }

/** The mechanism that delivers push messages to devices. */
export type PushPort = {
  /** Returns whether this installation sends any. */
  enabled(house: House): boolean
  hasDevice(db: Db, user_id: Id): Promise<boolean>
  pushTo(house: House, user_id: Id, message: PushMessage): Promise<PushOutcome>
}

let port: PushPort | null = null

/** Registers the mechanism that delivers push messages; null: push is not configured. */
export function plugPush(carrier: PushPort | null): void {
  port = carrier
}

/** Returns the mechanism that delivers push messages. */
export const pushPort = (): PushPort | null => port
