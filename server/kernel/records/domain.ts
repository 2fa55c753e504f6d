import type { Id } from '../../base/ids.ts'

/** What a revert of a change to such a record is (`site-and-people.md` §15): put back field by field, a new version, or not possible. */
export type RevertClass = 'fields' | 'version' | 'transition' | 'ledger' | 'access' | 'import'

/** A row of any table, as far as every record is alike. */
export type AnyRow = { id: Id; version?: number } & Record<string, unknown>
