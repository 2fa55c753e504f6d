import type { Findable } from '../../../base/findable.ts'
import type { Id } from '../../../base/ids.ts'
import { directoryEntry } from '../../../kernel/records/door.ts'
import { sights } from './actions/seeing.ts'
import { type EntryRow, entryById } from './queries/entries.ts'

/** Every record that was ever written, found by its id alone, even if it was deleted. The record's own room decides who can see its history. */
export const anyRecord: Findable<{ site_id: Id; id: Id; kind: string }> = {
  name: 'record',
  param: 'entity_id',
  find: async (ctx, _site_id, id) => {
    const entry = await directoryEntry(ctx.db, id)
    return entry === null ? null : { ...entry, id }
  },
  sees: async (ctx, thing) => (await sights(ctx, [{ site_id: thing.site_id, entity_type: thing.kind, entity_id: thing.id }])).has(thing.id),
}

/** An entry of the audit log, visible to those who can see the history of its record. */
export const auditEntry: Findable<EntryRow> = {
  name: 'audit_entry',
  param: 'entry_id',
  locate: async (db, id) => (await entryById(db, id))?.site_id ?? null,
  find: (ctx, _site_id, id) => entryById(ctx.db, id),
  sees: async (ctx, entry) => (await sights(ctx, [entry])).has(entry.entity_id),
}

export { rowFaults } from './actions/rows.ts'
