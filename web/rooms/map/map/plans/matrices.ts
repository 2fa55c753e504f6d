// The matrices of the service as the arithmetic takes them.
import type { Matrix } from '../../../../../shared/calibration/algebra.ts'

/** Returns a matrix from the three rows of three numbers that the service sends. */
export function matrixIn(rows: readonly (readonly number[])[]): Matrix {
  const row = (i: number) => {
    const [a = 0, b = 0, c = 0] = rows[i] ?? []
    return [a, b, c] as const
  }
  return [row(0), row(1), row(2)]
}
