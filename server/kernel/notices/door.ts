export { addressed, seenBy } from './actions/address.ts'
export { sendHeld } from './actions/digests.ts'
export { groupsAsked, withGroups } from './actions/groups.ts'
export { NOTIFIER, notifier, unavailableFor, worded } from './actions/notify.ts'
export { type PushMessage, plugPush, pushPort } from './actions/push.ts'
export {
  allNotices,
  allShipped,
  eventSubjects,
  idOfShipped,
  isForSites,
  isKind,
  type NextGate,
  type NoticePlugs,
  noticeKind,
  plugNotices,
  type Shipped,
  type Sight,
  shippedById,
  sitesOfShipped,
} from './actions/registry.ts'
export { onSite } from './actions/rules.ts'
export { dispatchDue, startDispatch } from './actions/send.ts'
export { type Tried, tryChannels } from './actions/try.ts'
export { emptyPreference } from './actions/unsubscribe.ts'
export type { Member } from './domain/audience.ts'
export type { Conditioned } from './domain/conditions.ts'
export type { RuleContent } from './domain/kinds.ts'
export * from './queries/inbox.ts'
export { dropOldHours, ruleCounts } from './queries/made.ts'
export { callOffMessages, dropOldMessages, noteReport, oldestDueSeconds } from './queries/outgoing.ts'
export { dropPreference, mailOf, memberOn, preferencesOf, savePreference } from './queries/people.ts'
export * from './queries/rules.ts'
