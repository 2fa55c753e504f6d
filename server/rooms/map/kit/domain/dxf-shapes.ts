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

/** The geometry of an entity. `path` has triples of x, y and bulge. */
export type Form =
  | { kind: 'path'; points: readonly number[]; closed: boolean }
  | { kind: 'arc'; x: number; y: number; r: number; from: number; turn: number }
  | { kind: 'ellipse'; x: number; y: number; mx: number; my: number; nx: number; ny: number; from: number; turn: number }
  | { kind: 'spline'; degree: number; knots: readonly number[]; points: readonly number[]; weights: readonly number[]; closed: boolean }
  | { kind: 'text'; x: number; y: number; text: string; height: number }
  | {
      kind: 'insert'
      block: string
      placed: Affine
      columns: number
      rows: number
      column: readonly [number, number]
      row: readonly [number, number]
    }
  | { kind: 'group'; forms: readonly Form[] }

/** An entity: its geometry, its layer, and how its own coordinates become those of the drawing. */
export type Shape = { type: string; layer: string; own: Affine; form: Form }

/** A block: shapes around a base point. */
export type Block = { name: string; x: number; y: number; shapes: Shape[]; xref: string | null }

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
