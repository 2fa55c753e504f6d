// If a number appears twice in one file, the last accepted row wins (`permits-decisions.md` §6).

/** A row that replaced an earlier one with the same number. */
export type Repeat = { row: number; permit_number: string; replaced_row: number }

/**
 * Collects accepted rows in their order, in one go or several: the last one of each number stays, and `repeats` lists which row each replaced. Only rows
 * that nothing else refuses may be added, or a refused row would replace a good one.
 */
export function lastOfEach<T extends { row: number; permit_number: string }>() {
  const rows = new Map<string, T>()
  const repeats: Repeat[] = []
  return {
    add(row: T): void {
      const earlier = rows.get(row.permit_number)
      if (earlier !== undefined) repeats.push({ row: row.row, permit_number: row.permit_number, replaced_row: earlier.row })
      rows.set(row.permit_number, row)
    },
    rows: (): T[] => [...rows.values()].sort((a, b) => a.row - b.row),
    repeats: (): Repeat[] => repeats,
  }
}
