// The pairs of code and value of an entity, and the simplest forms that are made of them. Pure.
import type { Form } from './dxf-shapes.ts'

/** The pairs of one entity, in order. */
export type Pairs = { codes: number[]; values: (string | number)[] }

export const RADIANS = Math.PI / 180

/** Reads the pairs of an entity. */
export class Entity {
  readonly #pairs: Pairs
  constructor(pairs: Pairs) {
    this.#pairs = pairs
  }
  /** The first number with a code. */
  number(code: number, otherwise = 0): number {
    const i = this.#pairs.codes.indexOf(code)
    return i < 0 ? otherwise : numberOf(this.#pairs.values[i])
  }
  has(code: number): boolean {
    return this.#pairs.codes.includes(code)
  }
  /** The first text with a code. */
  text(code: number): string {
    const i = this.#pairs.codes.indexOf(code)
    return i < 0 ? '' : String(this.#pairs.values[i])
  }
  /** All numbers with a code. */
  numbers(code: number): number[] {
    return this.#pairs.codes.flatMap((one, i) => (one === code ? [numberOf(this.#pairs.values[i])] : []))
  }
  /** Everything, in order. */
  each(work: (code: number, value: string | number) => void): void {
    for (const [i, code] of this.#pairs.codes.entries()) work(code, this.#pairs.values[i] ?? '')
  }
}

/** Returns a value as a finite number; what isn't one counts as 0. */
export function numberOf(value: string | number | undefined): number {
  const number = typeof value === 'number' ? value : Number(value)
  return Number.isFinite(number) ? number : 0
}

/** Codes of positions, lengths, angles and directions. */
const isMeasure = (code: number) => (code >= 10 && code <= 59) || (code >= 210 && code <= 239)

/** Returns whether all positions, lengths and angles of an entity are numbers. Otherwise nobody can say where the entity is. */
export const hasNumbers = ({ codes, values }: Pairs): boolean =>
  codes.every((code, i) => !isMeasure(code) || Number.isFinite(Number(values[i])))

/** Returns a line through points: triples of x, y and bulge. */
export const path = (points: readonly number[], closed = false, heights?: readonly number[]): Form & { kind: 'path' } =>
  heights === undefined ? { kind: 'path', points, closed } : { kind: 'path', points, closed, heights }

/** Returns heights of points, as far as one isn't 0. */
export const heightsOf = (heights: readonly number[]): readonly number[] | undefined =>
  heights.some(height => height !== 0) ? heights : undefined

/** Returns an arc between two angles in degrees, anticlockwise. */
export function arc(x: number, y: number, r: number, from_deg: number, to_deg: number): Form {
  const turn = (((to_deg - from_deg) % 360) + 360) % 360
  return { kind: 'arc', x, y, r, from: from_deg * RADIANS, turn: (turn === 0 ? 360 : turn) * RADIANS }
}

/** Returns the edges of a face. `hidden`: whether the edge that begins at each corner isn't drawn. */
export function outlineOf(
  corners: readonly (readonly [number, number])[],
  hidden: readonly boolean[],
  heights: readonly number[] = [],
): Form {
  if (!hidden.includes(true))
    return path(
      corners.flatMap(corner => [...corner, 0]),
      true,
      heightsOf(heights),
    )
  const forms = corners.flatMap((corner, i) => {
    const k = (i + 1) % corners.length
    const edge = [...corner, 0, ...(corners[k] ?? corner), 0]
    return hidden[i] === true ? [] : [path(edge, false, heightsOf([heights[i] ?? 0, heights[k] ?? 0]))]
  })
  return { kind: 'group', forms }
}
