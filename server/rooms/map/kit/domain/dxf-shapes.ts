// What a drawing consists of, as it is read: shapes in the coordinates of their entity, and blocks of shapes. Pure.

/** x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Affine = readonly [number, number, number, number, number, number]
export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0]

/** Returns the transformation that does `first`, then `then`. */
export const after = ([a, b, c, d, e, f]: Affine, first: Affine): Affine => [
  a * first[0] + c * first[1],
  b * first[0] + d * first[1],
  a * first[2] + c * first[3],
  b * first[2] + d * first[3],
  a * first[4] + c * first[5] + e,
  b * first[4] + d * first[5] + f,
]

/** A transformation in space: the x, y and z that each axis becomes, and those of the origin. */
export type Space = readonly [number, number, number, number, number, number, number, number, number, number, number, number]
export const UPRIGHT: Space = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]

/** Returns the transformation in space that does `first`, then `then`. */
export function afterSpace(then: Space, first: Space): Space {
  if (first === UPRIGHT) return then
  if (then === UPRIGHT) return first
  const [a, b, c, d, e, f, g, h, i, x, y, z] = then
  const [p, q, r, s, t, u, v, w, k, l, m, n] = first
  return [
    a * p + d * q + g * r,
    b * p + e * q + h * r,
    c * p + f * q + i * r,
    a * s + d * t + g * u,
    b * s + e * t + h * u,
    c * s + f * t + i * u,
    a * v + d * w + g * k,
    b * v + e * w + h * k,
    c * v + f * w + i * k,
    a * l + d * m + g * n + x,
    b * l + e * m + h * n + y,
    c * l + f * m + i * n + z,
  ]
}

/** Returns what a transformation in space does to the plan, seen from above, of what is at height 0. */
export const planOf = ([a, b, , d, e, , , , , x, y]: Space): Affine => [a, b, d, e, x, y]

/** Returns whether a transformation moves things in the plan by their height. */
export const isTilted = ([, , , , , , g, h]: Space): boolean => g !== 0 || h !== 0

/** The geometry of an entity. `path` has triples of x, y and bulge. `heights` are those of its points, unless all are 0; so are `z`, `mz` and `nz`. */
export type Form =
  | { kind: 'path'; points: readonly number[]; closed: boolean; heights?: readonly number[] | undefined }
  | { kind: 'arc'; x: number; y: number; r: number; from: number; turn: number }
  | Ellipse
  | {
      kind: 'spline'
      degree: number
      knots: readonly number[]
      points: readonly number[]
      weights: readonly number[]
      closed: boolean
      heights?: readonly number[] | undefined
    }
  | { kind: 'text'; x: number; y: number; text: string; height: number; z?: number }
  | {
      kind: 'insert'
      block: string
      placed: Space
      columns: number
      rows: number
      column: readonly [number, number]
      row: readonly [number, number]
    }
  | { kind: 'group'; forms: readonly Form[] }

/** An ellipse: its centre, and its two axes. */
export type Ellipse = {
  kind: 'ellipse'
  x: number
  y: number
  mx: number
  my: number
  nx: number
  ny: number
  from: number
  turn: number
  z?: number
  mz?: number
  nz?: number
}

/** An entity: its geometry, its layer, and how its own coordinates become those of the drawing. */
export type Shape = { type: string; layer: string; own: Space; form: Form }

/** A block: shapes around a base point. */
export type Block = { name: string; x: number; y: number; z: number; shapes: Shape[]; xref: string | null }

/** A layer. */
export type Layer = { name: string; colour: number; off: boolean; frozen: boolean }

/** A drawing. */
export type Drawing = {
  version: string
  /** `$INSUNITS`; null if the drawing doesn't say. */
  units: number | null
  layers: Map<string, Layer>
  blocks: Map<string, Block>
  layouts: string[]
  shapes: Shape[]
  /** Entities of the model space that aren't drawn, by their type. */
  unsupported: Map<string, number>
  /** Number of entities that aren't drawn because they have something else where a number has to be. */
  unreadable: number
}

/** Names are compared without case. */
export const keyOf = (name: string): string => name.toUpperCase()

/** Metres of each unit of `$INSUNITS`; 0 is none. */
export const UNITS: readonly { name: string; metres: number }[] = [
  { name: 'none', metres: 0 },
  { name: 'inches', metres: 0.0254 },
  { name: 'feet', metres: 0.3048 },
  { name: 'miles', metres: 1609.344 },
  { name: 'millimetres', metres: 0.001 },
  { name: 'centimetres', metres: 0.01 },
  { name: 'metres', metres: 1 },
  { name: 'kilometres', metres: 1000 },
  { name: 'microinches', metres: 2.54e-8 },
  { name: 'mils', metres: 2.54e-5 },
  { name: 'yards', metres: 0.9144 },
  { name: 'angstroms', metres: 1e-10 },
  { name: 'nanometres', metres: 1e-9 },
  { name: 'microns', metres: 1e-6 },
  { name: 'decimetres', metres: 0.1 },
  { name: 'decametres', metres: 10 },
  { name: 'hectometres', metres: 100 },
  { name: 'gigametres', metres: 1e9 },
  { name: 'astronomical units', metres: 1.495978707e11 },
  { name: 'light years', metres: 9.4607304725808e15 },
  { name: 'parsecs', metres: 3.085677581491367e16 },
  { name: 'US survey feet', metres: 1200 / 3937 },
  { name: 'US survey inches', metres: 100 / 3937 },
  { name: 'US survey yards', metres: 3600 / 3937 },
  { name: 'US survey miles', metres: 6336000 / 3937 },
]

/** Returns the metres of a unit; null if there is no such unit, or if it is none. */
export const metresOf = (units: number | null): number | null => {
  const metres = units === null ? 0 : (UNITS[units]?.metres ?? 0)
  return metres === 0 ? null : metres
}
