import './map.css'
import { useMemo } from 'react'
import { Skeleton } from '../../../base/kit/note.tsx'
import { useHere } from '../../../base/site.tsx'
import { standingOf } from '../../permits/permits/door.tsx'
import type { Severity } from './clashes/clashes.ts'
import { useBoundary, useFrameAt, useNames } from './data.ts'
import { boxOf, type Ground, groundOf, isGround, markersOf, type Placed, type Spot } from './model.ts'
import { MapHost } from './parts/host.tsx'
import { t } from './says.ts'
import { sceneOf, withLines } from './scene.ts'

type Shown = Placed & { awaiting_countersign: boolean; handed_back_at: string | null }
/** The closest points of two permits. */
type Between = { severity: Severity; own: { lon: number; lat: number }; other: { lon: number; lat: number } }
type Given = {
  permit: Shown
  others: readonly Shown[]
  /** A conflict between the permit and the only other one: a line between them, and letters as in the text about the two. */
  between?: Between | null
  /** What the map is called where there are several. */
  label?: string
}

/** The letters of two permits that are compared. */
const LETTERS = ['A', 'B']

const spotFrom = ({ lon, lat }: Between['own']): Spot => [lon, lat]

/** Shows where a permit is, circled, and where the others are; hidden from screen readers, because the text is next to it. */
export default function PlaceInset({ permit, others, between, label = t('map.inset') }: Given) {
  const { site_id } = useHere()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const boundary = useBoundary(site_id)
  const permits = useMemo(() => [permit, ...others].map(one => ({ ...one, standing: standingOf(one), mine: false })), [permit, others])
  const lettered = between !== undefined
  const markers = useMemo(() => {
    const all = markersOf(permits, frame)
    const says = (ids: readonly string[]) => LETTERS.filter((_, i) => ids.includes(permits[i]?.id ?? '')).join(' + ')
    return lettered ? all.map(marker => ({ ...marker, says: says(marker.ids) })) : all
  }, [permits, frame, lettered])
  const names = useNames(site_id)
  const scene = useMemo(() => {
    const made = sceneOf({ boundary: boundary.ground, frame, permits, markers, floor: null, chosen: permit.id, label: names.label })
    if (between == null) return made
    const { own, other, severity } = between
    return withLines(made, [{ from: spotFrom(own), to: spotFrom(other), severity }])
  }, [boundary.ground, frame, permits, markers, permit.id, names.label, between])
  const around = useMemo(() => {
    const grounds: Ground[] = permits.flatMap(({ place }) => {
      const named = frame.get(place?.zone_id ?? '') ?? frame.get(place?.building_id ?? '')
      return [...(isGround(place?.polygon) ? [place.polygon] : []), ...(named === undefined ? [] : [groundOf(named)])]
    })
    return boxOf(grounds, [
      ...markers.map((marker): Spot => marker.spot),
      ...(between == null ? [] : [spotFrom(between.own), spotFrom(between.other)]),
    ])
  }, [permits, markers, frame, between])
  if (frameAsked.isPending || boundary.isPending) return <Skeleton rows={1} height={220} />
  if (markers.length === 0) return null
  return (
    <div className="map-inset">
      <MapHost label={label} scene={scene} styles={names.styles} around={around} still />
    </div>
  )
}
