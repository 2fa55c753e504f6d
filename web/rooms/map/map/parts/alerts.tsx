// Alerts next to the map: the list of those that are active, and the panel of a selected one.
import type { Map as MapLibre } from 'maplibre-gl'
import { Suspense, useEffect } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { type Alert, AlertMark, AlertSays, loadRaisePanel, RaisePanel } from '../../../messages/alerts/door.tsx'
import type { Floor } from '../scene.ts'
import { Begun } from './begun.tsx'
import { Around } from './floating.tsx'

type ListGiven = { alerts: readonly Alert[]; chosen: string | null; onChoose(alert: Alert): void }

/** The active alerts, danger first. */
export function AlertList({ alerts, chosen, onChoose }: ListGiven) {
  if (alerts.length === 0) return null
  return (
    <>
      <h2>{t('alert.list')}</h2>
      <ul className="frame-list">
        {alerts.map(alert => (
          <li key={alert.id}>
            <button type="button" className="frame-row" aria-pressed={alert.id === chosen} onClick={() => onChoose(alert)}>
              <AlertMark alert={alert} />
              <span className="grow cut two-lines">
                <bdi>{alert.title}</bdi>
              </span>
              {alert.area === null && <span className="soft small">{t('alert.whole_site')}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A summary of an alert. */
export function AlertNote({ alert, onClose }: { alert: Alert; onClose(): void }) {
  const { site_id } = useHere()
  return (
    <Around label={<bdi>{alert.title}</bdi>} onClose={onClose}>
      <AlertMark alert={alert} />
      <AlertSays alert={alert} />
      <Go className="btn" to={paths.alerts(site_id, { alert: alert.id })}>
        {t('alert.open')}
      </Go>
    </Around>
  )
}

/** The button that starts an alert on the map. */
export function RaiseButton({ onRaise }: { onRaise(): void }) {
  // The panel is fetched with the button, so that nobody in a hurry waits for it. If that fails, it is fetched when the button is pressed.
  useEffect(() => void loadRaisePanel().catch(() => undefined), [])
  return (
    <Button onClick={onRaise}>
      <Glyph name="warning" size={16} />
      {t('alert.raise')}
    </Button>
  )
}

/** Raises an alert in the middle of the map, on the level that it shows. */
export function RaiseHere({ map, floor, onClose }: { map: MapLibre | null; floor: Floor; onClose(): void }) {
  if (map === null) return null
  const level = floor?.level ?? null
  return (
    <Suspense fallback={null}>
      <Begun onLeave={onClose}>
        <RaisePanel
          on_level={level !== null}
          placeNow={() => {
            const { lng, lat } = map.getCenter()
            return {
              point: { lon: lng, lat },
              ...(floor === null || level === null ? {} : { building_id: floor.building, level_index: level }),
            }
          }}
          onSpot={(lon, lat) => void map.easeTo({ center: [lon, lat], zoom: Math.max(map.getZoom(), 18) })}
          onClose={onClose}
        />
      </Begun>
    </Suspense>
  )
}
