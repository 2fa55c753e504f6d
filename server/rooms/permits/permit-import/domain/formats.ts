// The layouts that a register can have, as data: which header feeds which field, and by which transform (`permits.md` import rules 1 and 2;
// `permits-decisions.md` §6). A format has no time zone: wall-clock times are always the site's (rule 3).
import { invalidField, type Refusal, unsupportedMedia } from '../../../../base/errors.ts'
import { extensionOf, SAVE } from '../../../../kernel/imports/domain/refusals.ts'

/** What a row of a register can say about a permit. */
export const FIELDS = [
  'permit_number',
  'categories',
  'contractor',
  'location',
  'zone',
  'level',
  'start_at',
  'end_at',
  'description',
  'controls',
] as const
export type Field = (typeof FIELDS)[number]

/** How a cell becomes a value; each has its code in `transforms.ts` and `dates.ts`. */
export type Transform =
  | { transform: 'parse_datetime' | 'to_string' | 'strip' }
  /** `separators`: each of these characters separates two values, and so does a line break. */
  | { transform: 'split_values'; separators: string }
  /** The first group of the pattern, or else the whole match; nothing if it doesn't match. */
  | { transform: 'regex_extract'; pattern: string }

/** A column: its possible headers, the most important first. `max`: the length limit of the field; a longer cell is refused, never cut. */
export type Column = { field: Field; headers: readonly string[]; required: boolean; max: number } & Transform

/** A layout. */
export type Format = { format_id: string; name: string; extensions: readonly ('xlsx' | 'xls')[]; columns: readonly Column[] }

const headers = (list: string) => list.split(', ')

/** The standard format. */
export const CUSTOMER_PTW: Format = {
  format_id: 'customer_ptw_xlsx',
  name: 'Customer permit register',
  extensions: ['xlsx', 'xls'],
  columns: [
    {
      field: 'permit_number',
      headers: headers(
        'Permit No, Permit Number, Permit #, Permit Ref, Permit Reference, Permit ID, PTW No, PTW Number, PTW Ref, PTW #, Ref, Ref No, Reference, Reference No, Number, No',
      ),
      required: true,
      max: 100,
      transform: 'to_string',
    },
    {
      field: 'categories',
      headers: headers(
        'Type(s), Type, Types, Permit Type(s), Permit Type, Permit Types, PTW Type, Category, Categories, Permit Category, Work Type',
      ),
      required: true,
      max: 500,
      transform: 'split_values',
      separators: ';,/|+',
    },
    {
      field: 'contractor',
      headers: headers(
        'Contractor, Contractor Name, Company, Company Name, Subcontractor, Sub-contractor, Trade Contractor, Employer, Firm',
      ),
      required: false,
      max: 500,
      transform: 'strip',
    },
    {
      field: 'location',
      headers: headers('Location, Work Location, Location of Work, Area, Work Area, Place, Building, Block'),
      required: false,
      max: 500,
      transform: 'strip',
    },
    { field: 'zone', headers: headers('Zone, Zones, Sector'), required: false, max: 500, transform: 'strip' },
    {
      field: 'level',
      headers: headers('Level, Floor, Storey'),
      required: false,
      max: 500,
      // "Level: 3" repeats the header. The rest goes unchanged to the parser of level names, because a building can call a level anything.
      transform: 'regex_extract',
      pattern: '^(?:(?:level|floor|storey)\\s*:)?\\s*(\\S[^]*)$',
    },
    {
      field: 'start_at',
      headers: headers('Start, Start Date, Start Date/Time, Start Time, From, Date From, Valid From, Validity Start'),
      required: true,
      max: 100,
      transform: 'parse_datetime',
    },
    {
      field: 'end_at',
      headers: headers(
        'Finish, Finish Date, Finish Date/Time, Finish Time, End, End Date, End Date/Time, End Time, To, Date To, Valid To, Valid Until, Validity End, Expiry, Expiry Date, Expires',
      ),
      required: true,
      max: 100,
      transform: 'parse_datetime',
    },
    {
      field: 'description',
      headers: headers('Description, Description of Work, Work Description, Work, Works, Task, Activity, Scope'),
      required: false,
      max: 10_000,
      transform: 'strip',
    },
    {
      field: 'controls',
      headers: headers('Controls, Control Measures, Precautions, Conditions'),
      required: false,
      max: 10_000,
      transform: 'strip',
    },
  ],
}

/** All formats, in the order in which an extension is looked up. */
export const FORMATS: readonly Format[] = [CUSTOMER_PTW]

/** Returns the format of a file: the named one, or else the first that accepts its extension (rule 1); or why there is none. */
export function formatOf(format_id: string | undefined, filename: string): { format: Format } | { refusal: Refusal } {
  if (format_id !== undefined) {
    const named = FORMATS.find(format => format.format_id === format_id)
    if (named !== undefined) return { format: named }
    const known = FORMATS.map(format => format.format_id).join(', ')
    return { refusal: invalidField('format_id', `“${format_id}” isn’t an import format. Use one of these: ${known}.`) }
  }
  const extension = extensionOf(filename)
  const found = FORMATS.find(format => format.extensions.some(own => own === extension))
  if (found !== undefined) return { format: found }
  const kinds = [...new Set(FORMATS.flatMap(format => format.extensions))].map(kind => `.${kind}`).join(' or ')
  return { refusal: unsupportedMedia(`“${filename}” isn’t an ${kinds} file. ${SAVE}`, { problem: 'unknown_extension' }) }
}

/** Returns the header that a field is called by when the file has none for it. */
export const usualHeader = (format: Format, field: Field): string =>
  format.columns.find(column => column.field === field)?.headers[0] ?? field
