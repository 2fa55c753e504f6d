import type { Id } from '../../base/ids.ts'

/** What a revert of a change to such a record does (`site-and-people.md` §15): it restores fields, makes a new version, or is not possible. */
export type RevertClass = 'fields' | 'version' | 'transition' | 'ledger' | 'access' | 'import'

/** A row of any table, as far as every record is alike. */
export type AnyRow = { id: Id; version?: number } & Record<string, unknown>
