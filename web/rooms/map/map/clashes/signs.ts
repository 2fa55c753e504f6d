// The signs of clashes, drawn by the browser in the theme's colours: the shapes of the words “Red” and “Amber” in lists.
import type { Severity } from './clashes.ts'

type Ink = Record<'card' | 'stop' | 'warn-text' | 'focus', string>

/** Size of a sign with the ring of a selected one. */
export const CLASH_PX = 26

/** A sign: its name as an image of the map, and what it says. */
type Sign = { name: string; severity: Severity; settled: boolean; chosen: boolean }

/** The signs: their names as images of the map, and how they are drawn. */
export const CLASH_SIGNS: readonly Sign[] = (['red', 'amber'] as const).flatMap(severity =>
  [false, true].flatMap(settled =>
    [false, true].map(chosen => ({
      ...{ severity, settled, chosen },
      name: `clash-${severity}${settled ? '-settled' : ''}${chosen ? '-chosen' : ''}`,
    })),
  ),
)

const SHAPES: Record<Severity, string> = { red: 'M9.500 4h7l5 5v7l-5 5h-7l-5-5V9z', amber: 'M13 3.500l9.500 17h-19z' }
/** A cross, and an exclamation mark. */
const MARKS: Record<Severity, string> = {
  red: 'M10.300 9.800l5.400 5.400M15.700 9.800l-5.400 5.400',
  amber: 'M13 9.800v4.400M13 17.300v.01',
}

/** The tick of a settled clash, where the mark of an open one would be. */
const TICKS: Record<Severity, string> = { red: 'M9.500 12.700l2.400 2.500 4.600-5', amber: 'M10.300 14.800l2 2 3.600-4.200' }

/** Draws a sign: an octagon with a cross for red, a triangle with an exclamation mark for amber; if it is settled, the same shape, empty, with a tick. */
export function drawClash(pen: CanvasRenderingContext2D, { severity, settled, chosen }: Omit<Sign, 'name'>, ink: Ink): void {
  const shape = new Path2D(SHAPES[severity])
  pen.lineJoin = 'round'
  pen.lineCap = 'round'
  if (chosen) {
    pen.lineWidth = 7
    pen.strokeStyle = ink.focus
    pen.stroke(shape)
  }
  pen.lineWidth = 3.5
  pen.strokeStyle = ink.card
  pen.stroke(shape)
  const colour = severity === 'red' ? ink.stop : ink['warn-text']
  pen.fillStyle = settled ? ink.card : colour
  pen.fill(shape)
  pen.lineWidth = 2.2
  if (settled) {
    pen.strokeStyle = colour
    pen.stroke(shape)
  }
  pen.stroke(new Path2D((settled ? TICKS : MARKS)[severity]))
}
