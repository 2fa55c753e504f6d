import {
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
} from '../../base/schema.ts'
import { FIELDS } from './domain/formats.ts'

const TRANSFORMS = ['parse_datetime', 'split_values', 'strip', 'to_string', 'regex_extract'] as const

export const ImportFormat = shape('PermitImportFormat', 'A layout that a register may have', {
  format_id: text('Name of the format', { max: 60, example: 'customer_ptw_xlsx' }),
  name: text('In words', { max: 200, example: 'Permit register of a customer' }),
  extensions: list(oneOf(['xlsx', 'xls'], 'Extension'), 'Files that it is read from', { max: 5 }),
  columns: list(
    object({
      field: oneOf(FIELDS, 'Field of the permit'),
      headers: list(
        text('Header', { max: 200, example: 'Permit No' }),
        'Headers that feed it, the weightiest first; those of the site before all',
        { max: 200 },
      ),
      transform: oneOf(TRANSFORMS, 'How a cell becomes a value'),
      required: flag('Without this column every row is refused'),
    }),
    'Columns',
    { max: 50 },
  ),
})

export const FormatQuery = object({ site_id: optional(id('Site whose own header names come first')) })

export const UploadFields = shape('PermitUpload', 'A register to be imported: the file in a part called "file"', {
  site_id: optional(id('Site, where the address names none')),
  format_id: optional(text('Format; left out, the extension picks it', { max: 60, example: 'customer_ptw_xlsx' })),
  dry_run: optional(flag('Say the same and write nothing')),
})

export const UploadQuery = object({
  site_id: optional(id('Site, where the body names none')),
  format_id: optional(text('Format; left out, the extension picks it', { max: 60, example: 'customer_ptw_xlsx' })),
  dry_run: optional(flag('Say the same and write nothing')),
})

const row = integer('Row on the worksheet', { min: 1, max: 1_048_576, example: 27 })
const number_ = text('Permit number', { max: 100, example: 'BP2023-18903' })

export const Uploaded = shape('PermitUploadResult', 'What an upload did, or with dry_run would do', {
  set_id: orNull(id('The set that it made; null in a dry run')),
  new: integer('Permits that are new'),
  updated: integer('Permits that were there and now point to this set'),
  unchanged: integer('How many of the updated were the same already'),
  contractors_created: list(
    object({
      id: orNull(id('Firm; null in a dry run')),
      name: text('Its name as the register writes it', { max: 500, example: 'Northgate Steel' }),
      colour: text('Its colour', { max: 7, example: '#128189' }),
    }),
    'Firms that the site had not',
    { max: 100_000 },
  ),
  unresolved_locations: list(
    object({
      row,
      value: text('The place as written', { max: 500, example: 'Block Z / Level 3' }),
      message: text('Why it is not found', { max: 2000 }),
    }),
    'Rows that were taken without their place',
    { max: 1_000_000 },
  ),
  duplicates: list(
    object({ row, permit_number: number_, replaced_row: integer('The earlier row that it replaced', { min: 1 }) }),
    'Numbers that the file has twice: the last accepted row counts',
    {
      max: 1_000_000,
    },
  ),
  kept: list(
    object({ row, permit_number: number_, status: text('How it ended', { max: 40, example: 'closed' }) }),
    'Permits that people ended: their fields stay',
    { max: 1_000_000 },
  ),
  errors: list(
    object({
      row,
      column: text('Header as written', { max: 1000, example: 'Start' }),
      value: orNull(text('The cell as it stands; null when it is empty', { max: 2000, example: 'TBC' })),
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
        'What is wrong',
      ),
      message: text('The same in words', { max: 4000, example: '"TBC" in Start is no date.' }),
    }),
    'One entry for each fault of a refused row',
    { max: 1_000_000 },
  ),
  warnings: list(
    object({
      code: text('What it is', { max: 60, example: 'sheet_not_read' }),
      detail: text('In words', { max: 10_000, example: 'Only the sheet "Register" was read, not "Key".' }),
      count: integer('How often'),
      first: orNull(text('Where first', { max: 100, example: 'C12' })),
    }),
    'What should be told of the file beside its rows',
    { max: 1000 },
  ),
})

export const QueuedImport = shape('QueuedPermitImport', 'An import that runs in the background (Prefer: respond-async)', {
  job_id: id('Job run; its result is that of an upload'),
})

export const PermitSet = shape('PermitSet', 'An upload of a register', {
  id: id('Set'),
  site_id: id('Site'),
  filename: text('Name of the file', { max: 200, example: 'register.xlsx' }),
  sha256: text('SHA-256 of the file', { max: 64, example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' }),
  format_id: text('Format', { max: 60, example: 'customer_ptw_xlsx' }),
  rows_read: integer('Rows with content'),
  rows_new: integer('Permits that were new'),
  rows_updated: integer('Permits that were there'),
  rows_unchanged: integer('How many of those were the same already'),
  rows_refused: integer('Rows that were refused'),
  permits: integer('Permits that point to it now'),
  archived_at: orNull(instant('When it was hidden')),
  permissions: flags(['archive', 'delete', 're_resolve']),
  version: integer('Version'),
  created_at: instant('When it was uploaded'),
  created_by: orNull(id('By whom')),
  updated_at: instant('When it was last changed'),
  updated_by: orNull(id('By whom')),
})

export const SetFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Set'), 'Only these', { max: 200 })),
  archived: optional(flag('Archived ones, too')),
  ...paging,
})

export const DropSet = shape('DropPermitSet', 'How a set goes', {
  site_id: optional(id('Site; only checked to match')),
  archive: optional(flag('Only hide it: its permits stay')),
})

export const ReResolve = shape('ReResolvePermits', 'Which imported permits to place', {
  site_id: optional(id('Site, where the address names none')),
  set_id: optional(id('Only those of this set')),
})

export const MatchQuery = object({ site_id: optional(id('Site; only checked to match')) })
export const ReResolveQuery = object({ site_id: optional(id('Site, where the body names none')) })

export const ReResolved = shape('ReResolvedPermits', 'What found its place', {
  checked: integer('Permits that had none'),
  resolved: integer('Permits that have one now'),
  unresolved: list(
    object({
      permit_id: id('Permit'),
      permit_number: number_,
      value: text('The place as written', { max: 500, example: 'Block Z / Level 3' }),
      message: text('Why it is not found', { max: 2000 }),
    }),
    'Those that still have none',
    { max: 1_000_000 },
  ),
})

export type SetFilter = Static<typeof SetFilter>
export type ReResolve = Static<typeof ReResolve>
