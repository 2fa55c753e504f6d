// The line work of a PDF page, in the process that reads plans: its paths on layers that are shown, followed through transformations, in pixels of the drawn page.
import { readFile } from 'node:fs/promises'
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Affine, after } from '../domain/dxf-shapes.ts'
import { type Box, boxAround, emptyBox, grow, type PlanLine, partsWithin } from '../domain/lines.ts'
import { PROBLEMS } from '../domain/orders.ts'

const LINES_AT_MOST = 1_000_000
const TOO_MANY = 'has more than a million lines on its page, which are too many to be found. Its picture can be used.'
/** A closed path around nearly the whole page is its background. */
const BACKGROUND = 0.98
/** Largest distance between a curve and its chords, pixels. */
const TOLERANCE = 0.4
const PAINTS = new Set<number>([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])
const [MOVE, LINE, CURVE, QUADRATIC, CLOSE] = [0, 1, 2, 3, 4]

/** Opens a PDF for reading what is in it, not for drawing. */
const opening = (bytes: Uint8Array) =>
  getDocument({ data: new Uint8Array(bytes), disableFontFace: true, useSystemFonts: false, verbosity: 0 })

/** Acrobat’s own limit. */
const LARGEST_UNIT = 75_000

/** Returns how many points a unit of a page has: one, unless the sheet is so large that it has units of its own. */
export async function pointsOfUnit(bytes: Uint8Array, number: number): Promise<number> {
  const loading = opening(bytes)
  try {
    const { userUnit } = await (await loading.promise).getPage(number)
    return userUnit > 0 && userUnit <= LARGEST_UNIT ? userUnit : 1
  } finally {
    await loading.destroy()
  }
}

/** How what follows is transformed, and the box outside of which it isn't seen. */
type State = { here: Affine; clip: Box }

/** Returns the part of a box that is within the box around a path: most paths that clip are rectangles. */
function common([left, top, right, bottom]: Box, paths: readonly (readonly number[])[]): Box {
  const box = emptyBox()
  for (const points of paths) grow(box, points)
  return [Math.max(left, box[0]), Math.max(top, box[1]), Math.min(right, box[2]), Math.min(bottom, box[3])]
}

/** Reads the lines of a page; `take` gets each. */
export async function linesOfPdf(
  source: { path: string; page: number; width: number; height: number },
  take: (line: PlanLine) => void,
): Promise<void> {
  const loading = opening(await readFile(source.path))
  try {
    const file = await loading.promise
    const page = await file.getPage(source.page)
    const layers = await file.getOptionalContentConfig()
    const plain = page.getViewport({ scale: 1 })
    const { transform } = page.getViewport({ scale: source.width / plain.width })
    const { fnArray, argsArray } = await page.getOperatorList()
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform.map(Number)
    const whole: Affine = [a, b, c, d, e, f]
    let state: State = { here: whole, clip: [0, 0, source.width, source.height] }
    const kept: State[] = []
    const keep = (here: Affine) => {
      kept.push(state)
      state = { ...state, here }
    }
    // What follows is clipped by the next path.
    let clips = false
    // Of the marked parts around what follows, whether their layers are shown; most parts are on none.
    const shown: boolean[] = []
    let count = 0
    for (const [i, operation] of fnArray.entries()) {
      const args: unknown = argsArray[i]
      const { here, clip } = state
      if (operation === OPS.save) keep(here)
      else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd || operation === OPS.endAnnotation)
        state = kept.pop() ?? state
      else if (operation === OPS.transform) state = { here: after(here, affineOf(args)), clip }
      else if (operation === OPS.paintFormXObjectBegin) keep(after(here, affineOf(Array.isArray(args) ? args[0] : null)))
      else if (operation === OPS.beginAnnotation)
        // A stamp or a note has a place of its own on the page, by two transformations.
        keep([2, 3].reduce((all, k) => after(all, affineOf(Array.isArray(args) ? args[k] : null)), whole))
      else if (operation === OPS.clip || operation === OPS.eoClip) clips = true
      else if (operation === OPS.beginMarkedContent) shown.push(true)
      else if (operation === OPS.beginMarkedContentProps) {
        const [tag, layer]: unknown[] = Array.isArray(args) ? args : []
        shown.push(tag !== 'OC' || layers.isVisible(layer))
      } else if (operation === OPS.endMarkedContent) shown.pop()
      else if (operation === OPS.constructPath && Array.isArray(args)) {
        const paints = PAINTS.has(Number(args[0])) && !shown.includes(false)
        const paths = paints || clips ? pathsOf(args[1], here) : []
        if (clips) state = { here, clip: common(clip, paths) }
        clips = false
        if (!paints) continue
        for (const points of paths) {
          if (isBackground(points, source)) continue
          if (++count > LINES_AT_MOST) throw new Error(`${PROBLEMS.unread}: ${TOO_MANY}`)
          for (const part of partsWithin(points, clip)) take(['page', 'line', part])
        }
      }
    }
  } finally {
    await loading.destroy()
  }
}

