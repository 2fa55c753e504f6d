// What differs between two versions of a rule, in words (`conflict-and-planning.md` §1, history and diff). Pure.
import { isOneOf, isRecord, itemsIn, textIn } from '../narrow.ts'
import { type Reader, sentenceOf } from '../predicates/explain.ts'
import { isPredicate } from '../predicates/language.ts'
import { counted } from '../text.ts'
import { pairSubject } from './pair.ts'
import { type Cell, type LevelRule, OUTCOMES } from './rules.ts'
import { kindWords, levelWords } from './words.ts'

const quoted = (value: unknown): string => (value === '' || value === null ? 'none' : `“${textIn(value)}”`)
const minutes = (value: unknown): string => counted(Number(value), 'minute')

/** The kinds of one side: “a gang or a machine”. */
const kinds = (value: unknown): string => kindWords(itemsIn(isRecord(value) ? value.kinds : []).map(textIn))

const isLevels = (value: unknown): value is LevelRule => isRecord(value) && isOneOf(['same', 'within', 'any'], value.mode)
const levels = (value: unknown): string => (isLevels(value) ? levelWords(value) : 'none')

const isCell = (value: unknown): value is Cell => isOneOf(OUTCOMES, value) || (isRecord(value) && isOneOf(OUTCOMES, value.outcome))

/** A cell of the matrix: “red within 50 m, on any levels”. */
function cell(value: unknown): string {
  if (!isCell(value)) return 'follows “any type”'
  if (typeof value === 'string') return value
  const { outcome, distance_m, levels: own } = value
  const far = distance_m === undefined ? '' : ` within ${distance_m} m`
  return `${outcome}${far}${own === undefined ? '' : `, ${levelWords(own)}`}`
}

const outcome = (value: unknown): string =>
  !isRecord(value) ? 'by permit type' : typeof value.severity === 'string' ? value.severity : 'by permit type'

const CELLS = 'outcome.cells.'
const codesIn = (key: string): string =>
  key
    .split('|')
    .map(code => (code === '*' ? 'any type' : code))
    .join(' with ')

/** Says what happened to one field or cell. `reader`: names of what a condition refers to. */
export function changeWords(path: string, before: unknown, after: unknown, reader: Reader = {}): string {
  const from = (label: string, words: (value: unknown) => string) => `${label}: ${words(before)} → ${words(after)}`
  if (path.startsWith(CELLS)) return from(codesIn(path.slice(CELLS.length)), cell)
  const condition = (value: unknown) => (isPredicate(value) ? sentenceOf(pairSubject, value, reader) : 'none')
  switch (path) {
    case 'name':
      return from('Name', quoted)
    case 'description':
      return from('Description', quoted)
    case 'enabled':
      return after === true ? 'Switched on' : 'Switched off'
    case 'a':
      return from('First side', kinds)
    case 'b':
      return from('Second side', kinds)
    case 'when':
      return from('Condition', condition)
    case 'levels':
      return from('Levels', levels)
    case 'time_buffer_minutes':
      return from('Time before and after', minutes)
    case 'min_overlap_minutes':
      return from('Shortest overlap', minutes)
    case 'outcome.default_distance_m':
      return from('Usual distance', value => (value === null ? 'none' : `${Number(value)} m`))
    case 'outcome.matrix':
      return after === null ? 'No longer by permit type' : 'By permit type'
    default:
      return from('Severity', outcome)
  }
}
