// Literals: the values of a comparison that each type allows, and their meaning at a moment.

import { isId } from '../ids.ts'
import { fieldsIn, isOneOf, isRecord } from '../narrow.ts'
import { folded } from '../text.ts'
import { DAY, dateOn, HOUR, type Instant, isWallTime, isWorkDate, later, MINUTE, plusDays, readInstant } from '../time.ts'
import { type AnyField, type FaultCode, isSet, LIMITS, type Member, type Moment, type Operator, type Scalar, SETS } from './language.ts'

/** What is wrong with a literal; null if nothing is. */
type Wrong = { code: FaultCode; message: string } | null

const DURATION = /^([+-]?)P(?!$)(?:(\d{1,7})W)?(?:(\d{1,7})D)?(?:T(?!$)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/
const FARTHEST_DAYS = 36_525

/**
 * Returns the milliseconds of an ISO 8601 duration. Null if it isn't one, for years and months, whose length varies, and for more than a century. A day
 * is 24 hours; for days of the site there is `{"today": n}`.
 */
export function durationOf(text: string): number | null {
  const parts = DURATION.exec(text)
  if (parts === null) return null
  const [, sign, weeks, days, hours, minutes, seconds] = parts
  const length =
    Number(weeks ?? 0) * 7 * DAY +
    Number(days ?? 0) * DAY +
    Number(hours ?? 0) * HOUR +
    Number(minutes ?? 0) * MINUTE +
    Number(seconds ?? 0) * 1000
  if (length > FARTHEST_DAYS * DAY) return null
  return sign === '-' ? -length : length
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is there to find them (conventions §5).
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

const wrong = (message: string): Wrong => ({ code: 'wrong_type', message })

function textFault(value: unknown): Wrong {
  if (typeof value !== 'string') return wrong('must be text.')
  if (value.length > LIMITS.text) return { code: 'too_large', message: `must have at most ${LIMITS.text} characters.` }
  return CONTROL.test(value) || !value.isWellFormed() ? wrong('contains characters that can’t be stored.') : null
}

const relative = (value: unknown, key: 'now' | 'today'): boolean => isRecord(value) && Object.keys(value).length === 1 && key in value

/** Returns what is wrong with one literal for values of a type. */
export function literalFault(field: Pick<AnyField, 'values'>, type: Scalar | Member, value: unknown): Wrong {
  switch (type) {
    case 'enum': {
      const fault = textFault(value)
      if (fault !== null) return fault
      return field.values === undefined || isOneOf(field.values, value)
        ? null
        : { code: 'unknown_value', message: `must be one of ${field.values.join(', ')}.` }
    }
    case 'code':
    case 'text':
      return textFault(value)
    case 'id':
      return typeof value === 'string' && isId(value) ? null : wrong('must be an id (UUID).')
    case 'integer':
      return Number.isSafeInteger(value) ? null : wrong('must be a whole number.')
    case 'number':
    case 'minutes':
    case 'metres':
      return typeof value === 'number' && Number.isFinite(value) ? null : wrong('must be a number.')
    case 'boolean':
      return typeof value === 'boolean' ? null : wrong('must be true or false.')
    case 'instant':
      if (relative(value, 'now')) {
        const { now } = fieldsIn(value)
        return typeof now === 'string' && durationOf(now) !== null
          ? null
          : wrong('must be a duration in weeks, days, hours, minutes or seconds, such as {"now": "-PT2H"}.')
      }
      return typeof value === 'string' && readInstant(value) !== null
        ? null
        : wrong('must be an RFC 3339 date and time, or an offset from now such as {"now": "-PT2H"}.')
    case 'work_date':
      if (relative(value, 'today')) {
        const { today } = fieldsIn(value)
        return typeof today === 'number' && Number.isInteger(today) && Math.abs(today) <= FARTHEST_DAYS
          ? null
          : wrong('must be a number of site days, such as {"today": -1}.')
      }
      return typeof value === 'string' && isWorkDate(value)
        ? null
        : wrong('must be an existing date, YYYY-MM-DD, or a value such as {"today": 1}.')
    case 'local_time':
      return typeof value === 'string' && isWallTime(value) ? null : wrong('must be a time of day, HH:MM.')
    case 'weekday':
      if (typeof value !== 'number' || !Number.isInteger(value)) return wrong('must be a weekday, 1 (Monday) to 7 (Sunday).')
      return value >= 1 && value <= 7 ? null : { code: 'unknown_value', message: 'must be 1 (Monday) to 7 (Sunday).' }
  }
}

/** The form of the value of a comparison. */
export type Form = 'one' | 'list' | 'range' | 'truth'

/** Returns the form of the value of an operator on a field, and the type of each literal in it. */
export function formOf(field: Pick<AnyField, 'type'>, op: Operator): { form: Form; type: Scalar | Member } {
  const { type } = field
  if (isSet(type)) return { form: op === 'is_empty' ? 'truth' : op === 'contains' ? 'one' : 'list', type: SETS[type] }
  return { form: op === 'between' ? 'range' : op === 'in' || op === 'not_in' ? 'list' : 'one', type }
}

/** Converts a literal to the value that is compared at a moment: text folded, ids in lower case, instants in UTC, and days and offsets from now computed. */
export function meant(type: Scalar | Member, value: unknown, at: Moment): Value {
  switch (type) {
    case 'text':
      return folded(String(value)) // the condition has no faults, here and below
    case 'id':
      return String(value).toLowerCase()
    case 'instant':
      return isRecord(value) ? later(at.now, durationOf(String(value.now)) ?? 0) : instantOf(String(value))
    case 'work_date':
      return isRecord(value) ? plusDays(dateOn(at.timezone, at.now), Number(value.today)) : String(value)
    default:
      return plainIn(value)
  }
}

/** A value that comparisons know. */
export type Value = string | number | boolean

/** Returns a value as comparisons know it. */
export const plainIn = (value: unknown): Value =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value)

const instantOf = (text: string): Instant => readInstant(text) ?? text

/** Returns whether the meaning of a literal depends on the moment. */
export const moves = (value: unknown): boolean => (Array.isArray(value) ? value.some(isRecord) : isRecord(value))
