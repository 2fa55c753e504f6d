// Which alerts this person hasn't read on this device: the banner shows the first of them.
import { useSyncExternalStore } from 'react'
import { fieldsIn } from '../../../../shared/narrow.ts'
import { listeners } from '../../../base/listeners.ts'
import { useHere } from '../../../base/site.tsx'
import { useAlerts } from './data.ts'
import { type Alert, type Read, toRead } from './model.ts'

const KEPT = 100

const keyOf = (me: string) => `walkdown.visit alerts ${me}`

/** Returns what this person has read on this device. */
function readBy(me: string): Read {
  try {
    const kept = fieldsIn(JSON.parse(localStorage.getItem(keyOf(me)) ?? '{}'))
    return Object.fromEntries(Object.entries(kept).flatMap(([id, period]) => (typeof period === 'number' ? [[id, period]] : [])))
  } catch {
    return {}
  }
}

const heard = listeners()
let last: { me: string; read: Read } | null = null

const readNow = (me: string): Read => {
  if (last?.me !== me) last = { me, read: readBy(me) }
  return last.read
}

/** Records that this person has read an alert. */
export function markRead(me: string, alert: Alert): void {
  const next: Read = Object.fromEntries([...Object.entries(readNow(me)), [alert.id, alert.periods.length] as const].slice(-KEPT))
  last = { me, read: next }
  localStorage.setItem(keyOf(me), JSON.stringify(next))
  heard.tell()
}

/** The alerts that this person has to read, the one in the banner first. */
export function useUnread(): Alert[] {
  const { site_id, me } = useHere()
  const { data = [] } = useAlerts(site_id)
  const read = useSyncExternalStore(heard.hear, () => readNow(me.id))
  return toRead(data, read, me.id)
}
