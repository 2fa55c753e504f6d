// Counts the rows that a transaction has written, so that its end can be prepared for few rows or for very many.

const counts = new WeakMap<object, number>()

/** Adds the rows that a statement of this transaction wrote, and returns its result. */
export function countedRows<T extends { numAffectedRows?: bigint }>(db: object, result: T): T {
  if (result.numAffectedRows !== undefined) counts.set(db, rowsWritten(db) + Number(result.numAffectedRows))
  return result
}

/** Returns how many rows the statements of this transaction have written so far, without those that triggers wrote. */
export const rowsWritten = (db: object): number => counts.get(db) ?? 0
