import type { Id } from '../../base/ids.ts'

/** What reverting a change to such a record does (`site-and-people.md` §15): it restores fields, makes a new version, or isn't possible. */
export type RevertClass = 'fields' | 'version' | 'transition' | 'ledger' | 'access' | 'import'

/** A row of any table, with the columns that every record has. */
export type AnyRow = { id: Id; version?: number } & Record<string, unknown>
