// Markers of permits for the map: the shapes of the card, drawn by the browser in the theme's colours.

import type { Map as MapLibre } from 'maplibre-gl'
import { keysOf } from '../../../../../shared/narrow.ts'
import type { Theme } from '../../../../base/theme/themes.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import { MARKS } from '../../../permits/permits/door.tsx'
import { CLASH_PX, CLASH_SIGNS, drawClash } from '../clashes/signs.ts'
import { HUES } from '../layers.ts'
import { SIGNS } from '../signs.ts'

const SIZE = 28
/** Device pixels of an image for each of its pixels. */
export const SCALE = 2
/** What workers, plant and members of smart groups look like, in a square of 24 units. */
const TOKENS = {
  worker: ['M5 12a7 7 0 0 1 14 0', 'M3 12h18', 'M12 5v4', 'M8 12v2a4 4 0 0 0 8 0v-2', 'M5 22c0-3 3-4.500 7-4.500s7 1.500 7 4.500'],
  delivery: ['M2.500 6h11v11h-11z', 'M13.500 10h4.500l3.500 3.500V17h-8z', 'M7 19.500a2 2 0 1 0 0-.01z', 'M17 19.500a2 2 0 1 0 0-.01z'],
  active_area: ['M4 7l9-4 7 6-2 10-11 2z'],
  permit: ['M6 3h8l4 4v14H6z', 'M9 12h6', 'M9 16h6'],
  several: ['M7 8h.01', 'M17 8h.01', 'M12 16h.01'],
  plant: ['M6 21V4', 'M3.5 21h5', 'M6 4h14', 'M6 8l4-4', 'M17 4v6', 'M15.500 10h3v3h-3z'],
}
/** Size of the signs of points. */
const SIGN = 24

/** Returns an image that is painted; a square, unless it has a height of its own. */
export function drawn(width: number, paint: (pen: CanvasRenderingContext2D) => void, height = width): ImageData {
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('This browser can’t draw images.')
  pen.scale(SCALE, SCALE)
  paint(pen)
  return pen.getImageData(0, 0, canvas.width, canvas.height)
}

function disc(pen: CanvasRenderingContext2D, size: number, radius: number, colour: string): void {
  pen.beginPath()
  pen.arc(size / 2, size / 2, radius, 0, 2 * Math.PI)
  pen.fillStyle = colour
  pen.fill()
}

/** A square of a hatching that continues on each side. */
const hatched = (colour: string): ImageData =>
  drawn(16, pen => {
    pen.globalAlpha = 0.55
    pen.strokeStyle = colour
    pen.lineWidth = 2
    for (const x of [-16, 0, 16]) {
      pen.beginPath()
      pen.moveTo(x - 2, 18)
      pen.lineTo(x + 18, -2)
      pen.stroke()
    }
  })

/** A pin: an octagon for danger, a triangle for a warning, a disc for information, each with its sign. */
const pinned = (colour: string, card: string, kind: 'stop' | 'warn' | 'act'): ImageData =>
  drawn(36, pen => {
    const shapes = {
      stop: 'M12 1h12l8 8v11l-8 8h-3l-3 7-3-7h-3l-8-8V9z',
      warn: 'M18 1l16 27H21l-3 7-3-7H2z',
      act: 'M18 2a13 13 0 0 1 3 25.600l-3 7-3-7A13 13 0 0 1 18 2z',
    }
    const outline = new Path2D(shapes[kind])
    pen.lineJoin = 'round'
    pen.fillStyle = colour
    pen.fill(outline)
    pen.lineWidth = 2
    pen.strokeStyle = card
    pen.stroke(outline)
    pen.fillStyle = card
    pen.fillRect(16.5, kind === 'warn' ? 11 : 8, 3, 9)
    pen.fillRect(16.5, kind === 'warn' ? 22 : 20, 3, 3)
  })

