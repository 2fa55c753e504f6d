// What a person can take hold of on the map while they place a plan by hand: the plan itself, and the handles that move, turn and scale it.
import type { Map as MapLibre, MapMouseEvent, MapTouchEvent } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { Size } from '../../../../../shared/calibration/calibrate.ts'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import type { Spot } from '../model.ts'
import { DragHandle } from '../parts/drag-handle.tsx'
import { handlesOf, isOn, type Lying, movedAs, pinched, scaledBy, scaledTo, turnedBy, turnedTo } from './hand.ts'
import { t } from './says.ts'

/** Metres for an arrow key, and with Shift. */
const STEPS = [1, 0.1] as const
/** Degrees for a press of a key or a button, and with Shift. */
export const TURN = [1, 0.1] as const
/** How much larger a press of a key or a button makes the plan, and with Shift. */
export const GROW = [1.01, 1.001] as const

const LARGER = ['+', '=', 'ArrowUp', 'ArrowRight']
const SMALLER = ['-', '_', 'ArrowDown', 'ArrowLeft']
const RIGHT = ['ArrowRight', 'ArrowDown']
const LEFT = ['ArrowLeft', 'ArrowUp']

type Given = { map: MapLibre; size: Size; lying: Lying; onChange(lying: Lying): void }

/** The handles of a plan; the plan itself can be dragged, too. */
export function HandOnMap({ map, size, lying, onChange }: Given) {
  useFingers({ map, size, lying, onChange })
  const { corner, above } = handlesOf(size, lying)
  const grown = (key: string, fine: boolean, larger: readonly string[], smaller: readonly string[]): boolean => {
    const by = GROW[fine ? 1 : 0]
    if (!larger.includes(key) && !smaller.includes(key)) return false
    onChange(scaledBy(lying, larger.includes(key) ? by : 1 / by))
    return true
  }
  const put = (middle: Spot) => onChange({ ...lying, middle })
  const scale = (to: Spot) => onChange(scaledTo(size, lying, to))
  const turn = (to: Spot) => onChange(turnedTo(lying, to))
  return (
    <>
      <DragHandle
        map={map}
        at={lying.middle}
        label={t('hand.move')}
        hint={t('hand.move_hint')}
        steps={STEPS}
        onMove={put}
        onDrag={put}
        onKey={(key, fine) => grown(key, fine, LARGER.slice(0, 2), SMALLER.slice(0, 2))}
      />
      <DragHandle
        map={map}
        at={above}
        label={t('hand.turn')}
        hint={t('hand.turn_hint')}
        tool={{ look: 'turn-handle', face: <Glyph name="turn" size={24} /> }}
        onMove={turn}
        onDrag={turn}
        onKey={(key, fine) => {
          const way = RIGHT.includes(key) ? 1 : LEFT.includes(key) ? -1 : 0
          if (way !== 0) onChange(turnedBy(lying, way * TURN[fine ? 1 : 0]))
          return way !== 0
        }}
      />
      <DragHandle
        map={map}
        at={corner}
        label={t('hand.scale')}
        hint={t('hand.scale_hint')}
        tool={{ look: 'scale-handle', face: <Glyph name="resize" size={24} /> }}
        onMove={scale}
        onDrag={scale}
        onKey={(key, fine) => grown(key, fine, LARGER, SMALLER)}
      />
    </>
  )
}

/** Lets one pointer drag the plan, and two fingers turn and scale it. A press next to the plan is one on the map. */
function useFingers({ map, size, lying, onChange }: Given): void {
  const now = useRef({ size, lying, onChange })
  now.current = { size, lying, onChange }
  useEffect(() => {
    const spots = ({ lngLats }: MapTouchEvent): Spot[] => lngLats.map(({ lng, lat }) => [lng, lat])
    const take = (next: Lying) => {
      // Several events can arrive before the next drawing.
      now.current.lying = next
      now.current.onChange(next)
    }
    const isHeld = ({ target }: Event, spot: Spot): boolean =>
      isOn(now.current.size, now.current.lying, spot) && !(target instanceof Element && target.closest('button') !== null)
    let mouse: Spot | null = null
    const pressed = (event: MapMouseEvent) => {
      const spot: Spot = [event.lngLat.lng, event.lngLat.lat]
      if (event.originalEvent.button !== 0 || !isHeld(event.originalEvent, spot)) return
      event.preventDefault()
      mouse = spot
    }
    const dragged = (event: MouseEvent) => {
      if (mouse === null) return
      const { left, top } = map.getCanvas().getBoundingClientRect()
      const { lng, lat } = map.unproject([event.clientX - left, event.clientY - top])
      take(movedAs(now.current.lying, mouse, [lng, lat]))
      mouse = [lng, lat]
    }
    const released = () => {
      mouse = null
    }
    /** Where the fingers were that are on the plan; null if there are none. */
    let fingers: Spot[] | null = null
    const touched = (event: MapTouchEvent) => {
      const all = spots(event)
      if (fingers === null && (all[0] === undefined || !isHeld(event.originalEvent, all[0]))) return
      // The map would follow a finger that stays after another was lifted.
      map.dragPan.disable()
      map.touchZoomRotate.disable()
      fingers = all
    }
    const slid = (event: MapTouchEvent) => {
      if (fingers === null) return
      event.originalEvent.preventDefault()
      const all = spots(event)
      const [[a, b], [c, d]] = [fingers, all]
      fingers = all
      // A finger more or less begins another movement.
      if (a === undefined || c === undefined || (b === undefined) !== (d === undefined)) return
      take(b === undefined || d === undefined ? movedAs(now.current.lying, a, c) : pinched(now.current.lying, [a, b], [c, d]))
    }
    const freed = () => {
      if (fingers === null) return
      fingers = null
      map.dragPan.enable()
      map.touchZoomRotate.enable()
      map.touchZoomRotate.disableRotation()
    }
    const lifted = ({ originalEvent }: MapTouchEvent) => {
      if (originalEvent.touches.length === 0) freed()
      else if (fingers !== null) fingers = []
    }
    map.on('mousedown', pressed)
    window.addEventListener('mousemove', dragged)
    window.addEventListener('mouseup', released)
    map.on('touchstart', touched)
    map.on('touchmove', slid)
    map.on('touchend', lifted)
    map.on('touchcancel', lifted)
    return () => {
      map.off('mousedown', pressed)
      window.removeEventListener('mousemove', dragged)
      window.removeEventListener('mouseup', released)
      map.off('touchstart', touched)
      map.off('touchmove', slid)
      map.off('touchend', lifted)
      map.off('touchcancel', lifted)
      freed()
    }
  }, [map])
}
