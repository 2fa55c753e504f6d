import { FaultNote } from '../../../../base/kit/note.tsx'
import { clockOf } from '../../../../base/time.ts'
import { useDeliveries } from '../deliveries-data.ts'
import { t } from '../says.ts'
import { DeliveryMark } from './delivery-note.tsx'

type Given = { site_id: string; zone: string; from: string; to: string; today: boolean; chosen: string | null; onChoose(id: string): void }

/** The deliveries of the day, by the start of their slot; the gate works from this list. */
export default function DeliveryList({ site_id, zone, from, to, today, chosen, onChoose }: Given) {
  const day = useDeliveries(site_id, from, to)
  return (
    <>
      <h2>{t(today ? 'delivery.title' : 'delivery.title_day')}</h2>
      {day.error !== null && day.data === undefined && <FaultNote error={day.error} onRetry={() => void day.refetch()} />}
      {day.data?.length === 0 && <p className="soft small">{t('delivery.none')}</p>}
      <ul className="frame-list">
        {(day.data ?? []).map(one => (
          <li key={one.id}>
            <button type="button" className="frame-row" aria-pressed={one.id === chosen} onClick={() => onChoose(one.id)}>
              <span className="mono small">{clockOf(one.start_at < from ? from : one.start_at, zone)}</span>
              <span className="grow cut two-lines">
                <bdi>{one.name}</bdi>
              </span>
              <DeliveryMark delivery={one} />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
