// Fits a picture to the ground: from pairs of pixels and metres to a matrix, by least squares (`map.md` §7, Fit). Pure.
import { at } from '../narrow.ts'
import { apply, inverse, type Matrix, multiply, normal, type Pair, smallestEigenvector, solve } from './algebra.ts'

/** How a picture can lie on the ground: turned and scaled; also sheared; also in perspective. */
export const MODELS = ['similarity', 'affine', 'projective'] as const
export type Model = (typeof MODELS)[number]

/** The least number of points of each model; with more, the points check each other. */
export const LEAST_POINTS: Readonly<Record<Model, number>> = { similarity: 2, affine: 3, projective: 4 }

/** A pixel (y down) and its place on the ground in metres east and north. */
export type Match = { pixel: Pair; ground: Pair }

/** Fits a model to points; null if they don't determine it. There must be as many points as the model needs. */
export function fit(model: Model, matches: readonly Match[]): Matrix | null {
  const pixels = normaliser(matches.map(match => match.pixel))
  const ground = normaliser(matches.map(match => match.ground))
  const near = matches.map(match => ({ pixel: apply(pixels, match.pixel), ground: apply(ground, match.ground) }))
  const fitted = FITS[model](near)
  return fitted === null ? null : scaled(multiply(inverse(ground), multiply(fitted, pixels)))
}

/** Moves points to their centre and scales them to an average distance of √2 from it, which keeps the equations well-conditioned. */
function normaliser(points: readonly Pair[]): Matrix {
  const n = points.length
  const x = points.reduce((sum, point) => sum + point[0], 0) / n
  const y = points.reduce((sum, point) => sum + point[1], 0) / n
  const far = points.reduce((sum, point) => sum + Math.hypot(point[0] - x, point[1] - y), 0) / n
  const k = far === 0 ? 1 : Math.SQRT2 / far
  return [
    [k, 0, -k * x],
    [0, k, -k * y],
    [0, 0, 1],
  ]
}

/** Divides a matrix by its last element, so that equal fits have equal matrices. Near 0, the horizon runs through the corner of the picture. */
function scaled(matrix: Matrix): Matrix {
  const k = Math.abs(matrix[2][2]) < 1e-12 ? 1 : 1 / matrix[2][2]
  const row = ([a, b, c]: readonly [number, number, number]): [number, number, number] => [a * k, b * k, c * k]
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}

function leastSquares(rows: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const { square, side } = normal(rows, right)
  return solve(square, side)
}

// Pixels count downwards and metres upwards, so a picture that isn't mirrored has a negative determinant.
function similarity(matches: readonly Match[]): Matrix | null {
  const rows = matches.flatMap(({ pixel: [x, y] }) => [
    [x, y, 1, 0],
    [-y, x, 0, 1],
  ])
  const found = leastSquares(
    rows,
    matches.flatMap(({ ground }) => [...ground]),
  )
  if (found === null) return null
  const [a, b, east, north] = [at(found, 0), at(found, 1), at(found, 2), at(found, 3)]
  return [
    [a, b, east],
    [b, -a, north],
    [0, 0, 1],
  ]
}

function affine(matches: readonly Match[]): Matrix | null {
  const rows = matches.map(({ pixel: [x, y] }) => [x, y, 1])
  const part = (axis: 0 | 1) =>
    leastSquares(
      rows,
      matches.map(({ ground }) => ground[axis]),
    )
  const [east, north] = [part(0), part(1)]
  if (east === null || north === null) return null
  return [
    [at(east, 0), at(east, 1), at(east, 2)],
    [at(north, 0), at(north, 1), at(north, 2)],
    [0, 0, 1],
  ]
}

/** The direct linear transformation, then refined so that the sum of the squared distances on the ground is least. */
function projective(matches: readonly Match[]): Matrix | null {
  const rows = matches.flatMap(({ pixel: [x, y], ground: [east, north] }) => [
    [x, y, 1, 0, 0, 0, -east * x, -east * y, -east],
    [0, 0, 0, x, y, 1, -north * x, -north * y, -north],
  ])
  const h = smallestEigenvector(normal(rows, new Array<number>(rows.length).fill(0)).square)
  const last = at(h, 8)
  // The centre of the points lies on the horizon: nothing that a camera can see.
  if (Math.abs(last) < 1e-9) return null
  return refined(
    h.slice(0, 8).map(value => value / last),
    matches,
  )
}

const matrixOf = (h: readonly number[]): Matrix => [
  [at(h, 0), at(h, 1), at(h, 2)],
  [at(h, 3), at(h, 4), at(h, 5)],
  [at(h, 6), at(h, 7), 1],
]

const squaredError = (matrix: Matrix, matches: readonly Match[]): number =>
  matches.reduce((sum, { pixel, ground }) => {
    const [east, north] = apply(matrix, pixel)
    return sum + (east - ground[0]) ** 2 + (north - ground[1]) ** 2
  }, 0)

const STEPS = 50

/** Levenberg-Marquardt: steps that lower the error are taken, with less damping; the others are repeated with more. */
function refined(start: number[], matches: readonly Match[]): Matrix {
  let h = start
  let error = squaredError(matrixOf(h), matches)
  let damping = 1e-3
  for (let step = 0; step < STEPS && damping < 1e9; step++) {
    const matrix = matrixOf(h)
    const rows: number[][] = []
    const right: number[] = []
    for (const { pixel, ground } of matches) {
      const [x, y] = pixel
      const w = at(h, 6) * x + at(h, 7) * y + 1
      const [east, north] = apply(matrix, pixel)
      rows.push([x / w, y / w, 1 / w, 0, 0, 0, (-east * x) / w, (-east * y) / w])
      rows.push([0, 0, 0, x / w, y / w, 1 / w, (-north * x) / w, (-north * y) / w])
      right.push(ground[0] - east, ground[1] - north)
    }
    const { square, side } = normal(rows, right)
    const damped = square.map((row, i) => row.map((value, j) => (i === j ? value * (1 + damping) + 1e-15 : value)))
    const change = solve(damped, side)
    const next = change === null ? null : h.map((value, i) => value + at(change, i))
    const now = next === null ? Number.POSITIVE_INFINITY : squaredError(matrixOf(next), matches)
    if (next !== null && now <= error) {
      const done = error - now <= 1e-15 * error
      h = next
      error = now
      damping /= 10
      if (done) break
    } else damping *= 10
  }
  return matrixOf(h)
}

const FITS: Readonly<Record<Model, (matches: readonly Match[]) => Matrix | null>> = { similarity, affine, projective }
