// Warnings about a register that is imported nevertheless, so that nothing is left out silently.
import { listed } from '../../../../../shared/text.ts'
import type { Notice, SheetHead } from '../../../../kernel/imports/domain/cells.ts'
import { type Format, usualHeader } from './formats.ts'
import { type Place, shortHeader } from './headers.ts'

/** A warning: how often, and in which cell first (`C12`). */
export type Warning = {
  code: Notice['code'] | 'column_not_read' | 'column_unknown' | 'sheet_not_read' | 'column_missing'
  detail: string
  count: number
  first: string | null
}

/** Returns the warnings about a register: the reader's about its own sheet; columns and sheets that weren't read; required columns that are missing. */
export function warningsOf(heads: readonly SheetHead[], { sheet, header }: Place, format: Format, notices: readonly Notice[]): Warning[] {
  const warnings: Warning[] = notices.map(({ code, detail, count, first }) => ({ code, detail, count, first }))
  const add = (code: Warning['code'], of: readonly string[], detail: string) => {
    if (of.length > 0) warnings.push({ code, detail, count: of.length, first: null })
  }
  const missing = format.columns.filter(c => c.required && !header.mapped.some(m => m.field === c.field))
  const names = missing.map(c => usualHeader(format, c.field))
  add('column_missing', names, `The file has no ${names.length === 1 ? 'column' : 'columns'} ${listed(names)}, so every row is refused.`)
  const passed = header.passed_over.map(
    over => `“${over.header}” (${header.mapped.find(m => m.field === over.field)?.header ?? ''} was read)`,
  )
  add('column_not_read', passed, `More than one column matches a field. These columns weren’t read: ${listed(passed)}.`)
  const unknown = header.unknown.map(name => `“${shortHeader(name)}”`)
  add('column_unknown', unknown, `A permit has no field for these columns, so they weren’t read: ${listed(unknown)}.`)
  const others = heads.filter((head, i) => i !== sheet && head.row_count > 0).map(head => `“${head.name}”`)
  add('sheet_not_read', others, `Only the sheet “${heads[sheet]?.name ?? ''}” was read. The file also has ${listed(others)}.`)
  return warnings
}
