import { useEffect, useState } from 'react'
import { fieldsIn } from '../../shared/narrow.ts'
import { subjectNow } from './auth.ts'

/** If the page wasn't looked at for this long, the next look is a new visit. */
const APART_MS = 30 * 60_000
const NOTE_EVERY_MS = 60_000

/** When this device last showed the page, and when the visit before that ended. */
type Kept = { seen: number; last: number | null }

const keyOf = (site_id: string): string => `walkdown.visit ${subjectNow() ?? ''} ${site_id}`

function keptOf(site_id: string): Kept | null {
  try {
    const { seen, last } = fieldsIn(JSON.parse(localStorage.getItem(keyOf(site_id)) ?? 'null'))
    return typeof seen === 'number' ? { seen, last: typeof last === 'number' ? last : null } : null
  } catch {
    return null
  }
}

/** Returns the visit that starts or continues at `now`. */
export const visitAt = (kept: Kept | null, now: number): Kept => {
  if (kept === null) return { seen: now, last: null }
  return now - kept.seen > APART_MS ? { seen: now, last: kept.seen } : { seen: now, last: kept.last }
}

/** Returns when the person's last visit of a site on this device ended; null on the first one. Stays the same during a visit. */
export function useLastVisit(site_id: string): string | null {
  const [visit] = useState(() => visitAt(keptOf(site_id), Date.now()))
  useEffect(() => {
    const note = () => {
      if (document.visibilityState === 'visible')
        localStorage.setItem(keyOf(site_id), JSON.stringify({ seen: Date.now(), last: visit.last }))
    }
    note()
    const timer = setInterval(note, NOTE_EVERY_MS)
    return () => clearInterval(timer)
  }, [site_id, visit])
  return visit.last === null ? null : new Date(visit.last).toISOString()
}
