import { part } from '../../../base/part.tsx'
import { useUnread } from './unread.ts'

const UnreadAlert = part(() => import('./parts/unread-alert.tsx'))

/** Danger and stopped work, on every page until the person has read it. Most of the time there is none, so what shows it comes then. */
export default function AlertBanner() {
  const [first, ...others] = useUnread()
  return first === undefined ? null : <UnreadAlert key={first.id} alert={first} others={others.length} />
}
