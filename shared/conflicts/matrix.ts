// The matrix of permit types (`conflict-and-planning.md` §1, "The permit matrix"): symmetric by meaning, exact cells before wildcards, off before nothing. Pure.
import { nearMiss } from '../predicates/check.ts'
import { type Cell, type CellOutcome, type Cells, FARTHEST_M, type LevelRule, mostLevels, weightOf } from './rules.ts'

/** The cell that applies to all other pairs; it can’t be removed. */
export const FLOOR = '*|*'

/** A fault or warning about cells, with its path under `cells`. */
export type CellNote = { path: string; code: string; message: string }
/** A cell with its distance and levels, and the key that decided; null if no cell did. */
export type Resolved = { outcome: CellOutcome; distance_m: number; levels: LevelRule; key: string | null }

/** What cells take from their rule. */
export type Defaults = { default_distance_m: number; levels: LevelRule }

const codesOf = (key: string): [string, string] | null => {
  const [x, y, ...more] = key.split('|')
  return x === undefined || y === undefined || more.length > 0 || x.trim() === '' || y.trim() === '' ? null : [x, y]
}

/** Returns the key of the same pair of types the other way round. */
export const mirrorOf = (key: string): string => {
  const codes = codesOf(key)
  return codes === null ? key : `${codes[1]}|${codes[0]}`
}

const outcomeOf = (cell: Cell): CellOutcome => (typeof cell === 'string' ? cell : cell.outcome)

/** Returns the stricter of two cells: the more severe, then the one that reaches further. */
function stricter(a: Cell, b: Cell, defaults: Defaults): Cell {
  const wider = (x: LevelRule, y: LevelRule): LevelRule => (mostLevels(x) >= mostLevels(y) ? x : y)
  const [wa, wb] = [weightOf(outcomeOf(a)), weightOf(outcomeOf(b))]
  if (wa !== wb) return wa > wb ? a : b
  const [one, two] = [filled(a, defaults), filled(b, defaults)]
  if (typeof a === 'string' && typeof b === 'string') return a
  return {
    outcome: one.outcome,
    distance_m: Math.max(one.distance_m, two.distance_m),
    levels: wider(one.levels, two.levels),
  }
}

const filled = (cell: Cell, { default_distance_m, levels }: Defaults) =>
  typeof cell === 'string'
    ? { outcome: cell, distance_m: default_distance_m, levels }
    : { outcome: cell.outcome, distance_m: cell.distance_m ?? default_distance_m, levels: cell.levels ?? levels }

const same = (a: Cell, b: Cell, defaults: Defaults): boolean => {
  const [one, two] = [filled(a, defaults), filled(b, defaults)]
  return one.outcome === two.outcome && one.distance_m === two.distance_m && mostLevels(one.levels) === mostLevels(two.levels)
}

/**
 * Stores both keys of every pair with the stricter cell given, and warns of pairs of which only one side was given, or whose sides differ. `site_codes`: the types
 * of the site, active or retired; a code that it doesn’t have is stored with a warning.
 */
export function mirrored(
  cells: Cells,
  defaults: Defaults,
  site_codes: readonly string[] | null,
  at = 'outcome.cells',
): { cells: Record<string, Cell>; warnings: CellNote[] } {
  const out: Record<string, Cell> = {}
  const warnings: CellNote[] = []
  for (const [key, cell] of Object.entries(cells)) {
    const mirror = mirrorOf(key)
    const other = cells[mirror]
    const kept = other === undefined || mirror === key ? cell : stricter(cell, other, defaults)
    if (mirror !== key && other === undefined)
      warnings.push({ path: `${at}.${key}`, code: 'mirrored', message: `is also stored as ${mirror}: a pair of permits has no order.` })
    if (mirror > key && other !== undefined && !same(cell, other, defaults))
      warnings.push({
        path: `${at}.${key}`,
        code: 'cells_differ',
        message: `differs from ${at}.${mirror}. Both are stored with the stricter one.`,
      })
    out[key] = kept
    out[mirror] = kept
  }
  if (site_codes !== null) warnings.push(...unknownCodes(cells, site_codes, at))
  return { cells: out, warnings }
}

