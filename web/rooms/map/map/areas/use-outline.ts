// The outline that is drawn on the map, for panels next to it: first its corners one after the other, then as a shape whose corners can be dragged.
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { useTheme } from '../../../../base/looks.ts'
import type { Ground, Spot } from '../model.ts'
import { useUnsaved } from '../parts/begun.tsx'
import type { Sketch } from '../parts/sketch.ts'
import type { Scene } from '../scene.ts'
import { joined } from '../sketching.ts'
import { ringsIn, snapAt } from './snap.ts'
import type { Trace } from './trace.ts'

/** What a panel does with the outline that is being drawn. */
export type Outline = {
  /** Sets or removes the outline, on the map, too. */
  put(ground: Ground | null): void
  /** The corners that are set so far. */
  corners: number
  add(): void
  drop(): void
  close(): void
  /** Whether corners and edges attract what is drawn. */
  snaps: boolean
  onSnaps(snaps: boolean): void
}

type Given = {
  map: MapLibre | null
  ground: Ground | null
  onGround(ground: Ground | null): void
  scene: Scene
  /** The shape that is changed: it doesn't attract itself. */
  without: string | null
}

/** Draws an outline while a panel is open. */
export function useOutline({ map, ground, onGround, scene, without }: Given): Outline {
  const theme = useTheme()
  const trace = useRef<Trace | null>(null)
  const sketch = useRef<Sketch | null>(null)
  const [spots, setSpots] = useState<readonly Spot[]>([])
  const report = useUnsaved()
  const [snaps, setSnaps] = useState(true)
  const now = useRef({ ground, onGround, scene, snaps, spots })
  now.current = { ground, onGround, scene, snaps, spots }
  const first = useRef(ground)
  const touched = spots.length > 0 || ground !== first.current
  useEffect(() => {
    if (touched) report(true)
  }, [touched, report])
  const close = (all: readonly Spot[]) => {
    const [first] = all
    if (first === undefined || all.length < 3) return
    setSpots([])
    now.current.onGround(joined([[[...all, first].map(([lon, lat]) => [lon, lat])]]))
  }
  const closing = useRef(close)
  closing.current = close
  const drawn = ground !== null
  useEffect(() => {
    if (map === null) return
    let over = false
    const rings = () => (now.current.snaps ? ringsIn(now.current.scene, without) : [])
    if (drawn)
      void import('../parts/sketch.ts').then(({ beginSketch }) => {
        if (over) return
        const snap = (at: Spot) => snapAt(rings(), at, ([lon, lat]) => map.project([lon, lat]))?.spot ?? null
        sketch.current = beginSketch(map, theme, now.current.ground, next => now.current.onGround(next), snap)
      })
    else
      void import('./trace.ts').then(({ beginTrace }) => {
        if (over) return
        trace.current = beginTrace(map, {
          ...{ theme, start: now.current.spots, rings },
          onSpots: setSpots,
          onClose: all => closing.current(all),
        })
      })
    return () => {
      over = true
      // A map that was removed has already removed its layers.
      if (map.getCanvas().isConnected) {
        sketch.current?.stop()
        trace.current?.stop()
      }
      sketch.current = null
      trace.current = null
    }
  }, [map, theme, drawn, without])
  return {
    put(next) {
      setSpots([])
      if (next === null) trace.current?.clear()
      else sketch.current?.put(next)
      onGround(next)
    },
    corners: spots.length,
    add: () => trace.current?.add(),
    drop: () => trace.current?.drop(),
    close: () => close(spots),
    snaps,
    onSnaps: setSnaps,
  }
}
