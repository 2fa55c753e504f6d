// Reads a register row by row: the guarded reader runs in a process of its own, and this room's rules check the rows that it returns.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse } from '../../../../base/errors.ts'
import type { Row, SheetHead } from '../../../../kernel/imports/domain/cells.ts'
import { type BookFile, type BookPiece, piecesOf } from '../../../../kernel/imports/door.ts'
import type { DateOrder } from '../domain/dates.ts'
import { type Field, type Format, formatOf } from '../domain/formats.ts'
import { headerNames, headerSearch, type Mapped, noRegister, type Place, type SiteHeaders } from '../domain/headers.ts'
import { isBlank, type KnownTypes, type RegisterRow, type RowFault, rowJudge } from '../domain/rows.ts'
import { type Warning, warningsOf } from '../domain/warnings.ts'

/** A register to read: the file, and the site's settings for such files. */
export type RegisterFile = Pick<BookFile, 'path' | 'filename' | 'signal' | 'patience_ms' | 'complain'> & {
  format_id?: string | undefined
  timezone: string
  /** The site's `date_order`; if unset, the day comes first. */
  date_order?: DateOrder | null | undefined
  /** The site's `import_headers`, by format. */
  import_headers?: { readonly [format_id: string]: SiteHeaders | undefined } | undefined
  /** Types of the site, active and retired. */
  types: KnownTypes
}

/** How many rows of the worksheet below the header have been read, including blank ones. */
export type Progress = { rows_read: number; total: number }

/** A piece of a register: its kind; its rows in order, refused ones as faults; and at the end the warnings. */
export type RegisterPiece =
  | { kind: 'register'; format_id: string; sheet: string; header_row: number; columns: Mapped[]; missing: Field[]; total: number }
  | { kind: 'rows'; rows: RegisterRow[]; errors: RowFault[]; progress: Progress }
  | { kind: 'end'; rows: number; accepted: number; refused: number; warnings: Warning[] }

// Rows that are checked in one turn of the event loop: a few milliseconds, even if their dates are odd.
const AT_ONCE = 100

/**
 * Reads a register piece by piece. Refuses the whole file (413, 415, 422) when it can't be read or has no permit-number column; such a refusal can also
 * come after some rows. Nothing is written.
 */
export async function* readRegister(file: RegisterFile): AsyncGenerator<RegisterPiece> {
  const chosen = formatOf(file.format_id, file.filename)
  if ('refusal' in chosen) return refuse(chosen.refusal)
  const { format } = chosen
  const site_headers = file.import_headers?.[format.format_id]
  const search = headerSearch(format, headerNames(format, site_headers))
  const book = { ...file, extensions: format.extensions, by_bytes: file.format_id !== undefined }
  const whole = yield* rowsUnder(file, format, piecesOf(book), (sheet, row) => {
    const header = search.look(sheet, row)
    return header === null ? null : { sheet, header }
  })
  if (whole) return
  // Only now is it known that no sheet has all the columns. Rows aren't kept for this case, in which all of them become faults, so the file is read again.
  const best = search.best()
  if (best === null) return refuse(noRegister(format, search.nearest()))
  yield* rowsUnder(file, format, piecesOf(book), (sheet, row) => (sheet === best.sheet && row.number === best.header.row ? best : null))
}

/** Yields the rows below the header that `headed` finds; returns false when it finds none. Reading ends with the header's sheet. */
async function* rowsUnder(
  file: RegisterFile,
  format: Format,
  pieces: AsyncGenerator<BookPiece>,
  headed: (sheet: number, row: Row) => Place | null,
): AsyncGenerator<RegisterPiece, boolean> {
  let heads: SheetHead[] = []
  let date1904 = false
  let place: Place | null = null
  let judge: ReturnType<typeof rowJudge> | null = null
  let total = 0
  const counts = { rows: 0, accepted: 0, refused: 0 }
  for await (const piece of pieces) {
    if (piece.kind === 'book') {
      heads = piece.sheets
      date1904 = piece.date1904
      continue
    }
    if (piece.kind === 'end') break
    if (place !== null && piece.sheet !== place.sheet) continue
    if (piece.kind === 'sheet_end') {
      if (place === null) continue
      yield { kind: 'end', ...counts, warnings: warningsOf(heads, place, format, piece.notices) }
      return true
    }
    let from = 0
    if (place === null) {
      for (const [i, row] of piece.rows.entries()) {
        place = headed(piece.sheet, row)
        if (place === null) continue
        from = i + 1
        break
      }
      if (place === null) continue
      const { header, sheet } = place
      const head = heads[sheet]
      total = Math.max(0, (head?.row_count ?? header.row) - header.row)
      const missing = format.columns.map(c => c.field).filter(field => !header.mapped.some(m => m.field === field))
      const of = { sheet: head?.name ?? '', header_row: header.row, columns: header.mapped, missing }
      yield { kind: 'register', format_id: format.format_id, ...of, total }
      judge = rowJudge({ format, header, date1904, timezone: file.timezone, date_order: file.date_order ?? 'dmy', types: file.types })
    }
    for (; judge !== null && from < piece.rows.length; from += AT_ONCE) {
      const slice = piece.rows.slice(from, from + AT_ONCE)
      const rows: RegisterRow[] = []
      const errors: RowFault[] = []
      for (const row of slice) {
        if (isBlank(row)) continue
        counts.rows++
        const judged = judge(row)
        if ('row' in judged) rows.push(judged.row)
        else {
          counts.refused++
          errors.push(...judged.faults)
        }
      }
      counts.accepted += rows.length
      yield { kind: 'rows', rows, errors, progress: { rows_read: (slice.at(-1)?.number ?? place.header.row) - place.header.row, total } }
      await nextTurn()
    }
  }
  return false
}
