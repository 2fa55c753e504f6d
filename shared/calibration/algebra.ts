// Small linear algebra for calibration: 3 × 3 matrices, least squares, eigenvectors. Matrices are lists of rows.
import { at } from '../narrow.ts'

/** A pair of coordinates. */
export type Pair = readonly [number, number]
/** A 3 × 3 matrix, by rows: it takes (x, y, 1) to (east · w, north · w, w). */
export type Matrix = readonly [Row3, Row3, Row3]
type Row3 = readonly [number, number, number]

/** Returns where a matrix takes a point. */
export function apply([[a, b, c], [d, e, f], [g, h, i]]: Matrix, [x, y]: Pair): [number, number] {
  const w = g * x + h * y + i
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w]
}

/** Returns the matrix that turns pixels clockwise, scales them to metres each, and puts one of them at the origin. */
export function turned(metres: number, bearing_deg: number, [px, py]: Pair): Matrix {
  const turn = (bearing_deg * Math.PI) / 180
  const [c, s] = [metres * Math.cos(turn), metres * Math.sin(turn)]
  return [
    [c, -s, -c * px + s * py],
    [-s, -c, s * px + c * py],
    [0, 0, 1],
  ]
}

/** Returns the factor by which a matrix divides at a point; 0 on its horizon. */
export const divisorAt = ([, , [g, h, i]]: Matrix, [x, y]: Pair): number => g * x + h * y + i

/** Returns the matrix that does `first`, then `then`. */
export function multiply(then: Matrix, first: Matrix): Matrix {
  const row = ([p, q, r]: Row3): Row3 => [
    p * first[0][0] + q * first[1][0] + r * first[2][0],
    p * first[0][1] + q * first[1][1] + r * first[2][1],
    p * first[0][2] + q * first[1][2] + r * first[2][2],
  ]
  return [row(then[0]), row(then[1]), row(then[2])]
}

/** Returns the determinant of a matrix. */
export const determinant = ([[a, b, c], [d, e, f], [g, h, i]]: Matrix): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

/** Returns the inverse of a matrix; every fit that was accepted has one. */
export function inverse(matrix: Matrix): Matrix {
  const [[a, b, c], [d, e, f], [g, h, i]] = matrix
  const k = 1 / determinant(matrix)
  return [
    [(e * i - f * h) * k, (c * h - b * i) * k, (b * f - c * e) * k],
    [(f * g - d * i) * k, (a * i - c * g) * k, (c * d - a * f) * k],
    [(d * h - e * g) * k, (b * g - a * h) * k, (a * e - b * d) * k],
  ]
}

/** Returns the derivative of a matrix at a point: [[∂east/∂x, ∂east/∂y], [∂north/∂x, ∂north/∂y]]. */
export function slopeAt(matrix: Matrix, point: Pair): readonly [Pair, Pair] {
  const [[a, b], [d, e], [g, h]] = matrix
  const w = divisorAt(matrix, point)
  const [east, north] = apply(matrix, point)
  return [
    [(a - g * east) / w, (b - h * east) / w],
    [(d - g * north) / w, (e - h * north) / w],
  ]
}

/** Solves a square system by elimination with pivots; null if it is singular. */
export function solve(rows: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const n = right.length
  const work = rows.map((row, i) => [...row, at(right, i)])
  for (let column = 0; column < n; column++) {
    let best = column
    for (let i = column + 1; i < n; i++) if (Math.abs(at(at(work, i), column)) > Math.abs(at(at(work, best), column))) best = i
    const pivot = at(work, best)
    if (Math.abs(at(pivot, column)) < 1e-13) return null
    work[best] = at(work, column)
    work[column] = pivot
    for (let i = column + 1; i < n; i++) {
      const row = at(work, i)
      const factor = at(row, column) / at(pivot, column)
      for (let k = column; k <= n; k++) row[k] = at(row, k) - factor * at(pivot, k)
    }
  }
  const out = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    const row = at(work, i)
    let sum = at(row, n)
    for (let k = i + 1; k < n; k++) sum -= at(row, k) * at(out, k)
    out[i] = sum / at(row, i)
  }
  return out
}

/** Returns rowsᵀ · rows and rowsᵀ · right: the normal equations of least squares. */
export function normal(rows: readonly (readonly number[])[], right: readonly number[]): { square: number[][]; side: number[] } {
  const n = rows[0]?.length ?? 0
  const square = Array.from({ length: n }, () => new Array<number>(n).fill(0))
  const side = new Array<number>(n).fill(0)
  for (const [k, row] of rows.entries()) {
    for (let i = 0; i < n; i++) {
      const line = at(square, i)
      for (let j = 0; j < n; j++) line[j] = at(line, j) + at(row, i) * at(row, j)
      side[i] = at(side, i) + at(row, i) * at(right, k)
    }
  }
  return { square, side }
}

/** Returns the eigenvector of the smallest eigenvalue of a symmetric matrix, by Jacobi rotations. */
export function smallestEigenvector(symmetric: readonly (readonly number[])[]): number[] {
  const n = symmetric.length
  const a = symmetric.map(row => [...row])
  const v = symmetric.map((_, i) => symmetric.map((__, j): number => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += at(at(a, p), q) ** 2
    if (off < 1e-30) break
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, v, p, q)
  }
  let least = 0
  for (let i = 1; i < n; i++) if (at(at(a, i), i) < at(at(a, least), least)) least = i
  return v.map(row => at(row, least))
}

/** Makes the element (p, q) of a symmetric matrix zero by a rotation, and rotates the eigenvectors with it. */
function rotate(a: number[][], v: number[][], p: number, q: number): void {
  const apq = at(at(a, p), q)
  if (apq === 0) return
  const theta = (at(at(a, q), q) - at(at(a, p), p)) / (2 * apq)
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  const turn = (row: number[]) => {
    const [x, y] = [at(row, p), at(row, q)]
    row[p] = c * x - s * y
    row[q] = s * x + c * y
  }
  for (const row of a) turn(row)
  const [rowP, rowQ] = [at(a, p), at(a, q)]
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [at(rowP, k), at(rowQ, k)]
    rowP[k] = c * x - s * y
    rowQ[k] = s * x + c * y
  }
  for (const row of v) turn(row)
}
