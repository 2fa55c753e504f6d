// The findings of an upload, counted and as a file.
import { csvOf } from '../../../../shared/csv.ts'

type Fault = { row: number; column: string; value: string | null; code: string; message: string }
type Found = {
  new: number
  updated: number
  unchanged: number
  errors: readonly Fault[]
  unresolved_locations: readonly { row: number; value: string; message: string }[]
  duplicates: readonly { permit_number: string; row: number; replaced_row: number }[]
  kept: readonly { permit_number: string; row: number; status: string }[]
}

/** Returns the four counts of an upload: rows that are new, changed, the same already, and refused. */
export const countsOf = (found: Found): { new: number; changed: number; unchanged: number; refused: number } => ({
  new: found.new,
  changed: found.updated - found.unchanged,
  unchanged: found.unchanged,
  refused: new Set(found.errors.map(fault => fault.row)).size,
})

/** Returns what an upload found about its rows, as a file for the person who corrects the register. `says`: what the page says of a row that another replaces, or whose permit is kept. */
export function findingsCsv(
  found: Found,
  header: readonly string[],
  says: { duplicate(one: Found['duplicates'][number]): string; kept(one: Found['kept'][number]): string },
): string {
  const rows = [
    ...found.errors.map(fault => [fault.row, fault.column, fault.value, fault.message]),
    ...found.unresolved_locations.map(one => [one.row, '', one.value, one.message]),
    ...found.duplicates.map(one => [one.replaced_row, '', one.permit_number, says.duplicate(one)]),
    ...found.kept.map(one => [one.row, '', one.permit_number, says.kept(one)]),
  ]
  return csvOf(
    header,
    rows.toSorted((a, b) => Number(a[0]) - Number(b[0])),
  )
}

/** A place that isn't known, and the rows that name it; `value` is null if the message quotes it. */
export type UnknownPlace = { value: string | null; message: string; rows: number[] }

/** Returns each unknown place once, in the order of the rows: a register has the same one in many rows. */
export function unknownPlaces(found: Pick<Found, 'unresolved_locations'>): UnknownPlace[] {
  const places = new Map<string, UnknownPlace>()
  for (const { row, value, message } of found.unresolved_locations) {
    const key = JSON.stringify([value, message])
    const known = places.get(key)
    if (known === undefined) places.set(key, { value: message.includes(`“${value}”`) ? null : value, message, rows: [row] })
    else known.rows.push(row)
  }
  return [...places.values()]
}

/** Returns how many rows of a register say nothing: a later row has the same number, or people have acted on its permit since. */
export const unusedIn = (set: { rows_read: number; rows_new: number; rows_updated: number; rows_refused: number }): number =>
  set.rows_read - set.rows_new - set.rows_updated - set.rows_refused

/** Returns whether a file can be read, as far as its name shows; the service checks its bytes. */
export const isRegister = (name: string, extensions: readonly string[]): boolean =>
  extensions.some(extension => name.toLowerCase().endsWith(`.${extension}`))
