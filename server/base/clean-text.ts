// Text as it is stored, whatever it came in: a field of JSON, a parameter, a part of a form, the name of a file (conventions §5).
import { readInstant } from '../../shared/time.ts'
import type { FieldFault } from './errors.ts'
import type { Loose } from './schema.ts'

/** The most faults that one refusal reports. */
const FAULTS_AT_MOST = 100
/** Characters that can’t be stored. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is there to find them (conventions §5).
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Adds a fault, unless the maximum number of reported faults has been reached. */
export function note(faults: FieldFault[], fault: FieldFault): void {
  if (faults.length < FAULTS_AT_MOST) faults.push(fault)
}

/** Trims and normalises text, and adds a fault if it has characters that can't be stored. */
export function cleanText(value: string, schema: Loose | undefined, path: string, faults: FieldFault[]): string {
  if (CONTROL.test(value)) note(faults, { path, message: 'contains control characters, which can’t be stored.' })
  else if (!value.isWellFormed()) note(faults, { path, message: 'contains half of a character (a lone surrogate).' })
  if (schema?.verbatim) return value.normalize('NFC')
  const clean = value.normalize('NFC').trim()
  return schema?.format === 'date-time' ? (readInstant(clean) ?? clean) : schema?.format === 'uuid' ? clean.toLowerCase() : clean
}