/** Adds a theme's markers to a map, and replaces them when the theme changes. */
export function hangIcons(map: MapLibre, theme: Theme): void {
  const ink = COLOURS[theme]
  const put = (name: string, image: ImageData) => {
    // One that is only updated has its new colours with the next picture, and not when its tiles have been read again: paper doesn't wait for that.
    if (map.hasImage(name)) map.updateImage(name, image)
    else map.addImage(name, image, { pixelRatio: SCALE })
  }
  for (const standing of keysOf(MARKS)) {
    const marker = MARKS[standing]
    put(
      `marker-${standing}`,
      drawn(SIZE, pen => {
        const hue = ink[HUES[standing]]
        disc(pen, SIZE, 13, hue)
        disc(pen, SIZE, 11.5, ink.card)
        pen.translate(5, 5)
        pen.scale(0.75, 0.75)
        pen.lineWidth = 2.6
        pen.lineCap = 'round'
        pen.lineJoin = 'round'
        pen.strokeStyle = hue
        pen.fillStyle = hue
        if (marker.dashed === true) pen.setLineDash([3.4, 3.6])
        for (const path of marker.paths) {
          const line = new Path2D(path)
          if (marker.fill === true) pen.fill(line)
          pen.stroke(line)
        }
      }),
    )
  }
  for (const kind of keysOf(SIGNS)) {
    const { hue, paths = [], fill = false, says } = SIGNS[kind]
    put(
      `sign-${kind}`,
      drawn(SIGN, pen => {
        pen.beginPath()
        pen.roundRect(0.5, 0.5, SIGN - 1, SIGN - 1, 4)
        pen.fillStyle = ink[hue]
        pen.fill()
        pen.lineWidth = 1.5
        pen.strokeStyle = ink.card
        pen.stroke()
        pen.fillStyle = ink.card
        if (says !== undefined) {
          pen.font = `bold ${says.length > 2 ? 9 : 12}px 'IBM Plex Sans', sans-serif`
          pen.textAlign = 'center'
          pen.textBaseline = 'middle'
          return pen.fillText(says, SIGN / 2, SIGN / 2 + 0.5)
        }
        pen.translate(3, 3)
        pen.scale((SIGN - 6) / 24, (SIGN - 6) / 24)
        pen.lineWidth = 2.4
        pen.lineCap = 'round'
        pen.lineJoin = 'round'
        for (const path of paths) {
          const line = new Path2D(path)
          if (fill) pen.fill(line)
          else pen.stroke(line)
        }
      }),
    )
  }
  for (const [token, paths] of Object.entries(TOKENS))
    for (const alarm of [false, true]) {
      put(
        `token-${token}${alarm ? '-alarm' : ''}`,
        drawn(SIZE, pen => {
          disc(pen, SIZE, 10, ink.card)
          pen.save()
          pen.translate(6.5, 6.5)
          pen.scale(15 / 24, 15 / 24)
          pen.lineWidth = 2.4
          pen.lineCap = 'round'
          pen.lineJoin = 'round'
          pen.strokeStyle = ink.ink
          for (const path of paths) pen.stroke(new Path2D(path))
          pen.restore()
          if (!alarm) return
          // A triangle says it as well as the colour.
          pen.beginPath()
          pen.moveTo(21, 1.5)
          pen.lineTo(27, 12)
          pen.lineTo(15, 12)
          pen.closePath()
          pen.fillStyle = ink.stop
          pen.fill()
          pen.lineWidth = 1.2
          pen.strokeStyle = ink.card
          pen.stroke()
          pen.fillStyle = ink.card
          pen.fillRect(20.4, 5, 1.3, 3.6)
          pen.fillRect(20.4, 9.4, 1.3, 1.3)
        }),
      )
    }
  for (const sign of CLASH_SIGNS)
    put(
      sign.name,
      drawn(CLASH_PX, pen => drawClash(pen, sign, ink)),
    )
  for (const [kind, colour] of [
    ['stop', ink.stop],
    ['warn', ink['warn-text']],
    ['act', ink['act-text']],
  ] as const) {
    put(`hatch-${kind}`, hatched(colour))
    put(`alert-${kind}`, pinned(colour, ink.card, kind))
  }
  for (const [name, colour] of [
    ['halo-mine', ink.mine],
    ['halo-chosen', ink.focus],
  ] as const)
    put(
      name,
      drawn(38, pen => disc(pen, 38, 18, colour)),
    )
}
