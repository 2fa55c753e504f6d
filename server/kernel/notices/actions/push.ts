import type { Instant } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** A push as it is handed over. */
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

/** How it went. */
export type PushOutcome = { outcome: 'sent' | 'no_subscription' | 'failed'; detail?: string } | { outcome: 'later'; after: Instant }

/** Who carries pushes to devices. */
export type PushPort = {
  /** Whether this installation sends any at all. */
  enabled(house: House): boolean
  hasDevice(db: Db, user_id: Id): Promise<boolean>
  pushTo(house: House, user_id: Id, message: PushMessage): Promise<PushOutcome>
}

let port: PushPort | null = null

/** Plugs in who carries pushes; null: nobody, the channel is not configured. */
export function plugPush(carrier: PushPort | null): void {
  port = carrier
}

/** Who carries pushes. */
export const pushPort = (): PushPort | null => port
