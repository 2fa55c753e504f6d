import canonicalize from 'canonicalize'

/** JSON in the canonical form of RFC 8785. */
export const canonical = (value: unknown): string => canonicalize(value) ?? 'null'

/** One field as it was and as it is. */
export type Change = { path: string; before: unknown; after: unknown }

/** Stamps of the record trigger: never a change of their own. */
const STAMPS = new Set(['id', 'site_id', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'])

/** What a change shows of one column. */
export type Treatment = { secret: readonly string[]; derived: readonly string[]; geometry: readonly string[] }

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && JSON.stringify(a) === JSON.stringify(b))

/**
 * The fields that differ between two states of a row, in order of their names; null stands for not being there. Secrets say only that
 * they changed; of a geometry `digest` keeps digest and area.
 */
export function changesBetween(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  treat: Treatment,
  digest: (geometry: unknown) => unknown,
): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  const changes: Change[] = []
  for (const path of names) {
    if (STAMPS.has(path) || treat.derived.includes(path)) continue
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

/** A draft of the record trigger: one row of one statement. */
export type Draft = {
  site_id: string
  record_id: string
  version: number
  op: 'I' | 'U' | 'D'
  table_name: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** What a transaction did to one record: first before, last after. Null when it came and went again. */
export type Folded = Draft & { op: 'I' | 'U' | 'D' }

/** Folds the drafts of a transaction into one for each record, in the order in which the records were first touched. */
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

/** The fields that the hash of an entry covers (`site-and-people.md` §15). */
export type Sealed = {
  seq: number
  at: string
  actor_id: string | null
  action: string
  entity_type: string
  entity_id: string
  request_id: string
  changes_digest: string
}

/** Start of a chain, before its first entry: differs by site, so that no chain can be passed off as another's. */
export const genesisText = (site_id: string): string => `walkdown audit chain of ${site_id}`

/**
 * The canonical JSON (RFC 8785) of an entry in two halves, around its instant, without `seq` and the closing brace: both become known only
 * while the site head is locked. Keys sort as `action, actor_id, at, changes_digest, entity_id, entity_type, request_id, seq`.
 */
export function halves(entry: Omit<Sealed, 'seq' | 'at'>): { head: string; tail: string } {
  const { action, actor_id, changes_digest, entity_id, entity_type, request_id } = entry
  const head = JSON.stringify({ action, actor_id }).slice(0, -1)
  const tail = JSON.stringify({ changes_digest, entity_id, entity_type, request_id }).slice(1, -1)
  return { head: `${head},"at":"`, tail: `",${tail},"seq":` }
}

/** What a broken chain shows, at the first entry that does not fit. */
export type ChainFault = { seq: number; what: 'missing' | 'hash' | 'link' | 'digest' | 'head'; detail: string }
