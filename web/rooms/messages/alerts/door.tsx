// What other rooms can use of alerts. Raising one is loaded with the map, because cards of permits use this door, too, and show no form.
import { part } from '../../../base/part.tsx'

export { useAlertsAt } from './data.ts'
export { type Alert, faceOf, isActive } from './model.ts'
export { AlertMark, AlertSays } from './parts/line.tsx'
export { useUnread } from './unread.ts'

/** Fetches the panel that raises an alert. */
export const loadRaisePanel = () => import('./parts/raise.tsx')

/** Raises an alert at the cross of the map with one tap. */
export const RaisePanel = part(loadRaisePanel)
