import canonicalize from 'canonicalize'
import type { HashVersion } from '../../../shared/proof/algorithms.ts'
import type { EntryFacts, EntryWords } from '../../../shared/proof/entry.ts'

/** Returns JSON in the canonical form of RFC 8785. */
export const canonical = (value: unknown): string => canonicalize(value) ?? 'null'

/** One field before and after a change. */
export type Change = { path: string; before: unknown; after: unknown }

/** Columns set by the record trigger, which are not listed as changes. */
export const STAMPS = ['id', 'site_id', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'] as const
const isStamp = new Set<string>(STAMPS)

/** The columns that an entry shows in a special way, or not at all. */
export type Treatment = { secret: readonly string[]; derived: readonly string[]; geometry: readonly string[] }

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && JSON.stringify(a) === JSON.stringify(b))

/**
 * Lists the fields that differ between two states of a row, ordered by name; null means that the row didn't exist. Secret fields only show that they
 * changed; for a geometry, `digest` returns digest and area.
 */
export function changesBetween(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  treat: Treatment,
  digest: (geometry: unknown) => unknown,
): Change[] {
  const changes: Change[] = []
  for (const path of fieldsOf(before, after)) {
    if (isStamp.has(path) || treat.derived.includes(path)) continue
    const was = before?.[path] ?? null
    const is = after?.[path] ?? null
    if (same(was, is)) continue
    if (treat.secret.includes(path))
      changes.push({ path, before: was === null ? null : '[secret]', after: is === null ? null : '[secret, changed]' })
    else if (treat.geometry.includes(path))
      changes.push({ path, before: was === null ? null : digest(was), after: is === null ? null : digest(is) })
    else changes.push({ path, before: was, after: is })
  }
  return changes
}

let newest: { keys: readonly string[]; sorted: readonly string[] } = { keys: [], sorted: [] }

/** Lists the fields of two states of a row by name. The rows of one statement have the same fields, so they are sorted once. */
function fieldsOf(before: Record<string, unknown> | null, after: Record<string, unknown> | null): readonly string[] {
  const keys = Object.keys(after ?? before ?? {})
  const other = before === null || after === null ? keys : Object.keys(before)
  const all = other.length === keys.length && other.every((key, i) => key === keys[i]) ? keys : [...new Set([...keys, ...other])]
  if (all.length !== newest.keys.length || !all.every((key, i) => key === newest.keys[i])) newest = { keys: all, sorted: [...all].sort() }
  return newest.sorted
}

/** Canonical JSON of a value in a change: with text, numbers and flags it is plain JSON (RFC 8785 §3.2). */
export const plainly = (value: unknown): string => (typeof value === 'object' && value !== null ? canonical(value) : JSON.stringify(value))

/** The columns of a kind that the audit log does not show in full, in order: the state of a row. */
export const stateColumns = (treat: Pick<Treatment, 'secret' | 'derived'>): string[] =>
  [...new Set([...STAMPS, ...treat.secret, ...treat.derived])].sort()

/**
 * Returns the values of a row in the columns that the audit log does not show in full, in canonical JSON. Null values are left out, so that a column
 * that is added later changes nothing.
 */
export function stateText(row: Record<string, unknown>, columns: readonly string[]): string {
  let text = ''
  for (const name of columns) {
    const value = row[name]
    if (value !== null && value !== undefined) text += `${text === '' ? '' : ','}"${name}":${plainly(value)}`
  }
  return `{${text}}`
}

