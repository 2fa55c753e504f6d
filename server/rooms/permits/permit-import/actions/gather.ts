import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { typesOn } from '../../permit-types/door.ts'
import type { Field } from '../domain/formats.ts'
import type { RegisterRow, RowFault } from '../domain/rows.ts'
import type { Warning } from '../domain/warnings.ts'
import { readingFacts } from '../queries.ts'
import { type Progress, readRegister } from './read.ts'

/** A register that was read: its rows in order, the refused ones as faults, and how it was read. */
export type Register = {
  filename: string
  sha256: string
  format_id: string
  sheet: string
  /** Fields that the sheet has no column for. */
  missing: readonly Field[]
  timezone: string
  rows: RegisterRow[]
  errors: RowFault[]
  warnings: Warning[]
  rows_read: number
}

/** A file to be read, on disk. */
export type RegisterSource = { path: string; filename: string; sha256: string; format_id?: string | undefined }

/** Reads a whole register with the site's settings for such files; nothing is written. Refuses a file that isn't a register. */
export async function gather(
  ctx: Ctx,
  site_id: Id,
  source: RegisterSource,
  tell?: (progress: Progress) => Promise<void>,
): Promise<Register> {
  const facts = await readingFacts(ctx.db, site_id)
  const types = await typesOn(ctx.db, site_id)
  const { path, filename, sha256, format_id } = source
  const register: Register = {
    filename,
    sha256,
    format_id: format_id ?? '',
    sheet: '',
    missing: [],
    timezone: facts.timezone,
    rows: [],
    errors: [],
    warnings: [],
    rows_read: 0,
  }
  const complain = (said: string) => ctx.house.log.warn({ request_id: ctx.request_id, said }, 'reading a spreadsheet failed')
  for await (const piece of readRegister({ path, filename, format_id, complain, types, ...facts })) {
    if (piece.kind === 'register') {
      register.format_id = piece.format_id
      register.sheet = piece.sheet
      register.missing = piece.missing
    } else if (piece.kind === 'rows') {
      register.rows.push(...piece.rows)
      register.errors.push(...piece.errors)
      await tell?.(piece.progress)
    } else {
      register.warnings = piece.warnings
      register.rows_read = piece.rows
    }
  }
  return register
}
