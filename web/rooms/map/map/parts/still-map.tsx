import '../map.css'
import { useMemo } from 'react'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { useBoundary, useFrameAt, useNames } from '../data.ts'
import { type Box, boxOf, type Frame, type Ground, groundOf, type Spot } from '../model.ts'
import { type Scene, sceneOf } from '../scene.ts'
import { MapHost } from './host.tsx'
import type { Pick } from './picked.ts'

const NOTHING: readonly never[] = []

/** The site as it is now, with nothing on it; null while it loads. `around`: the box around it, null if nothing of it is drawn. */
export function useSiteScene(): { scene: Scene; frame: Frame; around: Box | null } | null {
  const { site_id } = useHere()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const { ground, ...boundary } = useBoundary(site_id)
  const { label } = useNames(site_id)
  const made = useMemo(() => {
    const drawn: Ground[] = ground === null ? [...frame.values()].map(groundOf) : [ground]
    return {
      scene: sceneOf({ boundary: ground, frame, permits: NOTHING, markers: NOTHING, floor: null, chosen: null, label }),
      frame,
      around: boxOf(drawn),
    }
  }, [ground, frame, label])
  return frameAsked.isPending || boundary.isPending ? null : made
}

/** Returns the box around a box and more points. */
export function widened(box: Box | null, spots: readonly Spot[]): Box | null {
  return boxOf(
    [],
    [
      ...(box === null
        ? []
        : ([
            [box[0], box[1]],
            [box[2], box[3]],
          ] as const)),
      ...spots,
    ],
  )
}

type Given = { scene: Scene | null; around: Box | null; label: string; onPick?(picked: readonly Pick[]): void }

/** A small picture of the map, which doesn’t move. The page says the same as a list next to it. */
export function StillMap({ scene, around, label, onPick }: Given) {
  const names = useNames(useHere().site_id)
  if (scene === null) return <Skeleton rows={1} height={220} />
  return (
    <div className="map-inset">
      {/* What is shown may be somewhere else than before, so the picture is made again. */}
      <MapHost
        key={around?.join(' ')}
        label={label}
        scene={scene}
        styles={names.styles}
        around={around}
        still
        {...(onPick === undefined ? {} : { onPick })}
      />
    </div>
  )
}
