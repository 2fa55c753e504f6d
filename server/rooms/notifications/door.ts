import { type NotificationRow, notificationRow } from '../../kernel/notices/door.ts'
import { kind } from '../../kernel/records/door.ts'

/** A notification in paths: there for its own person, as long as he is a member of the site, and for nobody else. */
export const notification = kind<NotificationRow>({
  name: 'notification',
  label: row => row.title,
  find: (ctx, site_id, id, lock) => notificationRow(ctx.db, site_id, id, lock),
  sees: (ctx, row) => row.user_id === ctx.actor.id && row.in_app && ctx.actor.standing?.membership_id != null,
  revert: 'transition',
})
