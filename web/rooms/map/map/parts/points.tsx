// Points of interest next to the map: the list of what it shows, and the panel of a selected one.
import { useMemo } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import type { Feature, Frame } from '../model.ts'
import { t, tOf } from '../says.ts'
import { inOrder, type Poi, SIGNS } from '../signs.ts'
import { Around } from './floating.tsx'
import { Called } from './place-list.tsx'

/** The sign of a kind of point, as on the map. */
export function SignMark({ kind, size = 24, ...at }: { kind: Poi['poi_kind']; size?: number; x?: number; y?: number }) {
  const { hue, paths = [], fill = false, says } = SIGNS[kind]
  return (
    <svg className={`sign sign-${hue}`} {...at} viewBox="-3 -3 30 30" width={size} height={size} aria-hidden="true">
      <rect x={-2} y={-2} width={28} height={28} rx={5} />
      {says === undefined ? (
        paths.map(path => <path key={path} d={path} className={fill ? 'full' : undefined} />)
      ) : (
        <text x={12} y={12} fontSize={says.length > 2 ? 11 : 15}>
          {says}
        </text>
      )}
    </svg>
  )
}

/** Returns the building and the level of a point in words. */
function whereOf({ place }: Poi, frame: Frame): { feature: Feature; level: string | null } | null {
  const building = frame.get(place.building_id ?? '')
  const level = building?.levels.find(({ index }) => index === place.level_index)
  const feature = frame.get(place.zone_id ?? '') ?? building
  return feature === undefined ? null : { feature, level: level?.name ?? null }
}

/** The building and the level of a point; `before`: what separates them from what precedes them. */
export const Where = ({ point, frame, before = '' }: { point: Poi; frame: Frame; before?: string }) => {
  const where = whereOf(point, frame)
  if (where === null) return null
  return (
    <>
      {before}
      <Called feature={where.feature} />
      {where.level !== null && ` · ${where.level}`}
    </>
  )
}

/** Returns the link that calls a phone number. */
export const dialOf = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`

/** Returns a what3words address as it is written. */
export const wordsOf = (address: string): string => `///${address.replace(/^\/+/, '')}`

type ListGiven = { points: readonly Poi[]; chosen: string | null; onChoose(point: Poi): void }

/** The points, those for emergencies first; a tap shows one on the map. */
export function PointList({ points, chosen, onChoose }: ListGiven) {
  const { site_id } = useHere()
  const rows = useMemo(() => inOrder(points), [points])
  if (rows.length === 0) return null
  return (
    <>
      <div className="row spread">
        <h2>{t('map.points')}</h2>
        <Go to={paths.emergencyPlan(site_id)}>{t('emergency.title')}</Go>
      </div>
      <ul className="frame-list">
        {rows.map(point => (
          <li key={point.id}>
            <button type="button" className="frame-row" aria-pressed={point.id === chosen} onClick={() => onChoose(point)}>
              <SignMark kind={point.poi_kind} />
              <span className="grow cut two-lines">
                <bdi>{point.name}</bdi>
              </span>
              <span className="soft small">{tOf('poi_kind', point.poi_kind)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A summary of a point. */
export function PointNote({ point, frame, onEdit, onClose }: { point: Poi; frame: Frame; onEdit: (() => void) | null; onClose(): void }) {
  const { zone } = useHere()
  return (
    <Around label={<bdi>{point.name}</bdi>} onClose={onClose}>
      <p className="row">
        <SignMark kind={point.poi_kind} /> {tOf('poi_kind', point.poi_kind)}
      </p>
      {whereOf(point, frame) !== null && (
        <p className="small">
          <Where point={point} frame={frame} />
        </p>
      )}
      {point.phone !== null && (
        <p className="small">
          <a href={dialOf(point.phone)}>{point.phone}</a>
        </p>
      )}
      {point.what3words !== null && <p className="small mono">{wordsOf(point.what3words)}</p>}
      {point.end_at !== null && <p className="small soft">{t('map.until', { time: momentOf(point.end_at, zone) })}</p>}
      {point.notes !== null && <p className="small">{point.notes}</p>}
      {onEdit !== null && <Button onClick={onEdit}>{t('common.edit')}</Button>}
    </Around>
  )
}