/** A draft written by the record trigger: one row of one statement. */
export type Draft = {
  site_id: string
  record_id: string
  version: number
  op: 'I' | 'U' | 'D'
  table_name: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** The effect of a transaction on one record: its state before the first change and after the last. */
export type Folded = Draft & { op: 'I' | 'U' | 'D' }

/** Combines a transaction's drafts into one for each record, in the order of their first change. Leaves out records that were created and deleted again. */
export function fold(drafts: readonly Draft[]): Folded[] {
  const order: Record<Draft['op'], number> = { I: 0, U: 1, D: 2 }
  const byRecord = Map.groupBy(drafts, d => `${d.table_name} ${d.record_id}`)
  const folded: Folded[] = []
  for (const steps of byRecord.values()) {
    steps.sort((a, b) => a.version - b.version || order[a.op] - order[b.op])
    const first = steps[0]
    const last = steps.at(-1)
    if (first === undefined || last === undefined) continue
    if (first.op === 'I' && last.op === 'D') continue
    const op = first.op === 'I' ? 'I' : last.op === 'D' ? 'D' : 'U'
    folded.push({ ...last, op, before: first.op === 'I' ? null : first.before, after: last.op === 'D' ? null : last.after })
  }
  return folded
}

/** The fields that the hash of an entry of version 1 covers. */
export type SealedBefore = {
  seq: number
  at: string
  actor_id: string | null
  action: string
  entity_type: string
  entity_id: string
  request_id: string
  changes_digest: string
}

/** Returns the text that starts a chain: it differs by site, so that no chain can be passed off as another site's. */
export const genesisText = (site_id: string): string => `walkdown audit chain of ${site_id}`

/** Returns the text from which the hash of an entry of version 1 is made: the canonical JSON (RFC 8785) of eight of its fields. */
export function textBefore(entry: SealedBefore): string {
  const { action, actor_id, at, changes_digest, entity_id, entity_type, request_id, seq } = entry
  return JSON.stringify({ action, actor_id, at, changes_digest, entity_id, entity_type, request_id, seq })
}

/** An entry before it is chained: its facts and labels, and the text of their digests. */
export type NewEntry = Omit<EntryFacts, 'site_id' | 'words_digest'> &
  EntryWords & { changes: Change[]; salt: string; words_salt: string; facts: string }

/** Returns the whole content of an event in canonical JSON; its hash also covers its number and instant. */
export function eventText(event: {
  actor_id: string | null
  actor_kind: string
  actor_name: string
  actor_role: string | null
  contractor_ids: readonly string[]
  id: string
  kind: string
  payload: unknown
  place: unknown
  request_id: string
  subject_id: string
  subject_kind: string
  subject_label: string
  work_date: string
}): string {
  const { actor_id, actor_kind, actor_name, actor_role, contractor_ids, id, kind, payload, place, request_id } = event
  const { subject_id, subject_kind, subject_label, work_date } = event
  const said = { actor_id, actor_kind, actor_name, actor_role, contractor_ids, id, kind, payload, place, request_id }
  return canonical({ ...said, subject_id, subject_kind, subject_label, work_date })
}

/**
 * What an erasure erased: entries by their numbers, with their labels after it, and the state of each of their records after it.
 */
export type Erased = {
  entries: { seq: number; changes: boolean; words: EntryWords | null }[]
  records: { kind: string; id: string; fields: Record<string, unknown>; state: string; salt: string }[]
}

/** An erasure in the form of its entry: what it erased, and the signature by the chain's key, which no copy of the database contains. */
export type Erasure = { seq: number; v: HashVersion; erased: Erased; kid: string; signature: string }

/** What the entry that begins version 2 protects of the entries before it. */
export type Upgrade = { seq: number; through: number; size: number; digests: string[]; erased: ReadonlySet<number> }

/** Kind of the entries that erase others. They don't belong to a record: superadmins and people who see the whole audit log see them. */
export const ERASURE = 'erasure'
/** Kind of the entry that protects what older entries did not cover. */
export const UPGRADE = 'audit_log'

/** Kind of the platform's entries that record the head of every audit log. */
export const HEADS = 'audit_heads'

/** Returns the text that the signature of an erasure covers. */
export const erasureText = (site_id: string, erased: Erased): string => `walkdown erasure ${site_id} ${canonical(erased)}`

/** What is wrong with a broken chain, at the first invalid entry. */
export type ChainFault = {
  seq: number
  what: 'missing' | 'hash' | 'link' | 'digest' | 'words' | 'version' | 'erased' | 'event' | 'head'
  detail: string
}
