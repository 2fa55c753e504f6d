import { type NotificationRow, notificationRow } from '../../../kernel/notices/door.ts'
import { kind } from '../../../kernel/records/door.ts'

/** A notification as a parameter of a path: it exists for its recipient, as long as they are a member of the site, and for no one else. */
export const notification = kind<NotificationRow>({
  name: 'notification',
  label: row => row.title,
  find: (ctx, site_id, id, lock) => notificationRow(ctx.db, site_id, id, lock),
  sees: (ctx, row) => row.user_id === ctx.actor.id && row.in_app && ctx.actor.standing?.membership_id != null,
  revert: 'transition',
})
