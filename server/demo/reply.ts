// A response of the API as the demo site reads it.
import { fieldsIn, textIn } from '../../shared/narrow.ts'
import type { Id } from '../base/ids.ts'

/** The fields of a response; those of a list are its `rows`. */
export type Row = { id: Id; [field: string]: unknown }

/** Reads the body of a response. The id is empty if it has none. */
export function rowIn(body: string): Row {
  const said: unknown = body === '' ? null : JSON.parse(body)
  return Array.isArray(said) ? { id: '', rows: said } : { ...fieldsIn(said), id: textIn(fieldsIn(said).id) }
}
