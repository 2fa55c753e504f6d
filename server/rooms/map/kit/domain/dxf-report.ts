// What a drawing contains, for the person who imports it. Pure.
import { checkBlocks, flatten, layerTest } from './dxf-flatten.ts'
import { type Drawing, keyOf, metresOf, UNITS } from './dxf-shapes.ts'
import { type Strays, straysOf } from './dxf-strays.ts'
import { type Box, emptyBox, grow } from './lines.ts'

/** The smallest box around a drawing, in drawing units: min x, min y, max x, max y. */
export type Extents = Box

/** The report of a drawing. */
export type DrawingReport = {
  version: string
  units: number | null
  units_guess: number | null
  extents: Extents | null
  layers: { name: string; colour: number; off: boolean; frozen: boolean; counts: Record<string, number>; suggested: boolean }[]
  blocks: { name: string; entities: number }[]
  layouts: string[]
  unsupported: Record<string, number>
  xrefs: string[]
  warnings: { kind: 'no_units' | 'units_suspect' | 'xrefs' | 'unreadable' | 'strays' | 'empty'; message: string }[]
}

const LISTED_AT_MOST = 5000
/** Sizes that a building can have, in metres. */
const PLAUSIBLE = { least: 2, most: 2000 }
const LIKELY = [4, 6, 1, 5, 2]

/** Returns the box around what is drawn of a drawing, and its strays, which are left out. `metres`: of its unit; null if it is unknown. */
export function extentsOf(
  drawing: Drawing,
  shows: (layer: string) => boolean,
  metres: number | null,
): { extents: Extents | null; strays: Strays | null } {
  // The first time, curves have few chords; the second time, as many as the size needs.
  const rough = measured(drawing, shows, Infinity, null)
  if (rough === null) return { extents: null, strays: null }
  const each = (take: (points: readonly number[]) => void) => flatten(drawing, { tolerance: Infinity, shows }, ({ points }) => take(points))
  const strays = metres === null ? null : straysOf(each, sizeOf(rough), metres)
  const near = strays?.near ?? null
  const size = sizeOf((near === null ? rough : measured(drawing, shows, Infinity, near)) ?? rough)
  return { extents: measured(drawing, shows, size / 5000, near), strays }
}

function measured(drawing: Drawing, shows: (layer: string) => boolean, tolerance: number, near: Extents | null): Extents | null {
  const box = emptyBox()
  flatten(drawing, { tolerance, shows, near }, ({ points }) => grow(box, points))
  return box[0] <= box[2] ? box : null
}

/** Returns the longer side of a box. */
export const sizeOf = ([left, bottom, right, top]: Extents): number => Math.max(right - left, top - bottom)

/** Returns the unit in which a drawing has a size that a building can have: the one that it declares if that fits, else the likeliest. */
export function guessUnits(units: number | null, extents: Extents | null): number | null {
  if (extents === null) return metresOf(units) === null ? null : units
  const fits = (unit: number) => {
    const metres = sizeOf(extents) * (metresOf(unit) ?? 0)
    return metres >= PLAUSIBLE.least && metres <= PLAUSIBLE.most
  }
  if (units !== null && fits(units)) return units
  return LIKELY.find(fits) ?? null
}

/** Returns the warning about units that make a drawing much larger or smaller than its building; null if they fit. */
export function unitsSuspect(units: number, extents: Extents, footprint_m: number): { kind: 'units_suspect'; message: string } | null {
  const times = (unit: number) => (sizeOf(extents) * (metresOf(unit) ?? 0)) / footprint_m
  const ratio = times(units)
  if (ratio <= 10 && ratio >= 0.1) return null
  const better = [...LIKELY].sort((a, b) => Math.abs(Math.log(times(a))) - Math.abs(Math.log(times(b))))[0]
  const fit =
    better !== undefined && Math.abs(Math.log(times(better))) < Math.log(10) ? ` With ${UNITS[better]?.name} (${better}) it would fit.` : ''
  return {
    kind: 'units_suspect',
    message: `In ${UNITS[units]?.name} the drawing is ${ratio > 1 ? 'more than ten times as large as' : 'less than a tenth of'} its building.${fit} Check the units.`,
  }
}

/** Describes a drawing. Throws `DrawingFault` for blocks that can't be expanded. */
export function describe(drawing: Drawing): DrawingReport {
  checkBlocks(drawing)
  const counts = new Map<string, Record<string, number>>()
  for (const { layer, type } of drawing.shapes) {
    const key = keyOf(layer)
    const found = counts.get(key) ?? {}
    found[type] = (found[type] ?? 0) + 1
    counts.set(key, found)
    if (!drawing.layers.has(key)) drawing.layers.set(key, { name: layer, colour: 7, off: false, frozen: false })
  }
  const { extents, strays } = extentsOf(drawing, layerTest(drawing, null), metresOf(drawing.units))
  const xrefs = [...drawing.blocks.values()].flatMap(({ xref }) => (xref === null ? [] : [xref]))
  const warnings: DrawingReport['warnings'] = []
  if (metresOf(drawing.units) === null)
    warnings.push({ kind: 'no_units', message: 'The drawing doesn’t say what its units are. Choose them.' })
  if (xrefs.length > 0)
    warnings.push({
      kind: 'xrefs',
      message: 'The drawing refers to other drawings, which are missing here. Bind them before you export it.',
    })
  if (drawing.unreadable > 0)
    warnings.push({
      kind: 'unreadable',
      message: `Entities that have something else where a number has to be are left out: ${drawing.unreadable.toLocaleString('en-GB')}. Export the drawing again.`,
    })
  if (strays !== null)
    warnings.push({
      kind: 'strays',
      message: `Lines and texts that are kilometres away from the rest of the drawing are left out: ${strays.count.toLocaleString('en-GB')}. If they belong to it, move them closer and export the drawing again.`,
    })
  if (extents === null) warnings.push({ kind: 'empty', message: 'The drawing shows nothing in the model space.' })
  return {
    version: drawing.version,
    units: drawing.units,
    units_guess: guessUnits(drawing.units, extents),
    extents,
    layers: [...drawing.layers].slice(0, LISTED_AT_MOST).map(([key, layer]) => {
      const found = counts.get(key) ?? {}
      const drawn = Object.keys(found).length > 0 && !layer.off && !layer.frozen
      return { ...layer, counts: found, suggested: drawn && key !== 'DEFPOINTS' }
    }),
    blocks: [...drawing.blocks.values()]
      .filter(({ name }) => !name.startsWith('*'))
      .slice(0, LISTED_AT_MOST)
      .map(({ name, shapes }) => ({ name, entities: shapes.length })),
    layouts: drawing.layouts.length === 0 ? ['Model'] : drawing.layouts.slice(0, 500),
    unsupported: Object.fromEntries(drawing.unsupported),
    xrefs: xrefs.slice(0, 500),
    warnings,
  }
}

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/door|t[uü]r|porte|puerta|deur/i, 'door'],
  [/wall|mur|wand|pared|partition/i, 'wall'],
  [/col(umn|\b|s\b)|st[uü]tz|pillar|pilar|poteau/i, 'column'],
  [/grid|axis|axes|achs|raster/i, 'grid'],
]

/** Returns what a line on a layer probably shows. */
export const classOf = (layer: string): string => CLASSES.find(([pattern]) => pattern.test(layer))?.[1] ?? 'line'
