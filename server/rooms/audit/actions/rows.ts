// Compares every record of a site with its audit log: the last entry and the row must agree on every field. The chain proves that the audit log was
// not altered, and the audit log then proves the rows.
import type { Db } from '../../../base/db.ts'
import { type Id, PLATFORM, sha256 } from '../../../base/ids.ts'
import { canonical, spelled } from '../../../kernel/audit/door.ts'
import { allKinds, type Kind } from '../../../kernel/records/door.ts'
import { changesOf, goneFrom, rowsAfter, trackedTables } from '../queries.ts'

const PIECE = 500
const STAMPS = ['id', 'site_id', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by']

/** A record that differs from its audit log. */
export type RowFault = { kind: string; id: Id; label: string; detail: string }

/** Returns every record of a site that differs from its audit log. Nothing is repaired. */
export async function* rowFaults(db: Db, site_id: Id): AsyncGenerator<RowFault> {
  if (site_id === PLATFORM) return
  const tracked = await trackedTables(db)
  for (const kind of allKinds()) {
    if (kind.platform || !tracked.has(kind.table)) continue
    for (let after = PLATFORM; ; ) {
      const rows = await rowsAfter(db, kind.table, site_id, after, PIECE)
      yield* faultsAmong(db, site_id, kind, rows)
      if (rows.length < PIECE) break
      after = String(rows.at(-1)?.id)
    }
    for (const { entity_id, entity_label, seq, changes } of await goneFrom(db, kind.table, site_id, kind.name)) {
      // The record was deleted by a rule, or erased: its last entry says that every field was removed.
      if (changes === null || changes.every(change => change.after === null)) continue
      yield {
        kind: kind.name,
        id: entity_id,
        label: entity_label,
        detail: `Entry ${seq} refers to this record, but the record is missing.`,
      }
    }
  }
}

async function* faultsAmong(db: Db, site_id: Id, kind: Kind, rows: readonly Record<string, unknown>[]): AsyncGenerator<RowFault> {
  if (rows.length === 0) return
  const ids = rows.map(row => String(row.id))
  const recorded = Map.groupBy(await changesOf(db, site_id, kind.name, ids), entry => entry.entity_id)
  for (const raw of rows) {
    const id = String(raw.id)
    const entries = recorded.get(id)
    const label = labelOf(kind, raw)
    if (entries === undefined) {
      yield { kind: kind.name, id, label, detail: 'The audit log has no entry for this record.' }
      continue
    }
    if (entries.some(entry => entry.changes === null)) continue // erased on request, so there is nothing to compare with
    const last = new Map(entries.flatMap(entry => (entry.changes ?? []).map(change => [change.path, change.after] as const)))
    const changed = Object.entries(spelled(raw) ?? {})
      .filter(([name]) => !STAMPS.includes(name) && !kind.derived.includes(name) && !kind.secret.includes(name))
      .filter(([name, value]) => {
        const now = kind.geometry.includes(name) && value !== null ? { sha256: sha256(canonical(value)) } : value
        return canonical(now ?? null) !== canonical(last.get(name) ?? null)
      })
    if (changed.length > 0)
      yield { kind: kind.name, id, label, detail: `Differs from the audit log: ${changed.map(([name]) => name).join(', ')}.` }
  }
}

function labelOf(kind: Kind, row: Record<string, unknown>): string {
  try {
    return kind.label(row as Parameters<Kind['label']>[0]) // every column is present, as JSON
  } catch {
    return String(row.id)
  }
}
