// Marks that a person draws on a copy of a photo: arrows, rings and lines, in the pixels of the picture. The screen and the saved copy draw the same paths.

/** How a mark is drawn: from a place to what it is about, around something, or by hand. */
export const MARK_TOOLS = ['arrow', 'ring', 'line'] as const
export type MarkTool = (typeof MARK_TOOLS)[number]

/** A place on the picture: pixels from its left and from its top. */
export type Spot = readonly [x: number, y: number]
/** The width and height of a picture in pixels. */
export type PictureSize = { width: number; height: number }
/** A mark: where it begins, and how it goes on. An arrow and a ring have one more place: the tip, and the opposite corner. */
export type Mark = { tool: MarkTool; from: Spot; way: readonly Spot[] }

/** Marks in red with a white edge are visible on concrete, on soil and in the dark. */
export const MARK_COLOURS = { edge: '#ffffff', stroke: '#d4141e' } as const
/** The white edge is wider than the mark itself by this factor. */
export const EDGE = 1.9

/** Returns how wide a mark is drawn on a picture of a size, pixels: as wide on a small screen as on a large photo. */
export const penOf = ({ width, height }: PictureSize): number => Math.max(2, Math.max(width, height) / 160)

/** Returns a mark that goes on to a spot. */
export const extended = (mark: Mark, to: Spot): Mark => ({ ...mark, way: mark.tool === 'line' ? [...mark.way, to] : [to] })

/** Returns the spot within the picture that is nearest. */
export const within = ([x, y]: Spot, { width, height }: PictureSize): Spot => [
  Math.min(Math.max(x, 0), width),
  Math.min(Math.max(y, 0), height),
]

/** Returns whether a mark is long enough to be seen: a tap isn't a mark. */
export const isDrawn = ({ from, way }: Mark, size: PictureSize): boolean =>
  way.some(([x, y]) => Math.hypot(x - from[0], y - from[1]) >= penOf(size) * 3)

const shown = (...values: number[]): string => values.map(value => Math.round(value * 10) / 10).join(' ')

/** The sides of an arrow's head: this many pens long, and this far from its shaft in radians. */
const HEAD_PENS = 7
const HEAD_TURN = 0.5

function arrow([x, y]: Spot, [to_x, to_y]: Spot, pen: number): string {
  const length = Math.min(pen * HEAD_PENS, Math.hypot(to_x - x, to_y - y))
  const back = Math.atan2(y - to_y, x - to_x)
  const side = (turn: number) => shown(to_x + length * Math.cos(back + turn), to_y + length * Math.sin(back + turn))
  return `M${shown(x, y)}L${shown(to_x, to_y)}M${side(HEAD_TURN)}L${shown(to_x, to_y)}L${side(-HEAD_TURN)}`
}

function ring([x, y]: Spot, [to_x, to_y]: Spot): string {
  const [across, down] = [Math.abs(to_x - x) / 2, Math.abs(to_y - y) / 2]
  const [left, right, middle] = [Math.min(x, to_x), Math.max(x, to_x), (y + to_y) / 2]
  const half = (end: number) => `A${shown(across, down)} 0 0 1 ${shown(end, middle)}`
  return `M${shown(left, middle)}${half(right)}${half(left)}Z`
}

/** Returns the path of marks, as SVG and a canvas read it. */
export const pathOf = (marks: readonly Mark[], pen: number): string => marks.map(mark => markPath(mark, pen)).join('')

/** A mark that only begins has no path yet. */
function markPath({ tool, from, way }: Mark, pen: number): string {
  const last = way.at(-1)
  if (last === undefined) return ''
  if (tool === 'arrow') return arrow(from, last, pen)
  if (tool === 'ring') return ring(from, last)
  return `M${shown(...from)}${way.map(spot => `L${shown(...spot)}`).join('')}`
}

const MARKED = ' (marked)'

/** Returns a caption that says that the photo is a marked copy, in at most this number of characters. */
export const markedCaption = (caption: string, most: number): string =>
  caption.endsWith(MARKED) ? caption : `${caption.slice(0, most - MARKED.length)}${MARKED}`

/** Returns the name of the file of a marked copy: `gate.heic` gives `gate (marked).jpg`. */
export function markedName(filename: string): string {
  const stem = filename.replace(/(?<=.)\.[a-z0-9]{1,5}$/i, '')
  return `${stem.endsWith(MARKED) ? stem : `${stem}${MARKED}`}.jpg`
}
