// The picture of a plan, moved and zoomed with fingers, the mouse and the keyboard, and the points on it.
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Size } from '../../../../../shared/calibration/calibrate.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { useTheme } from '../../../../base/looks.ts'
import type { Pixel } from './pairs.ts'
import { t } from './says.ts'
import { moved, onScreen, pixelAt, type Window, whole, zoomed } from './viewing.ts'

const STEP_PX = 40
const FINE_PX = 4
const ZOOM = 1.4
/** A press that moves less than this is a tap. */
const TAP_PX = 8
const WAYS: Readonly<Record<string, Pixel>> = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [1, 0], ArrowRight: [-1, 0] }

/** A numbered point on the plan. */
export type Pin = { key: number; n: number; pixel: Pixel; moving: boolean; worst: boolean }

type Given = { picture: ImageBitmap; size: Size; pins: readonly Pin[]; onPut(pixel: Pixel): void; onPin(key: number): void }

/** A picture of a plan. `size` is that of the whole picture; what is shown of it may have fewer pixels. */
export function PlanView({ picture, size, pins, onPut, onPin }: Given) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [box, setBox] = useState<Size>({ width: 0, height: 0 })
  const [view, setView] = useState<Window | null>(null)
  const theme = useTheme()
  const pointers = useRef(new Map<number, Pixel>())
  const travelled = useRef(0)
  useLayoutEffect(() => {
    const own = frame.current
    if (own === null) return
    const measure = () => setBox({ width: own.clientWidth, height: own.clientHeight })
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(own)
    return () => resized.disconnect()
  }, [])
  const shown = view ?? (box.width === 0 ? null : whole(size, box))
  const now = useRef({ shown, box })
  now.current = { shown, box }
  const change = (make: (view: Window, box: Size) => Window) => {
    const { shown: before, box: around } = now.current
    if (before !== null) setView(make(before, around))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has another ground around the picture.
  useEffect(() => {
    const own = canvas.current
    const pen = own?.getContext('2d')
    if (own == null || pen == null || shown === null) return
    const dense = devicePixelRatio
    own.width = Math.round(box.width * dense)
    own.height = Math.round(box.height * dense)
    pen.imageSmoothingQuality = 'high'
    pen.setTransform(shown.scale * dense, 0, 0, shown.scale * dense, shown.x * dense, shown.y * dense)
    pen.drawImage(picture, 0, 0, size.width, size.height)
  }, [picture, size.width, size.height, shown, box, theme])
  // The browser's own wheel moves the page; only a listener that isn't passive can prevent that.
  const wheel = useRef<(event: WheelEvent) => void>(() => undefined)
  wheel.current = event => {
    event.preventDefault()
    const { left, top } = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : { left: 0, top: 0 }
    change((before, around) => zoomed(before, 2 ** (-event.deltaY / 300), [event.clientX - left, event.clientY - top], size, around))
  }
  useEffect(() => {
    const own = frame.current
    if (own === null) return
    const turn = (event: WheelEvent) => wheel.current(event)
    own.addEventListener('wheel', turn, { passive: false })
    return () => own.removeEventListener('wheel', turn)
  }, [])
  const at = (event: PointerEvent): Pixel => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }
  const press = (event: PointerEvent) => {
    if (event.target instanceof Element && event.target.closest('button') !== null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    if (pointers.current.size === 0) travelled.current = 0
    pointers.current.set(event.pointerId, at(event))
  }
  const drag = (event: PointerEvent) => {
    const from = pointers.current.get(event.pointerId)
    if (from === undefined) return
    const to = at(event)
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, to)
    travelled.current += Math.hypot(to[0] - from[0], to[1] - from[1])
    if (other === undefined) {
      if (travelled.current > TAP_PX) change((before, around) => moved(before, [to[0] - from[0], to[1] - from[1]], size, around))
      return
    }
    travelled.current = Number.POSITIVE_INFINITY // two fingers never tap
    const [before_px, after_px] = [Math.hypot(from[0] - other[0], from[1] - other[1]), Math.hypot(to[0] - other[0], to[1] - other[1])]
    const middle: Pixel = [(to[0] + other[0]) / 2, (to[1] + other[1]) / 2]
    change((before, around) =>
      moved(
        zoomed(before, after_px / Math.max(before_px, 1), middle, size, around),
        [(to[0] - from[0]) / 2, (to[1] - from[1]) / 2],
        size,
        around,
      ),
    )
  }
  const release = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId)) return
    if (event.type === 'pointerup' && pointers.current.size === 0 && travelled.current <= TAP_PX) putAt(at(event))
  }
  const putAt = (place: Pixel) => {
    if (shown === null) return
    const [x, y] = pixelAt(shown, place)
    if (x >= 0 && y >= 0 && x <= size.width && y <= size.height) onPut([x, y])
  }
  const middle: Pixel = [box.width / 2, box.height / 2]
  const typed = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const way = WAYS[event.key]
    const step = event.shiftKey ? FINE_PX : STEP_PX
    if (way !== undefined) change((before, around) => moved(before, [way[0] * step, way[1] * step], size, around))
    else if (event.key === '+' || event.key === '=') change((before, around) => zoomed(before, ZOOM, middle, size, around))
    else if (event.key === '-') change((before, around) => zoomed(before, 1 / ZOOM, middle, size, around))
    else if (event.key === '0') setView(null)
    else if (event.key === 'Enter') putAt(middle)
    else return
    event.preventDefault()
  }
  return (
    <div className="stack tight">
      <div
        ref={frame}
        className="plan-view"
        role="application"
        aria-label={t('pair.plan_label')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed with the keyboard, like the map next to it.
        tabIndex={0}
        onPointerDown={press}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={release}
        onKeyDown={typed}
      >
        <canvas ref={canvas} aria-hidden />
        <span className="map-cross" aria-hidden />
        {shown !== null &&
          pins.map(pin => {
            const [left, top] = onScreen(shown, pin.pixel)
            return (
              <button
                key={pin.key}
                type="button"
                className="pair-pin"
                data-worst={pin.worst || undefined}
                aria-pressed={pin.moving}
                aria-label={t('pair.move_point', { n: pin.n })}
                style={{ left, top }}
                onClick={() => onPin(pin.key)}
              >
                {pin.n}
              </button>
            )
          })}
      </div>
      <div className="row">
        <Button onClick={() => putAt(middle)}>{t('pair.at_cross_plan')}</Button>
        <Button square aria-label={t('map.nearer')} onClick={() => change((before, around) => zoomed(before, ZOOM, middle, size, around))}>
          +
        </Button>
        <Button
          square
          aria-label={t('map.further')}
          onClick={() => change((before, around) => zoomed(before, 1 / ZOOM, middle, size, around))}
        >
          −
        </Button>
        <Button look="quiet" onClick={() => setView(null)}>
          {t('pair.whole')}
        </Button>
      </div>
    </div>
  )
}
