// The signs of clashes, drawn by the browser in the theme's colours: the shapes of the words “Red” and “Amber” in lists.
import type { Severity } from './clashes.ts'

type Ink = Record<'card' | 'stop' | 'warn-text' | 'focus', string>

/** Size of a sign with the ring of a selected one. */
export const CLASH_PX = 26

/** The signs: their names as images of the map, and how they are drawn. */
export const CLASH_SIGNS: readonly { name: string; severity: Severity; chosen: boolean }[] = (['red', 'amber'] as const).flatMap(severity =>
  [false, true].map(chosen => ({ name: `clash-${severity}${chosen ? '-chosen' : ''}`, severity, chosen })),
)

const SHAPES: Record<Severity, string> = { red: 'M9.500 4h7l5 5v7l-5 5h-7l-5-5V9z', amber: 'M13 3.500l9.500 17h-19z' }
/** A cross, and an exclamation mark. */
const MARKS: Record<Severity, string> = {
  red: 'M10.300 9.800l5.400 5.400M15.700 9.800l-5.400 5.400',
  amber: 'M13 9.800v4.400M13 17.300v.01',
}

/** Draws a sign: an octagon with a cross for red, a triangle with an exclamation mark for amber. */
export function drawClash(pen: CanvasRenderingContext2D, { severity, chosen }: { severity: Severity; chosen: boolean }, ink: Ink): void {
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
  pen.fillStyle = severity === 'red' ? ink.stop : ink['warn-text']
  pen.fill(shape)
  pen.lineWidth = 2.2
  pen.stroke(new Path2D(MARKS[severity]))
}
