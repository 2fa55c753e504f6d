// What other rooms can use of alerts.
export { useAlertsAt } from './data.ts'
export { type Alert, faceOf, isActive } from './model.ts'
export { AlertMark, AlertSays } from './parts/line.tsx'
export { RaisePanel } from './parts/raise.tsx'
export { useUnread } from './unread.ts'
