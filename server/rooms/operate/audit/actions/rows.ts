// Compares every record of a site, or of the platform, with its audit log: the last entry and the row must agree on every column, those that the log
// does not spell out by a digest. The chain proves that the audit log was not altered, and the audit log then proves the rows.
import { hashVersion } from '../../../../../shared/proof/algorithms.ts'
import type { Db } from '../../../../base/db.ts'
import { type Id, PLATFORM } from '../../../../base/ids.ts'
import type { Wrapping } from '../../../../base/wrapped.ts'
import {
  canonical,
  erasuresOf,
  geometryDigest,
  STAMPS,
  spelled,
  stateColumns,
  stateDigest,
  upgradeOf,
} from '../../../../kernel/audit/door.ts'
import { type Decipher, decipherer } from '../../../../kernel/person-data/door.ts'
import { allKinds, type Kind } from '../../../../kernel/records/door.ts'
import { changesOf, goneFrom, kindsInUse, rowsAfter, type Said, trackedTables } from '../queries/verify.ts'

const PIECE = 500

/** A record that differs from its audit log. */
export type RowFault = { kind: string; id: Id; label: string; detail: string }

/** What a record's erased entries say about it: its state when they were erased, or nothing. */
type Gaps = {
  restated: ReadonlyMap<Id, { seq: number; v: number; fields: Record<string, unknown>; state: string; salt: string }>
  /** Entries that were erased before the log recorded such states. */
  unspoken: ReadonlySet<number>
}

/** Lists every record of a site, or of the platform, that differs from its audit log. Repairs nothing. `settings`: how the keys of person data are encrypted. */
export async function* rowFaults(db: Db, site_id: Id, settings: Wrapping): AsyncGenerator<RowFault> {
  const tracked = await trackedTables(db)
  const gaps: Gaps = {
    restated: new Map(
      (await erasuresOf(db, site_id)).flatMap(({ seq, v, erased }) =>
        erased.records.map(record => [record.id, { seq, v, ...record }] as const),
      ),
    ),
    unspoken: (await upgradeOf(db, site_id))?.erased ?? new Set(),
  }
  const kinds = allKinds().filter(kind => tracked.has(kind.table) && (!kind.platform || site_id === PLATFORM))
  const { filled, logged } = await kindsInUse(db, site_id, kinds)
  for (const kind of kinds) {
    const columns = tracked.get(kind.table)
    const [has_rows, has_entries] = [filled.has(kind.name), logged.has(kind.name)]
    if (columns === undefined || !(has_rows || has_entries)) continue
    const at = kind.platform ? null : site_id
    const after = (id: Id) => rowsAfter(db, kind.table, at, kind.name, id, PIECE)
    // Both are read at the same time: most of a site's tables are small, and each round trip takes longer than its query.
    const [first, gone] = await Promise.all([
      has_rows ? after(PLATFORM) : [],
      has_entries ? goneFrom(db, kind.table, at, site_id, kind.name) : [],
    ])
    for (let read = first; read.length > 0; read = read.length < PIECE ? [] : await after(String(read.at(-1)?.row.id))) {
      const rows = read.map(({ row }) => row)
      yield* faultsAmong(db, site_id, kind, rows, gaps, columns.defaults, settings)
      for (const { row, stray } of read)
        if (stray)
          yield {
            kind: kind.name,
            id: String(row.id),
            label: String(row.id),
            detail: 'The record directory doesn’t list this record on its site.',
          }
    }
    // The platform's entries about a site record its erasure.
    if (site_id === PLATFORM && kind.name === 'site') continue
    const hidden = new Set<string>([...STAMPS, ...kind.derived, ...kind.secret])
    const required = columns.required.filter(name => !hidden.has(name))
    for (const { entity_id, entity_label, seq, changes } of gone) {
      if (changes === null ? gaps.unspoken.has(seq) : isDeletion(changes, required)) continue
      yield {
        kind: kind.name,
        id: entity_id,
        label: entity_label,
        detail: `Entry ${seq} refers to this record, but the record is missing.`,
      }
    }
  }
}

