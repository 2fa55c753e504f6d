// The findings of an upload, counted and as a file.
import { csvOf } from '../../../../shared/csv.ts'

type Fault = { row: number; column: string; value: string | null; code: string; message: string }
type Found = {
  new: number
  updated: number
  unchanged: number
  errors: readonly Fault[]
  unresolved_locations: readonly { row: number; value: string; message: string }[]
}

/** Returns the four counts of an upload: rows that are new, changed, the same already, and refused. */
export const countsOf = (found: Found): { new: number; changed: number; unchanged: number; refused: number } => ({
  new: found.new,
  changed: found.updated - found.unchanged,
  unchanged: found.unchanged,
  refused: new Set(found.errors.map(fault => fault.row)).size,
})

/** Returns the refused rows and those without a place, as a file for the person who corrects the register. */
export function faultsCsv(found: Found, header: readonly string[]): string {
  const rows = [
    ...found.errors.map(fault => [fault.row, fault.column, fault.value, fault.message]),
    ...found.unresolved_locations.map(one => [one.row, '', one.value, one.message]),
  ]
  return csvOf(
    header,
    rows.toSorted((a, b) => Number(a[0]) - Number(b[0])),
  )
}

/** Returns whether a file can be read, as far as its name shows; the service checks its bytes. */
export const isRegister = (name: string, extensions: readonly string[]): boolean =>
  extensions.some(extension => name.toLowerCase().endsWith(`.${extension}`))
