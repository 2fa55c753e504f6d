import { canonicalJson } from '../../../shared/proof/canonical.ts'
import type { Id } from '../../base/ids.ts'

/** What reverting a change to such a record does (`site-and-people.md` §15): it restores fields, makes a new version, or isn't possible. */
export type RevertClass = 'fields' | 'version' | 'transition' | 'ledger' | 'access' | 'import'

/** A row of any table, with the columns that every record has. */
export type AnyRow = { id: Id; version?: number } & Record<string, unknown>

/** Returns the columns of `next` that differ from the row. JSON is compared in its canonical form, because the database orders its keys. */
export function changesOf<Next extends Readonly<Record<string, unknown>>>(
  row: Readonly<Record<string, unknown>>,
  next: Next,
): Partial<Next> {
  const changed = Object.entries(next).filter(([column, value]) => canonicalJson(row[column]) !== canonicalJson(value))
  return Object.fromEntries(changed) as Partial<Next> // some of its own entries
}
