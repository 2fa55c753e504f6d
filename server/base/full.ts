// A full disk: recognised in every place, with one refusal.
import pg from 'pg'
import { type Refusal, Refused, storageFull } from './errors.ts'

/** System errors for a full disk, a used-up quota, and a file that would be larger than allowed. */
const CODES = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Returns whether an error says that there is no space left: in the storage, for temporary files, in a child process, or for the database. */
export function isFull(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '53100'
  if (!(error instanceof Error)) return false
  if (error instanceof Refused) return error.refusal.context?.reason === 'storage_full'
  if ('code' in error && CODES.includes(String(error.code))) return true
  // A child process reports what it could not write as text.
  return error.name === 'ChildProblem' && CODES.some(code => error.message.startsWith(`${code}:`))
}

/** Returns the refusal for such an error; null for any other. */
export const fullRefusal = (error: unknown): Refusal | null => (isFull(error) ? storageFull() : null)