/** Returns a transformation, which the library has as a list or, for parts of a page that are drawn again and again, as decimal numbers of 32 bits. */
function affineOf(args: unknown): Affine {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.isArray(args) || args instanceof Float32Array ? Array.from(args, Number) : []
  return [a, b, c, d, e, f]
}

function isBackground(points: readonly number[], { width, height }: { width: number; height: number }): boolean {
  if (points.length < 8 || points[0] !== points.at(-2) || points[1] !== points.at(-1)) return false
  const [left, top, right, bottom] = boxAround(points)
  return right - left > width * BACKGROUND && bottom - top > height * BACKGROUND
}

/** Returns the lines of a path: its pieces are numbers that say how many coordinates follow. */
function pathsOf(value: unknown, [a, b, c, d, e, f]: Affine): number[][] {
  const paths: number[][] = []
  const parts = Array.isArray(value) ? value : [value]
  for (const part of parts) {
    if (!(part instanceof Float32Array)) continue
    let line: number[] = []
    const end = () => {
      if (line.length >= 4) paths.push(line)
      line = []
    }
    const point = (k: number): [number, number] => {
      const [x, y] = [part[k] ?? 0, part[k + 1] ?? 0]
      return [a * x + c * y + e, b * x + d * y + f]
    }
    for (let i = 0; i < part.length; ) {
      const piece = part[i++]
      if (piece === MOVE) {
        end()
        line.push(...point(i))
        i += 2
      } else if (piece === LINE) {
        line.push(...point(i))
        i += 2
      } else if (piece === CURVE) {
        bend(line, [point(i), point(i + 2), point(i + 4)])
        i += 6
      } else if (piece === QUADRATIC) {
        bend(line, [point(i), point(i + 2)])
        i += 4
      } else if (piece === CLOSE) {
        if (line.length >= 4) line.push(line[0] ?? 0, line[1] ?? 0)
      } else break
    }
    end()
  }
  return paths
}

/** Adds a Bézier curve to a line, by as many chords as its bend needs. */
function bend(line: number[], controls: readonly [number, number][]): void {
  const from: [number, number] = [line.at(-2) ?? 0, line.at(-1) ?? 0]
  const all = [from, ...controls]
  let reach = 0
  for (let i = 2; i < all.length; i++) {
    const [p, q, r] = [all[i - 2] ?? from, all[i - 1] ?? from, all[i] ?? from]
    reach = Math.max(reach, Math.hypot(p[0] - 2 * q[0] + r[0], p[1] - 2 * q[1] + r[1]))
  }
  const degree = all.length - 1
  const chords = Math.min(200, Math.max(1, Math.ceil(Math.sqrt((degree * (degree - 1) * reach) / (8 * TOLERANCE)))))
  for (let n = 1; n <= chords; n++) {
    let points = all
    const t = n / chords
    while (points.length > 1)
      points = points.slice(1).map((next, i): [number, number] => {
        const before = points[i] ?? next
        return [before[0] + (next[0] - before[0]) * t, before[1] + (next[1] - before[1]) * t]
      })
    line.push(...(points[0] ?? from))
  }
}
