// How a person sees plans on this device: which are hidden, and how strong each is drawn. It stays for the next time, and is nobody else's.
import { useSyncExternalStore } from 'react'
import { fieldsIn } from '../../../../../shared/narrow.ts'
import { listeners } from '../../../../base/listeners.ts'

/** How a plan is seen here; what isn't chosen is as the plan says. */
export type Seen = { shown?: boolean; opacity?: number }
type All = Readonly<Record<string, Seen>>

const KEPT = 'walkdown.plans'
/** The number of plans that are remembered: those that were changed last. */
const AT_MOST = 300

/** Reads what is stored; what can't be read is ignored. */
export function seenIn(text: string | null): All {
  try {
    return Object.fromEntries(
      Object.entries(fieldsIn(JSON.parse(text ?? '{}'))).map(([key, value]) => {
        const { shown, opacity } = fieldsIn(value)
        return [
          key,
          {
            ...(typeof shown === 'boolean' ? { shown } : {}),
            ...(typeof opacity === 'number' && opacity >= 0 && opacity <= 1 ? { opacity } : {}),
          },
        ]
      }),
    )
  } catch {
    return {}
  }
}

/** Returns what is stored after a change: the changed plan last, and not too many in all. */
export function withSeen(all: All, key: string, change: Seen): All {
  const { [key]: before, ...others } = all
  return Object.fromEntries([...Object.entries(others), [key, { ...before, ...change }]].slice(-AT_MOST))
}

const heard = listeners()
let all: All | null = null
const now = (): All => (all ??= seenIn(localStorage.getItem(KEPT)))

/** Changes how a plan is seen on this device. */
export function choose(key: string, change: Seen): void {
  all = withSeen(now(), key, change)
  localStorage.setItem(KEPT, JSON.stringify(all))
  heard.tell()
}

/** How plans are seen on this device, by their key. */
export const useSeen = (): All => useSyncExternalStore(heard.hear, now)
