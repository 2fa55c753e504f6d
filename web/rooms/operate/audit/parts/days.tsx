import { startOfDay } from '../../../../../shared/time.ts'
import { useHere } from '../../../../base/site.tsx'
import { dayOf } from '../../../../base/time.ts'
import { useDays } from '../data.ts'
import { t } from '../says.ts'

/** The last days with the number of entries on each; choosing a day filters the audit log. */
export function Days({ chosen, onChoose }: { chosen: string | undefined; onChoose(day: string | undefined): void }) {
  const { site_id, zone } = useHere()
  const days = useDays(site_id)
  const rows = (days.data ?? []).map(row => ({ day: row.work_date, n: Object.values(row.counts).reduce((sum, one) => sum + one, 0) }))
  const most = Math.max(1, ...rows.map(row => row.n))
  return (
    <nav className="days" aria-label={t('audit.days')}>
      {rows.map(({ day, n }) => (
        <button key={day} type="button" aria-pressed={chosen === day} onClick={() => onChoose(chosen === day ? undefined : day)}>
          <span className="nowrap">{dayOf(startOfDay(zone, day), zone)}</span>
          <span className="mono small">{n}</span>
          <span className="bar" aria-hidden style={{ width: `${Math.round((n / most) * 100)}%` }} />
        </button>
      ))}
    </nav>
  )
}
