// Reads a row of a register: a permit as the file describes it, or every fault of the row (`permits-decisions.md` §6; `permits.md` import rules 3 and 6).
import { listed } from '../../../../../shared/text.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Cell, EMPTY, type Row } from '../../../../kernel/imports/domain/cells.ts'
import { shown } from '../../../../kernel/imports/domain/shown.ts'
import { type DateOrder, type NoDate, type Wall, wallIn, windowOf } from './dates.ts'
import { type Column, type Field, type Format, usualHeader } from './formats.ts'
import type { HeaderRow } from './headers.ts'
import { splitValues, textBy } from './transforms.ts'

/** Why a row is refused. `number_taken`, `ambiguous_contractor` and `invalid_contractor` depend on the site (`landing.ts`, `contractors.ts`). */
export type FaultCode =
  | 'unreadable_date'
  | 'missing_window'
  | 'window_reversed'
  | 'missing_permit_number'
  | 'missing_type'
  | 'unknown_type'
  | 'too_long'
  | 'ambiguous_contractor'
  | 'invalid_contractor'
  | 'number_taken'

/** A fault of a row: `column` is the header as written, `value` the cell as it is, null when it is empty. */
export type RowFault = { row: number; column: string; value: string | null; code: FaultCode; message: string }

/** A header and a cell under it, for faults that are found later. */
export type Written = { column: string; value: string | null }

/** A permit as its row describes it; `written` is the text in the file. */
export type RegisterRow = {
  row: number
  permit_number: string
  categories: string[]
  contractor: string | null
  location: string | null
  zone: string | null
  level: string | null
  start_at: Instant
  end_at: Instant
  description: string | null
  controls: string | null
  written: { permit_number: Written; contractor: Written }
}

/** Types of a site, active and retired. */
export type KnownTypes = readonly { code: string; name: string }[]

/** What rows are checked against. */
export type RowFacts = {
  format: Format
  header: HeaderRow
  date1904: boolean
  timezone: string
  date_order: DateOrder
  types: KnownTypes
}

/** The result of reading a row. */
export type Judged = { row: RegisterRow } | { faults: RowFault[] }

const VALUE_SHOWN = 1000
/** The most unknown codes that are reported for one row; the first already refuses it. */
const CODES_SHOWN = 20

/** Returns a cell as it is; null when it contains nothing but spaces. */
function standing(cell: Cell | undefined): string | null {
  const text =
    shown(cell ?? EMPTY)
      ?.replaceAll('\0', '')
      .toWellFormed() ?? ''
  if (text.trim() === '') return null
  return text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN).toWellFormed()}…` : text
}

const isNothing = (cell: Cell | undefined): boolean => cell === undefined || (cell.kind === 'text' && cell.text.trim() === '')

/** Returns whether a row is blank, or has only spaces. */
export const isBlank = (row: Row): boolean => row.cells.every(isNothing)

/** Returns a function that reads the rows under a header. */
export function rowJudge(facts: RowFacts): (row: Row) => Judged {
  const { format, header } = facts
  const fieldAt = new Map(header.mapped.map(one => [one.column, one]))
  const headerOf = new Map(header.mapped.map(one => [one.field, one.header]))
  const typesOf = typeJudge(facts.types)
  return ({ number, cells }) => {
    const at = new Map<Field, Cell>()
    for (const cell of cells) {
      const mapped = fieldAt.get(cell.column)
      if (mapped !== undefined && !isNothing(cell)) at.set(mapped.field, cell)
    }
    const faults: RowFault[] = []
    const written = (field: Field): Written => ({
      column: headerOf.get(field) ?? usualHeader(format, field),
      value: standing(at.get(field)),
    })
    const fault = (field: Field, code: FaultCode, message: string) => {
      faults.push({ row: number, ...written(field), code, message: said(message) })
    }
    /** Returns the value of an empty cell, or of a missing column. */
    const lacking = (field: Field, code: FaultCode) => {
      const { column, value } = written(field)
      const there = headerOf.has(field)
        ? `${column} ${value === null ? 'is empty' : 'contains an error'}`
        : `The file has no column ${column}`
      fault(field, code, there)
    }
    const texts: { [field in Field]?: string | null } = {}
    let categories: string[] = []
    const walls: { start_at?: Wall; end_at?: Wall } = {}
    for (const column of format.columns) {
      const { field } = column
      const cell = at.get(field)
      if (field === 'start_at' || field === 'end_at') {
        if (cell === undefined) lacking(field, 'missing_window')
        else {
          const wall = wallIn(cell, facts.date_order, facts.date1904)
          if (isWall(wall)) walls[field] = wall
          else fault(field, 'unreadable_date', `“${short(cell)}” in ${written(field).column} ${wall.why}`)
        }
      } else if (tooLong(column, cell)) {
        fault(field, 'too_long', `${written(field).column} has more than ${column.max} characters. Shorten the text`)
      } else if (column.transform === 'split_values') {
        categories = cell === undefined || cell.kind === 'error' ? [] : splitValues(cell, column.separators)
        if (categories.length === 0) lacking(field, 'missing_type')
        for (const message of typesOf(categories).slice(0, CODES_SHOWN)) fault(field, 'unknown_type', message)
      } else {
        texts[field] = cell === undefined ? null : textBy(column, cell)
        if (field === 'permit_number' && texts[field] === null) lacking(field, 'missing_permit_number')
      }
    }
    const window =
      walls.start_at === undefined || walls.end_at === undefined ? null : windowOf(walls.start_at, walls.end_at, facts.timezone)
    if (walls.start_at !== undefined && walls.end_at !== undefined && window === null)
      fault(
        'end_at',
        'window_reversed',
        `${written('end_at').column} (${spoken(walls.end_at)}) isn’t after ${written('start_at').column} (${spoken(walls.start_at)}). Correct the window`,
      )
    const { permit_number } = texts
    if (faults.length > 0 || window === null || permit_number === undefined || permit_number === null) return { faults }
    return {
      row: {
        row: number,
        permit_number,
        categories,
        contractor: texts.contractor ?? null,
        location: texts.location ?? null,
        zone: texts.zone ?? null,
        level: texts.level ?? null,
        ...window,
        description: texts.description ?? null,
        controls: texts.controls ?? null,
        written: { permit_number: written('permit_number'), contractor: written('contractor') },
      },
    }
  }
}

const isWall = (wall: Wall | NoDate): wall is Wall => 'date' in wall

const tooLong = (column: Column, cell: Cell | undefined) => cell?.kind === 'text' && cell.text.trim().length > column.max

/** Returns a cell as it is quoted in a sentence. */
const short = (cell: Cell): string => {
  const text = (standing(cell) ?? '').trim()
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text
}

const spoken = (wall: Wall) => (wall.timed ? `${wall.date} ${wall.time}` : wall.date)
const said = (message: string) => (/[.?!]$/.test(message) ? message : `${message}.`)

/** Writes sentences on the codes that the site doesn't have. Codes are case-sensitive; a likely one is suggested, never used. */
function typeJudge(types: KnownTypes): (codes: readonly string[]) => string[] {
  const known = new Set(types.map(type => type.code))
  const all = listed([...known].sort())
  return codes =>
    codes
      .filter(code => !known.has(code))
      .map(code => {
        const lower = code.toLowerCase()
        const meant = types.filter(type => type.code.toLowerCase() === lower || type.name.toLowerCase() === lower).map(type => type.code)
        const hint = meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : `Its types are ${all}.`
        return `This site has no permit type “${code.slice(0, 60).toWellFormed()}”. ${hint}`
      })
}
