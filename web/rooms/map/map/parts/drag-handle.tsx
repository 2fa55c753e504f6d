// A handle around a point on the map that the person can move: dragged with a finger or the mouse, or moved with the arrow keys.
import { type Map as MapLibre, Marker } from 'maplibre-gl'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Spot } from '../model.ts'
import { stepped } from '../moving.ts'
import { t } from '../says.ts'

const STEPS = [1, 10] as const
/** Direction of each arrow key: east and north. */
const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

type Given = {
  map: MapLibre
  at: Spot
  label: string
  /** Called when it has been moved. */
  onMove(to: Spot): void
  /** Called while it is being dragged. */
  onDrag?(to: Spot): void
  /** Answers a key before the arrow keys move the point; returns whether it did. `shift`: whether Shift is held. */
  onKey?(key: string, shift: boolean): boolean
  /** What it says next to the pointer, if it isn't what it says of something on the map. */
  hint?: string
  /** Metres for an arrow key, and with Shift. */
  steps?: readonly [number, number]
  /** The button, for someone who needs to know where it is. */
  button?: RefObject<HTMLButtonElement | null>
  /** A handle away from what it turns or scales, which arrow keys don’t move by metres: its class, and what is in it. */
  tool?: { look: 'turn-handle' | 'scale-handle'; face: ReactNode }
}

/** The handle. */
export function DragHandle({ map, at, label, onMove, onDrag, onKey, button, hint, steps = STEPS, tool }: Given) {
  const [host] = useState(() => document.createElement('div'))
  const [marker] = useState(() => new Marker({ element: host, draggable: true }))
  const [lon, lat] = at
  useEffect(() => {
    const spot = (): Spot => {
      const { lng, lat: north } = marker.getLngLat()
      return [lng, north]
    }
    const dragged = () => onDrag?.(spot())
    const dropped = () => onMove(spot())
    marker.on('drag', dragged)
    marker.on('dragend', dropped)
    return () => {
      marker.off('drag', dragged)
      marker.off('dragend', dropped)
    }
  }, [marker, onMove, onDrag])
  useEffect(() => void marker.setLngLat([lon, lat]), [marker, lon, lat])
  // Adding it again would take the focus from it, so that only one press of a key would count.
  useEffect(() => {
    marker.addTo(map)
    return () => void marker.remove()
  }, [map, marker])
  // A tap on it would select what is below.
  const isTool = tool !== undefined
  useEffect(() => {
    if (!isTool) return
    const stop = (event: Event) => event.stopPropagation()
    host.addEventListener('click', stop)
    host.addEventListener('dblclick', stop)
    return () => {
      host.removeEventListener('click', stop)
      host.removeEventListener('dblclick', stop)
    }
  }, [host, isTool])
  const press = (event: KeyboardEvent) => {
    const way = tool === undefined ? WAYS[event.key] : undefined
    if (onKey?.(event.key, event.shiftKey) !== true) {
      if (way === undefined) return
      const metres = steps[event.shiftKey ? 1 : 0]
      onMove(stepped(at, way[0] * metres, way[1] * metres))
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return createPortal(
    <button
      ref={button}
      type="button"
      className={tool === undefined ? 'move-handle' : `move-handle ${tool.look}`}
      aria-label={label}
      title={hint ?? t('token.handle_hint')}
      onKeyDown={press}
    >
      {tool?.face}
    </button>,
    host,
  )
}
