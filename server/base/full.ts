// A full disk: recognised wherever it shows, and refused in one way.
import pg from 'pg'
import { type Refusal, Refused, storageFull } from './errors.ts'

/** Errors of the system for a full disk, a used-up quota, and a file that would be larger than allowed. */
const CODES = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Whether an error says that there is no space left: in the storage, for temporary files, in a child process, or for the database. */
export function isFull(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '53100'
  if (!(error instanceof Error)) return false
  if (error instanceof Refused) return error.refusal.context?.reason === 'storage_full'
  if ('code' in error && CODES.includes(String(error.code))) return true
  // A child process reports what it could not write as text.
  return error.name === 'ChildProblem' && CODES.some(code => error.message.startsWith(`${code}:`))
}

/** The refusal for such an error; null for any other. */
export const fullRefusal = (error: unknown): Refusal | null => (isFull(error) ? storageFull() : null)
