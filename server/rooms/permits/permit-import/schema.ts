import {
  changedSince,
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  orNull,
  paging,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { FIELDS } from './domain/formats.ts'

const TRANSFORMS = ['parse_datetime', 'split_values', 'strip', 'to_string', 'regex_extract'] as const

export const ImportFormat = shape('PermitImportFormat', 'A layout that a register can have', {
  format_id: text('Format id', { max: 60, example: 'customer_ptw_xlsx' }),
  name: text('Format name', { max: 200, example: 'Customer permit register' }),
  extensions: list(oneOf(['xlsx', 'xls'], 'Extension'), 'File name extensions', { max: 5 }),
  columns: list(
    object({
      field: oneOf(FIELDS, 'Permit field'),
      headers: list(text('Header', { max: 200, example: 'Permit No' }), 'Headers of the field by priority, the site’s own first', {
        max: 200,
      }),
      transform: oneOf(TRANSFORMS, 'Conversion of a cell'),
      required: flag('Whether every row is refused if this column is missing; without the permit number, the whole file is refused'),
    }),
    'Columns',
    { max: 50 },
  ),
})

export const FormatQuery = object({ site_id: optional(id('Site whose own headers are listed first')) })

export const UploadFields = shape('PermitUpload', 'A register to import; the file is in the part `file`', {
  site_id: optional(id('Site. Required if the query doesn’t contain it')),
  format_id: optional(text('Format; default: the first one that accepts the file extension', { max: 60, example: 'customer_ptw_xlsx' })),
  dry_run: optional(flag('Whether to return the result without importing anything')),
})

export const UploadQuery = object({
  site_id: optional(id('Site. Required if the body doesn’t contain it')),
  format_id: optional(text('Format; default: the first one that accepts the file extension', { max: 60, example: 'customer_ptw_xlsx' })),
  dry_run: optional(flag('Whether to return the result without importing anything')),
})

const row = integer('Row on the worksheet', { min: 1, max: 1_048_576, example: 27 })
const number_ = text('Permit number', { max: 100, example: 'BP2023-18903' })

export const Uploaded = shape('PermitUploadResult', 'The result of an import or a dry run', {
  set_id: orNull(id('Import that was created; null in a dry run')),
  new: integer('Number of new permits'),
  updated: integer('Number of existing permits in the register, including unchanged ones'),
  unchanged: integer('Number of existing permits that the register didn’t change'),
  contractors_created: list(
    object({
      id: orNull(id('Contractor; null in a dry run')),
      name: text('Name in the register', { max: 500, example: 'Northgate Steel' }),
      colour: text('Colour on the map', { max: 7, example: '#128189' }),
    }),
    'Contractors that were created',
    { max: 100_000 },
  ),
  unresolved_locations: list(
    object({
      row,
      value: text('Place in the register', { max: 500, example: 'Block Z / Level 3' }),
      message: text('Reason why the place couldn’t be matched', { max: 2000 }),
    }),
    'Rows whose permits were imported without a place',
    { max: 1_000_000 },
  ),
  duplicates: list(
    object({ row, permit_number: number_, replaced_row: integer('Earlier row that was replaced', { min: 1 }) }),
    'Numbers that appear more than once in the file; the last accepted row is used',
    {
      max: 1_000_000,
    },
  ),
  kept: list(
    object({ row, permit_number: number_, status: text('Status', { max: 40, example: 'closed' }) }),
    'Permits that people have ended, such as closed-out ones; the import didn’t change their fields',
    { max: 1_000_000 },
  ),
  errors: list(
    object({
      row,
      column: text('Header in the file', { max: 1000, example: 'Start' }),
      value: orNull(text('Cell content; null if the cell is empty', { max: 2000, example: 'TBC' })),
      code: oneOf(
        [
          'unreadable_date',
          'missing_window',
          'window_reversed',
          'missing_permit_number',
          'missing_type',
          'unknown_type',
          'too_long',
          'ambiguous_contractor',
          'invalid_contractor',
          'number_taken',
        ],
        'Fault code',
      ),
      message: text('Description of the fault', { max: 4000, example: '“TBC” in Start isn’t a date.' }),
    }),
    'Errors, one for each fault in a refused row',
    { max: 1_000_000 },
  ),
  warnings: list(
    object({
      code: text('Warning code', { max: 60, example: 'sheet_not_read' }),
      detail: text('Description of the warning', { max: 10_000, example: 'Only the sheet “Register” was read. The file also has “Key”.' }),
      count: integer('Number of occurrences'),
      first: orNull(
        text('First cell that the warning refers to; null if the warning is about columns or sheets', { max: 100, example: 'C12' }),
      ),
    }),
    'Warnings about the file as a whole',
    { max: 1000 },
  ),
})

export const QueuedImport = shape('QueuedPermitImport', 'An import that runs in the background (Prefer: respond-async)', {
  job_id: id('Job run; its result is a PermitUploadResult'),
})

export const PermitSet = shape('PermitSet', 'An import of a register', {
  id: id('Import'),
  site_id: id('Site'),
  filename: text('File name', { max: 200, example: 'register.xlsx' }),
  sha256: text('SHA-256 of the file', { max: 64, example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' }),
  format_id: text('Format', { max: 60, example: 'customer_ptw_xlsx' }),
  rows_read: integer('Number of rows with data'),
  rows_new: integer('Number of new permits'),
  rows_updated: integer('Number of existing permits in the register, including unchanged ones'),
  rows_unchanged: integer('Number of existing permits that the register didn’t change'),
  rows_refused: integer('Number of refused rows'),
  permits: integer('Number of permits in the import'),
  archived_at: orNull(instant('Time when the import was archived; null if it isn’t archived')),
  permissions: flags(['archive', 'delete', 're_resolve'], { re_resolve: 'match the places of the import’s permits again' }),
  version: integer('Version'),
  created_at: instant('Time of the import'),
  created_by: orNull(id('Person who uploaded the register; null if no person did')),
  updated_at: instant('Time of the last change'),
  updated_by: orNull(id('Person who last changed the import; null if no person did')),
})

export const SetFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Import'), 'Ids', { max: 200 })),
  archived: optional(flag('Whether to include archived imports; default false')),
  ...changedSince,
  ...paging,
})

export const DropSet = shape('DropPermitSet', 'Deletion of an import', {
  site_id: optional(id('Site; must match the record’s')),
  archive: optional(flag('Whether to only hide the import, and keep its permits; default false')),
})

export const ReResolve = shape('ReResolvePermits', 'Imported permits whose places are matched again', {
  site_id: optional(id('Site. Required if the query doesn’t contain it')),
  set_id: optional(id('Import; default: all imported permits')),
})

export const MatchQuery = object({ site_id: optional(id('Site; must match the record’s')) })
export const ReResolveQuery = object({ site_id: optional(id('Site. Required if the body doesn’t contain it')) })

export const ReResolved = shape('ReResolvedPermits', 'The result of matching places again', {
  checked: integer('Number of permits without a place before the match'),
  resolved: integer('Number of permits that were given a place'),
  unresolved: list(
    object({
      permit_id: id('Permit'),
      permit_number: number_,
      value: text('Place in the register', { max: 500, example: 'Block Z / Level 3' }),
      message: text('Reason why the place couldn’t be matched', { max: 2000 }),
    }),
    'Permits that still have no place',
    { max: 1_000_000 },
  ),
})

export type SetFilter = Static<typeof SetFilter>
export type ReResolve = Static<typeof ReResolve>
