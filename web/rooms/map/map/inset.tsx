import './map.css'
import { useMemo } from 'react'
import { Skeleton } from '../../../base/kit/note.tsx'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { type CardPermit, standingOf } from '../../permits/permits/door.tsx'
import { useBoundary, useFrameAt, useNames } from './data.ts'
import { boxOf, type Ground, groundOf, isGround, markersOf, type Placed, type Spot } from './model.ts'
import { MapHost } from './parts/host.tsx'
import { sceneOf } from './scene.ts'

type Given = {
  permit: Placed & { awaiting_countersign: boolean; handed_back_at: string | null }
  others: readonly CardPermit[]
}

/** Shows where a permit is, circled, and where the others are; hidden from screen readers, because the text is next to it. */
export default function PlaceInset({ permit, others }: Given) {
  const { site_id } = useHere()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const boundary = useBoundary(site_id)
  const permits = useMemo(() => [permit, ...others].map(one => ({ ...one, standing: standingOf(one), mine: false })), [permit, others])
  const markers = useMemo(() => markersOf(permits, frame), [permits, frame])
  const names = useNames(site_id)
  const scene = useMemo(
    () => sceneOf({ boundary: boundary.ground, frame, permits, markers, floor: null, chosen: permit.id, label: names.label }),
    [boundary.ground, frame, permits, markers, permit.id, names.label],
  )
  const around = useMemo(() => {
    const grounds: Ground[] = permits.flatMap(({ place }) => {
      const named = frame.get(place?.zone_id ?? '') ?? frame.get(place?.building_id ?? '')
      return [...(isGround(place?.polygon) ? [place.polygon] : []), ...(named === undefined ? [] : [groundOf(named)])]
    })
    return boxOf(
      grounds,
      markers.map((marker): Spot => marker.spot),
    )
  }, [permits, markers, frame])
  if (frameAsked.isPending || boundary.isPending) return <Skeleton rows={1} height={220} />
  if (markers.length === 0) return null
  return (
    <div className="map-inset">
      <MapHost label={t('map.inset')} scene={scene} styles={names.styles} around={around} still />
    </div>
  )
}