function unknownCodes(cells: Cells, known: readonly string[], at: string): CellNote[] {
  const seen = new Set<string>()
  return Object.keys(cells).flatMap(key =>
    (codesOf(key) ?? []).flatMap(code => {
      if (code === '*' || known.includes(code) || seen.has(code)) return []
      seen.add(code)
      return [{ path: `${at}.${key}`, code: 'code_not_on_site', message: nearMiss(code, known, 'permit_type') }]
    }),
  )
}

/** Merges a change key by key (§1, PATCH): null removes a cell with its mirror, and a new cell replaces both. */
export function patched(cells: Cells, change: Readonly<Record<string, Cell | null>>): Record<string, Cell> {
  const out: Record<string, Cell> = { ...cells }
  for (const key of Object.keys(change)) {
    delete out[key]
    delete out[mirrorOf(key)]
  }
  for (const [key, cell] of Object.entries(change)) if (cell !== null) out[key] = cell
  return out
}

/** Returns what is wrong with cells as they are given: keys that aren’t two codes, distances over the limit, and a missing floor. */
export function cellFaults(cells: Cells, at = 'outcome.cells'): CellNote[] {
  const faults: CellNote[] = []
  for (const [key, cell] of Object.entries(cells)) {
    if (codesOf(key) === null)
      faults.push({ path: `${at}.${key}`, code: 'wrong_type', message: 'must be two permit types with | between them, such as HW|CSE.' })
    const distance = typeof cell === 'string' ? 0 : (cell.distance_m ?? 0)
    if (!(distance >= 0 && distance <= FARTHEST_M))
      faults.push({ path: `${at}.${key}.distance_m`, code: 'unbounded_reach', message: `must be from 0 to ${FARTHEST_M} m.` })
  }
  if (!(FLOOR in cells))
    faults.push({ path: `${at}.${FLOOR}`, code: 'missing_value', message: 'can’t be removed: it applies to all other pairs.' })
  return faults
}

/** Finds the cell of two types: `x|y`; the more severe of `x|*` and `y|*`; `*|*`; off (§1, resolution). */
export function resolved(cells: Cells, x: string, y: string, defaults: Defaults): Resolved {
  const found = (key: string, cell: Cell): Resolved => ({ ...filled(cell, defaults), key })
  for (const key of [`${x}|${y}`, `${y}|${x}`]) {
    const cell = cells[key]
    if (cell !== undefined) return found(key, cell)
  }
  const wild = [...new Set([`${x}|*`, `*|${x}`, `${y}|*`, `*|${y}`])]
    .flatMap(key => {
      const cell = cells[key]
      return cell === undefined ? [] : [found(key, cell)]
    })
    // Of two that are equally severe, the one that reaches further, so that the order of the types makes no difference.
    .toSorted(
      (a, b) =>
        weightOf(b.outcome) - weightOf(a.outcome) ||
        b.distance_m - a.distance_m ||
        mostLevels(b.levels) - mostLevels(a.levels) ||
        (a.key ?? '').localeCompare(b.key ?? ''),
    )
  const [first] = wild
  if (first !== undefined) return first
  const floor = cells[FLOOR]
  return floor === undefined ? { ...filled('off', defaults), key: null } : found(FLOOR, floor)
}

/** Returns the farthest distance of any cell that isn’t off; 0 if all are. */
export const matrixReach = (cells: Cells, defaults: Defaults): number =>
  Object.values(cells).reduce((most, cell) => {
    const { outcome, distance_m } = filled(cell, defaults)
    return outcome === 'off' ? most : Math.max(most, distance_m)
  }, 0)
