// The matrix of permit types while it is edited: what a person changed lies over the stored cells, so that it can be saved pair by pair.
import { FLOOR, mirrorOf, patched, type Resolved, resolved } from '../../../../shared/conflicts/matrix.ts'
import { type Cell, type CellOutcome, type Cells, type LevelRule, OUTCOMES } from '../../../../shared/conflicts/rules.ts'

/** Any type: a wildcard. */
export const ANY = '*'

/** The matrix of a new rule: no pair of types clashes. */
export const EMPTY_CELLS: Cells = { [FLOOR]: 'off' }

/** Changed pairs by their key; null: the pair has no cell of its own, and follows the wildcards. */
export type CellChanges = Readonly<Record<string, Cell | null>>

/** What cells take from their rule. */
export type Defaults = { default_distance_m: number; levels: LevelRule }

/** A matrix that is being edited. */
export type Matrix = { cells: Cells; changes: CellChanges; defaults: Defaults }

/** Returns the key of a pair, the same for both orders. */
export const keyOf = (x: string, y: string): string => (x <= y ? `${x}|${y}` : `${y}|${x}`)

const bothWays = (changes: CellChanges): Record<string, Cell | null> =>
  Object.fromEntries(Object.entries(changes).flatMap(([key, cell]) => [[key, cell] as const, [mirrorOf(key), cell] as const]))

/** Returns changed cells as the service accepts them: both keys of each pair, so that it has nothing to warn about. */
export const bodyOf = bothWays

/** Returns every cell with the changes. */
export const cellsWith = ({ cells, changes }: Pick<Matrix, 'cells' | 'changes'>): Record<string, Cell> => patched(cells, bothWays(changes))

/** A pair as the grid shows it: what it gives, which cell decides, and whether that is its own. */
export type Pair = Resolved & { x: string; y: string; own: boolean; changed: boolean }

/** Returns what a pair of types gives. */
export function pairOf({ cells, changes, defaults }: Matrix, x: string, y: string, all = cellsWith({ cells, changes })): Pair {
  const own = all[`${x}|${y}`] !== undefined || all[`${y}|${x}`] !== undefined
  return { x, y, ...resolved(all, x, y, defaults), own, changed: keyOf(x, y) in changes }
}

const partsOf = (cell: Cell | undefined | null): { outcome: CellOutcome | null; distance_m?: number; levels?: LevelRule } =>
  cell === undefined || cell === null ? { outcome: null } : typeof cell === 'string' ? { outcome: cell } : cell

const textOf = (cell: Cell | undefined | null): string => {
  const { outcome, distance_m, levels } = partsOf(cell)
  return JSON.stringify([outcome, distance_m ?? null, levels?.mode ?? null, levels?.mode === 'within' ? levels.max_gap : null])
}

/** Returns the changes with another cell of a pair; a cell that is as it was stored is no change. */
export function withCell({ cells, changes }: Pick<Matrix, 'cells' | 'changes'>, x: string, y: string, cell: Cell | null): CellChanges {
  const key = keyOf(x, y)
  const { [key]: _before, ...others } = changes
  const stored = cells[key] ?? cells[mirrorOf(key)]
  return textOf(stored) === textOf(cell) ? others : { ...others, [key]: cell }
}

/** Returns the changes without that of one pair. */
export function withoutChange(changes: CellChanges, x: string, y: string): CellChanges {
  const { [keyOf(x, y)]: _change, ...others } = changes
  return others
}

/** Returns the cell of a pair with something else in it; distance and levels that decided until now stay. */
export function cellWith(matrix: Matrix, x: string, y: string, part: Partial<Resolved>): Cell {
  const pair = pairOf(matrix, x, y)
  const deciding = pair.key === null ? undefined : cellsWith(matrix)[pair.key]
  const { distance_m, levels } = partsOf(deciding)
  const cell = {
    outcome: part.outcome ?? pair.outcome,
    ...(distance_m === undefined ? {} : { distance_m }),
    ...(levels === undefined ? {} : { levels }),
    ...(part.distance_m === undefined ? {} : { distance_m: part.distance_m }),
    ...(part.levels === undefined ? {} : { levels: part.levels }),
  }
  return Object.keys(cell).length === 1 ? cell.outcome : cell
}

/** Returns the outcome after this one: off, amber, red, off. */
export const nextOutcome = (outcome: CellOutcome): CellOutcome => OUTCOMES[(OUTCOMES.indexOf(outcome) + 1) % OUTCOMES.length] ?? 'off'

/** Returns the changes after a press on a cell: its outcome becomes the next one. */
export const cycled = (matrix: Matrix, x: string, y: string): CellChanges =>
  withCell(matrix, x, y, cellWith(matrix, x, y, { outcome: nextOutcome(pairOf(matrix, x, y).outcome) }))

/** Returns whether the cell of a pair can be removed: it has one, and it isn’t the one that applies to all other pairs. */
export const isRemovable = ({ x, y, own }: Pair): boolean => own && keyOf(x, y) !== FLOOR

/** Lists cells whose types aren’t in the grid, each pair once. */
export function strayPairs(matrix: Matrix, codes: readonly string[]): [string, string][] {
  const known = new Set([...codes, ANY])
  const keys = new Set(
    Object.keys(cellsWith(matrix)).map(key => {
      const [x = '', y = ''] = key.split('|')
      return keyOf(x, y)
    }),
  )
  return [...keys].flatMap((key): [string, string][] => {
    const [x = '', y = ''] = key.split('|')
    return known.has(x) && known.has(y) ? [] : [[x, y]]
  })
}

/** Where the keyboard goes from a cell of a grid of this size; null for a key that doesn’t move. */
export function movedTo(at: readonly [number, number], size: number, key: string, ctrl = false): [number, number] | null {
  const [row, column] = at
  const within = (n: number) => Math.min(Math.max(n, 0), size - 1)
  switch (key) {
    case 'ArrowUp':
      return [within(row - 1), column]
    case 'ArrowDown':
      return [within(row + 1), column]
    case 'ArrowLeft':
      return [row, within(column - 1)]
    case 'ArrowRight':
      return [row, within(column + 1)]
    case 'Home':
      return [ctrl ? 0 : row, 0]
    case 'End':
      return [ctrl ? size - 1 : row, size - 1]
    default:
      return null
  }
}
