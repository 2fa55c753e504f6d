import '../map.css'
import { useMemo } from 'react'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { useBoundary, useFrameAt, useNames } from '../data.ts'
import { boxOf } from '../model.ts'
import { MapHost, type Pick } from '../parts/host.tsx'
import { sceneOf, withLines } from '../scene.ts'
import type { Between } from './clashes.ts'

const NOTHING: readonly never[] = []

type Given = {
  lines: readonly Between[]
  label: string
  /** The selected line, by its key. */
  chosen?: string | null
  /** Called when a person selects a line, or the ground without one. */
  onChoose?(key: string | null): void
}

/** The layers with the lines, and the signs at them. */
const LINES: readonly Pick['layer'][] = ['clash-signs', 'clashes-casing']

/** Shows lines between the two sides of clashes, within the buildings and zones of the site. The page says the same as a list next to it. */
export default function ClashInset({ lines, label, chosen = null, onChoose }: Given) {
  const { site_id } = useHere()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const boundary = useBoundary(site_id)
  const names = useNames(site_id)
  const scene = useMemo(() => {
    const drawn = { boundary: boundary.ground, frame, permits: NOTHING, markers: NOTHING, floor: null, chosen: null, label: names.label }
    return withLines(sceneOf(drawn), lines, chosen)
  }, [boundary.ground, frame, names.label, lines, chosen])
  const around = useMemo(
    () =>
      boxOf(
        NOTHING,
        lines.flatMap(({ from, to }) => [from, to]),
      ),
    [lines],
  )
  const picking =
    onChoose === undefined
      ? {}
      : { onPick: (picked: readonly Pick[]) => onChoose(picked.find(({ layer }) => LINES.includes(layer))?.id ?? null) }
  if (lines.length === 0) return null
  if (frameAsked.isPending || boundary.isPending) return <Skeleton rows={1} height={220} />
  return (
    <div className="map-inset">
      {/* Other lines may be somewhere else, so the picture is made again. */}
      <MapHost key={around?.join(' ')} label={label} scene={scene} styles={names.styles} around={around} still {...picking} />
    </div>
  )
}
