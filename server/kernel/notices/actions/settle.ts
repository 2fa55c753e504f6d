// What a notification asks for is done once, by one of the people who can do it: then it is done for all of them, and counts as unread for nobody (decision 989).
import { fieldsIn, textsIn } from '../../../../shared/narrow.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { isId } from '../../../base/ids.ts'
import type { EventRow } from '../../events/door.ts'
import { settleNotifications } from '../queries/settled.ts'
import { allNotices } from './registry.ts'

/** The event of a resolved task; its payload has the kind of the task and the record that the task was about. */
const TASK_RESOLVED = 'task.resolved'

/** Returns the records that an event is about: of several, its payload lists them. */
function aboutOf({ kind, subject_id, payload }: EventRow): string[] {
  if (kind.startsWith('map_entity.')) return textsIn(payload.ids) // `map.md` §0.9
  return kind === 'permit_set.imported' ? textsIn(payload.revived_ids) : [subject_id]
}

/** Returns the kinds of event that make a notification pointless. */
export const settlingEvents = (): string[] => [
  ...allNotices().flatMap(kind => kind.moot_after ?? []),
  ...(allNotices().some(kind => kind.moot_task !== undefined) ? [TASK_RESOLVED] : []),
]

/** Returns the notifications that an event makes pointless: their kinds, and the records that they are about. */
function settledBy(event: EventRow): { kinds: string[]; subject_ids: string[] } {
  const { kind, subject_id, payload } = event
  if (kind !== TASK_RESOLVED)
    return {
      subject_ids: aboutOf(event),
      kinds: allNotices().flatMap(one => (one.moot_after?.includes(kind) === true ? one.kind : [])),
    }
  const { id } = fieldsIn(payload.subject)
  return {
    subject_ids: [typeof id === 'string' && isId(id) ? id : subject_id],
    kinds: allNotices().flatMap(one => (one.moot_task !== undefined && one.moot_task === payload.kind ? one.kind : [])),
  }
}

/**
 * Marks the earlier notifications as read that an event makes pointless. The notifier does it as it comes to the event, because it may not have made them yet when the
 * step was taken; everyone who reads notifications or their number waits for it.
 */
export async function settle(ctx: Ctx, event: EventRow): Promise<void> {
  const { kinds, subject_ids } = settledBy(event)
  if (kinds.length > 0) await settleNotifications(ctx.db, { ...event, subject_ids }, kinds, ctx.now)
}
