import type { ReactNode } from 'react'
import type { Flag } from '../fault.ts'

/** A column of a listing: a cell of the table on a wide screen, a line of the card on a narrow one. */
export type Column<R> = {
  key: string
  head: string
  cell(row: R): ReactNode
  /** As text, for the CSV file; a column without it is left out of the file. */
  text?(row: R): string | number | null | undefined
  /** True if the column takes the space that is left. */
  wide?: boolean
}

/** Something done with several records at once; each one has its own result. */
export type Bulk<R> = {
  label: string
  look?: 'primary' | 'danger'
  /** The service's decision for one record; what isn't allowed is not tried, and the reason is shown as its result. */
  flagOf(row: R): Flag
  act(row: R): Promise<unknown>
}

/** What a listing reads from its query. */
export type Source = { data: unknown; error: unknown; dataUpdatedAt: number; refetch(): unknown }

/** Pages that have not been loaded yet. `says`: how many of how many rows are shown, instead of the number of rows. */
export type More = { has: boolean; busy: boolean; load(): void; says?: string | undefined }

/** How the rows of a listing look, and what can be done with each. */
export type RowLook<R> = {
  idOf(row: R): string
  nameOf(row: R): string
  /** Rows as columns; otherwise `row` draws each. */
  columns?: readonly Column<R>[]
  row?(row: R): ReactNode
  /** Buttons of a row. */
  actionsOf?(row: R): ReactNode
  /** True for a row that has ended or is archived, which is drawn less prominently. */
  isPast?(row: R): boolean
  /** True if each row draws its own edges. */
  flush?: boolean
  /** Key of the heading that a row is under. */
  groupOf?(row: R): { key: string; head: ReactNode }
}

/** Rows that the page selects itself, because it does something with all of them at once. */
export type Selection<R> = {
  ids: ReadonlySet<string>
  set(ids: ReadonlySet<string>): void
  /** What can be done with the selected rows. `shown`: all rows that the list shows now. */
  bar(shown: readonly R[]): ReactNode
}
