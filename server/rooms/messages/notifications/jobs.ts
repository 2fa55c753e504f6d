import { DAY, later } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { dropOldReceipts } from '../../../kernel/events/door.ts'
import type { Schedule } from '../../../kernel/jobs/door.ts'
import { dropOldHours, dropOldMessages, dropOldNotifications, sendHeld } from '../../../kernel/notices/door.ts'
import { forgetRecords } from '../../../kernel/records/door.ts'

const READ_KEPT_DAYS = 90
const UNREAD_KEPT_DAYS = 400
const MESSAGES_KEPT_DAYS = 90
const PIECE = 5000

/** Deletes read notifications after 90 days, unread ones after 400; what happened stays in the audit log (`messages.md` §1). */
async function forget(house: House): Promise<Record<string, unknown>> {
  const { db } = house.database
  const now = house.clock.now()
  let notifications = 0
  for (;;) {
    const gone = await dropOldNotifications(db, later(now, -READ_KEPT_DAYS * DAY), later(now, -UNREAD_KEPT_DAYS * DAY), PIECE)
    await forgetRecords(db, gone)
    notifications += gone.length
    if (gone.length === 0) break
  }
  await dropOldMessages(db, later(now, -MESSAGES_KEPT_DAYS * DAY))
  await dropOldHours(db, later(now, -31 * DAY))
  return { notifications, receipts: await dropOldReceipts(db, later(now, -MESSAGES_KEPT_DAYS * DAY)) }
}

export const schedules: Schedule[] = [
  {
    kind: 'digests',
    says: 'Sends notifications that were delayed by quiet hours or a digest, as soon as they are due.',
    every_minutes: 1,
    run: sendHeld,
  },
  {
    kind: 'notification_retention',
    says: 'Deletes read notifications and records of deliveries after 90 days, and unread notifications after 400 days.',
    every_minutes: 24 * 60,
    run: forget,
  },
]
