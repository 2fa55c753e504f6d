// The named transforms that turn a cell into text (`permits.md` import rule 2); `parse_datetime` has a file of its own, `dates.ts`.
import type { Cell } from '../../../../kernel/imports/domain/cells.ts'
import { shown } from '../../../../kernel/imports/domain/shown.ts'
import type { Column } from './formats.ts'

/** Returns the text of a cell without spaces at its ends, and without characters that a database can't store; null when nothing is left, and for an error. */
export function strip(cell: Cell): string | null {
  if (cell.kind === 'error') return null
  const text = (shown(cell) ?? '').replaceAll('\0', '').toWellFormed().trim()
  return text === '' ? null : text
}

/** Returns the text of a cell as a key: no superfluous decimals, and each run of white space as one space. */
export const asKey = (cell: Cell): string | null => strip(cell)?.replace(/\s+/g, ' ') ?? null

/** Returns the values of a cell without duplicates, in their order. */
export function splitValues(cell: Cell, separators: string): string[] {
  const values: string[] = []
  let value = ''
  const take = () => {
    const trimmed = value.trim()
    if (trimmed !== '' && !values.includes(trimmed)) values.push(trimmed)
    value = ''
  }
  for (const character of strip(cell) ?? '') {
    if (separators.includes(character) || character === '\n' || character === '\r') take()
    else value += character
  }
  take()
  return values
}

const patterns = new Map<string, RegExp>()

/** Returns what a pattern finds in a cell: its first group, or else the whole match. */
export function regexExtract(cell: Cell, pattern: string): string | null {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'iu')
  patterns.set(pattern, known)
  const found = known.exec(strip(cell) ?? '')
  const text = (found?.[1] ?? found?.[0])?.trim()
  return text === undefined || text === '' ? null : text
}

/** Returns the text of a cell by the transform of its column. */
export function textBy(column: Column, cell: Cell): string | null {
  if (column.transform === 'regex_extract') return regexExtract(cell, column.pattern)
  return column.transform === 'to_string' ? asKey(cell) : strip(cell)
}
