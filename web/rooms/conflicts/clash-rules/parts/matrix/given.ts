import type { CellChanges, Matrix } from '../../matrix.ts'
import type { TypeName } from './labels.ts'
import type { Chosen } from './use-chosen.ts'

/** What every part of the matrix gets. */
export type MatrixGiven = {
  matrix: Matrix
  codes: readonly TypeName[]
  may: boolean
  chosen: Chosen
  onChange(changes: CellChanges): void
}