/** Returns whether the changes delete the whole record, not only some of its fields. */
const isDeletion = (changes: NonNullable<Said['changes']>, required: readonly string[]): boolean =>
  changes.every(change => change.after === null) && required.every(name => changes.some(change => change.path === name))

async function* faultsAmong(
  db: Db,
  site_id: Id,
  kind: Kind,
  rows: readonly Record<string, unknown>[],
  gaps: Gaps,
  defaults: ReadonlyMap<string, unknown>,
  settings: Wrapping,
): AsyncGenerator<RowFault> {
  if (rows.length === 0) return
  const ids = rows.map(row => String(row.id))
  const told = Map.groupBy(await changesOf(db, site_id, kind.name, ids), entry => entry.entity_id)
  const open = kind.personal.length === 0 ? null : await decipherer(db, settings, kind.name, site_id, ids)
  for (const raw of rows) {
    const id = String(raw.id)
    const entries = told.get(id)
    const label = labelOf(kind, raw)
    if (entries === undefined) {
      yield { kind: kind.name, id, label, detail: 'The audit log has no entry for this record.' }
      continue
    }
    const row = spelled(raw) ?? {}
    const changed = [...differing(row, kind, entries, gaps, defaults, open), ...unsealed(row, kind, entries, gaps)]
    if (changed.length > 0) yield { kind: kind.name, id, label, detail: `Differs from the audit log: ${changed.join(', ')}.` }
  }
}

/** Lists the columns whose values the log contains, and whose value differs from the latest one in the log. */
function differing(
  row: Record<string, unknown>,
  kind: Kind,
  entries: readonly Said[],
  { restated, unspoken }: Gaps,
  defaults: ReadonlyMap<string, unknown>,
  open: Decipher | null,
): string[] {
  const again = restated.get(String(row.id))
  const last = new Map<string, unknown>(Object.entries(again?.fields ?? {}))
  for (const entry of entries) {
    if (entry.seq > (again?.seq ?? 0)) for (const change of entry.changes ?? []) last.set(change.path, change.after)
  }
  // Some entries were erased before the log recorded the state of erased records: only values that were logged again since are known.
  const partly = again === undefined && entries.some(entry => unspoken.has(entry.seq))
  const hidden = new Set<string>([...STAMPS, ...kind.derived, ...kind.secret])
  return Object.keys(row).flatMap(name => {
    if (hidden.has(name) || (partly && !last.has(name))) return []
    const value = row[name] ?? null
    const now = kind.geometry.includes(name) && value !== null ? geometryDigest(value) : value
    // A column that was added later and is never null has its default in the rows that existed before.
    const said = (last.has(name) ? last.get(name) : defaults.get(name)) ?? null
    const known = open !== null && kind.personal.includes(name) ? open(String(row.id), name, said) : { value: said, lost: null }
    // A value that can't be decrypted proves nothing about the row.
    if (known.lost === 'unreadable') return [`${name} (its key is missing or damaged)`]
    return known.lost !== null || canonical(now) !== canonical(known.value) ? [name] : []
  })
}

/** Lists the columns whose values the log doesn't contain, if their digest differs from that of the latest entry: one of them was altered. */
function unsealed(row: Record<string, unknown>, kind: Kind, entries: readonly Said[], { restated }: Gaps): string[] {
  const again = restated.get(String(row.id))
  const own = entries.findLast(entry => entry.state_digest !== null && entry.salt !== null)
  const newest = again !== undefined && again.seq > (own?.seq ?? 0) ? again : own
  const columns = `one of ${stateColumns(kind).join(', ')}`
  // Entries of version 1 had no such digest: a record that nobody has written since is proven without it.
  if (newest === undefined) return entries.every(entry => entry.v === 1) ? [] : [columns]
  const [salt, digest] = 'state' in newest ? [newest.salt, newest.state] : [newest.salt ?? '', newest.state_digest]
  const v = hashVersion(newest.v)
  return v !== null && stateDigest(v, salt, row, kind) === digest ? [] : [columns]
}

function labelOf(kind: Kind, row: Record<string, unknown>): string {
  try {
    return kind.label({ ...row, id: String(row.id) }) // the row contains every column, as JSON
  } catch {
    return String(row.id)
  }
}
