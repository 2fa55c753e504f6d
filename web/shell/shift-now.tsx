import { runningAt, runsFrom } from '../base/hours.ts'
import { useCalendar } from '../base/lists.ts'
import { useNow } from '../base/now.ts'
import { useHere } from '../base/site.tsx'
import { clockOf } from '../base/time.ts'
import { t } from '../base/words.ts'

/** Says which shift is running and when it ends (`site-and-people.md` §14); nothing between shifts. */
export default function ShiftNow() {
  const { site_id, zone, contractor_id } = useHere()
  const calendar = useCalendar(site_id)
  const now = useNow()
  const shift = calendar === null ? null : runningAt(runsFrom(calendar, contractor_id, now), now)
  if (shift === null) return null
  const time = clockOf(shift.end_at, zone)
  return (
    <span className="soft small nowrap">
      {shift.name === '' ? t('shift.unnamed_now', { time }) : t('shift.now', { name: shift.name, time })}
    </span>
  )
}
