import './map.css'
import { useMemo, useState } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { FaultNote, Skeleton } from '../../../base/kit/note.tsx'
import { useHere } from '../../../base/site.tsx'
import { type CardPermit, standingOf, waitsForMe } from '../../permits/permits/door.tsx'
import { useBoundary, useFrameAt, useNames } from './data.ts'
import { boxOf, groundOf, markersOf, nearTo, partedAt, pickedAt, sayView, spotOf, type View, viewOf } from './model.ts'
import { MarkNote } from './parts/floating.tsx'
import { MapHost } from './parts/host.tsx'
import { PermitList } from './parts/place-list.tsx'
import { t } from './says.ts'
import { sceneOf } from './scene.ts'
import { useStart } from './start.ts'

/** Filtered permits on the map, and as a list next to it. */
export default function PermitsMap({ rows, now }: { rows: readonly CardPermit[]; now: number }) {
  const { site_id, zone } = useHere()
  const [place, setPlace] = usePlace()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const { ground, ...boundary } = useBoundary(site_id)
  const permits = useMemo(() => rows.map(row => ({ ...row, standing: standingOf(row, now), mine: waitsForMe(row) })), [rows, now])
  const markers = useMemo(() => markersOf(permits, frame), [permits, frame])
  const chosen = place.chosen ?? null
  const names = useNames(site_id)
  const scene = useMemo(
    () => sceneOf({ boundary: ground, frame, permits, markers, floor: null, chosen, label: names.label }),
    [ground, frame, permits, markers, chosen, names.label],
  )
  const [parted, setParted] = useState<View | null>(null)
  const around = useMemo(
    () =>
      boxOf(
        ground === null ? [...frame.values()].map(groundOf) : [ground],
        markers.map(marker => marker.spot),
      ),
    [ground, frame, markers],
  )
  const loading = frameAsked.isPending || boundary.isPending
  const empty = !loading && around === null
  const start = useStart(empty)
  if (loading || (empty && start === null)) return <Skeleton rows={1} height={420} />
  if (frameAsked.data === undefined && frameAsked.error !== null)
    return <FaultNote error={frameAsked.error} onRetry={() => void frameAsked.refetch()} />
  const marker = pickedAt(markers, chosen)
  const picked = permits.find(one => one.id === chosen)
  return (
    <div className="map-columns">
      <div className="map-side">
        <MapHost
          label={t('map.label')}
          scene={scene}
          styles={names.styles}
          around={around}
          start={start?.view ?? null}
          view={viewOf(place.at_view)}
          onView={(view, by_person) => {
            if (by_person) setParted(null)
            if (sayView(view) !== place.at_view) setPlace({ at_view: sayView(view) })
          }}
          onPick={found => {
            const top = found.find(one => one.layer === 'markers')
            const tapped = markers.find(one => one.key === top?.id)
            const apart = tapped === undefined ? null : partedAt(markers, tapped)
            setParted(apart)
            setPlace({ chosen: apart === null ? tapped?.ids[0] : undefined })
          }}
          goTo={parted ?? nearTo(picked === undefined ? null : spotOf(picked.place, frame))}
          floating={
            marker === null
              ? null
              : {
                  at: marker.spot,
                  content: (
                    <MarkNote
                      permits={marker.ids.flatMap(id => permits.find(one => one.id === id) ?? [])}
                      site_id={site_id}
                      zone={zone}
                      now={now}
                      onClose={() => setPlace({ chosen: undefined })}
                    />
                  ),
                }
          }
        />
      </div>
      <section className="map-list stack" aria-label={t('map.list')}>
        <h2>{t('map.permits')}</h2>
        <PermitList
          site_id={site_id}
          zone={zone}
          now={now}
          permits={permits}
          frame={frame}
          chosen={chosen}
          onChoose={id => {
            setParted(null)
            setPlace({ chosen: id })
          }}
        />
      </section>
    </div>
  )
}
