import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { dateOn, readInstant } from '../../../shared/time.ts'
import type { Ctx, Note } from '../../base/ctx.ts'
import { type Db, passThrough } from '../../base/db.ts'
import { type Id, ids, PLATFORM, sha256 } from '../../base/ids.ts'
import { remembered } from '../../base/memo.ts'
import { tellOfEvents } from '../events/door.ts'
import { type AnyRow, kindOfTable } from '../records/door.ts'
import { type ChainFault, type Change, canonical, changesBetween, type Draft, fold, genesisText, halves } from './domain.ts'
import { chainAfter, headOf, type SealPart, sealStatement, takeDrafts, zoneOf } from './queries.ts'

/** Canonical JSON of a value in a change: with text, numbers and flags it is plain JSON (RFC 8785 §3.2). */
const plainly = (value: unknown): string => (typeof value === 'object' && value !== null ? canonical(value) : JSON.stringify(value))

/** Changes in canonical JSON. Their three keys are in order as written here; a library would sort them for each of a million fields. */
const canonicalChanges = (changes: readonly Change[]): string =>
  `[${changes.map(({ path, before, after }) => `{"after":${plainly(after)},"before":${plainly(before)},"path":${JSON.stringify(path)}}`).join(',')}]`

/** Digest of the changes of an entry: SHA-256(salt ‖ JCS(changes)). */
export const digestOf = (salt: string, changes: readonly Change[] | null): string =>
  sha256(salt + (changes === null ? 'null' : canonicalChanges(changes)))

// Salts are drawn many at a time: a call for each entry of an import would be most of its work.
let salts = Buffer.alloc(0)
function freshSalt(): string {
  if (salts.length < 16) salts = randomBytes(16 * 256)
  const salt = salts.toString('hex', 0, 16)
  salts = salts.subarray(16)
  return salt
}

/** What the first entry of a chain follows from. */
export const genesisOf = (site_id: Id): string => sha256(genesisText(site_id))

const geometryDigest = (geometry: unknown) => ({ sha256: sha256(canonical(geometry)) })

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+00:00$/

/** Instants inside a row that PostgreSQL wrote as JSON, in the house's spelling. */
export function spelled(row: Record<string, unknown> | null): Record<string, unknown> | null {
  if (row === null) return null
  for (const [key, value] of Object.entries(row)) {
    if (typeof value === 'string' && TIMESTAMP.test(value)) row[key] = readInstant(value) ?? value
  }
  return row
}

/**
 * The end of every write: drafts become entries with words, events get their envelope, and one statement numbers and chains all of them while it
 * locks the site head. Null when the transaction wrote nothing.
 */
export async function seal(ctx: Ctx): Promise<{ text: string; values: unknown[] } | null> {
  const { trail } = ctx
  const sites = [...new Set([PLATFORM, ...trail.sites, ...trail.layers.keys(), ...trail.events.map(e => e.site_id)])]
  const drafts = await takeDrafts(ctx.db, sites)
  const nothing = [drafts, trail.events, trail.entries, trail.placed].every(list => list.length === 0) && trail.layers.size === 0
  if (nothing) return null
  const parts = new Map<Id, SealPart>()
  const part = (site: Id): SealPart =>
    remembered(parts, site, () => ({ site, genesis: genesisOf(site), entries: [], events: [], created: [], layers: [] }))
  const dates = new Map<Id, Promise<string>>()
  const zoneAt = async (site: Id) => (site === PLATFORM ? 'UTC' : ctx.site?.id === site ? ctx.site.timezone : zoneOf(ctx.db, site))
  const dateAt = (site: Id) => remembered(dates, site, async () => dateOn(await zoneAt(site), ctx.now))

  const told = new Set(trail.entries.map(entry => entry.entity_id))
  // An event names its subject as people know it (whose appointment, whose membership); the row itself has only ids.
  const called = new Map(trail.events.map(({ subject }) => [subject.id, subject.label]))
  let count = 0
  for (const folded of fold(drafts)) {
    if (++count % 50 === 0) await turn()
    const entry = entryOf(ctx, folded, told, called)
    if (folded.op === 'I')
      part(folded.site_id).created.push({ id: folded.record_id, kind: kindOfTable(folded.table_name)?.name ?? folded.table_name })
    if (entry !== null) part(folded.site_id).entries.push({ ...entry, work_date: await dateAt(folded.site_id) })
  }
  for (const extra of trail.entries) {
    const words = { type: extra.entity_type, id: extra.entity_id, label: extra.entity_label, parent: null }
    part(extra.site_id).entries.push({
      ...written(ctx, words, { ...extra.note, ...trail.notes.get(extra.entity_id) }, extra.changes ?? [], 'read'),
      work_date: await dateAt(extra.site_id),
    })
  }
  for (const event of trail.events) {
    part(event.site_id).events.push({
      id: ids.next(),
      kind: event.kind,
      actor_kind: ctx.actor.kind,
      actor_id: ctx.actor.id,
      actor_name: ctx.actor.name,
      actor_role: ctx.actor.standing?.role ?? null,
      subject_kind: event.subject.kind,
      subject_id: event.subject.id,
      subject_label: event.subject.label,
      contractor_ids: event.contractor_ids ?? [],
      place: event.place ?? null,
      work_date: await dateAt(event.site_id),
      payload: event.payload,
      request_id: ctx.request_id,
    })
  }
  if (trail.events.length > 0) ctx.afterwards(() => tellOfEvents(ctx.house))
  for (const { site_id, id, kind } of trail.placed) part(site_id).created.push({ id, kind })
  for (const [site, layers] of trail.layers) part(site).layers.push(...layers)
  const sorted = [...parts.values()].sort((a, b) => (a.site < b.site ? -1 : 1))
  return sorted.length === 0 ? null : sealAll(ctx, sorted)
}

const SEALED_AT_ONCE = 500

/**
 * One statement seals what a request wrote. What an import wrote is sealed in pieces, site after site, so that no single piece blocks the process
 * while it is written. The last piece is returned, to be sent with the commit.
 */
async function sealAll(ctx: Ctx, parts: readonly SealPart[]): Promise<{ text: string; values: unknown[] }> {
  if (parts.every(one => Math.max(one.entries.length, one.created.length) <= SEALED_AT_ONCE)) return sealStatement(parts, ctx.now)
  const pieces = parts.flatMap(one => {
    const count = Math.ceil(Math.max(one.entries.length, one.created.length) / SEALED_AT_ONCE) || 1
    return Array.from({ length: count }, (_, i) => {
      const [from, to] = [i * SEALED_AT_ONCE, (i + 1) * SEALED_AT_ONCE]
      const last = i === count - 1
      return {
        ...one,
        entries: one.entries.slice(from, to),
        created: one.created.slice(from, to),
        events: last ? one.events : [],
        layers: last ? one.layers : [],
      }
    })
  })
  for (const piece of pieces.slice(0, -1)) {
    const { text, values } = sealStatement([piece], ctx.now)
    await passThrough(ctx.db, text, values)
    await turn()
  }
  return sealStatement(pieces.slice(-1), ctx.now)
}

function entryOf(ctx: Ctx, folded: Draft, told: ReadonlySet<Id>, called: ReadonlyMap<Id, string>): Record<string, unknown> | null {
  const kind = kindOfTable(folded.table_name)
  const before = spelled(folded.before)
  const after = spelled(folded.after)
  const treat = kind ?? { secret: [], derived: [], geometry: [] }
  const changes = changesBetween(before, after, treat, geometryDigest)
  const note = { ...ctx.trail.default_note, ...ctx.trail.notes.get(folded.record_id) }
  // Nothing visible changed, or the room has described the change in its own words.
  if (changes.length === 0 && (note.action === undefined || told.has(folded.record_id))) return null
  const row = (after ?? before ?? { id: folded.record_id }) as AnyRow // the record trigger gives rows of the kind's table
  const parent = kind?.parent(row) ?? null
  const label = called.get(folded.record_id) ?? kind?.label(row) ?? folded.record_id
  const words = { type: kind?.name ?? folded.table_name, id: folded.record_id, label, parent }
  return written(ctx, words, note, changes, { I: 'create', U: 'update', D: 'delete' }[folded.op])
}

function written(
  ctx: Ctx,
  words: { type: string; id: Id; label: string; parent: { kind: string; id: Id } | null },
  note: Note,
  changes: Change[],
  fallback: string,
): Record<string, unknown> {
  const salt = freshSalt()
  const sealed = {
    actor_id: ctx.actor.id,
    action: note.action ?? fallback,
    entity_type: words.type,
    entity_id: words.id,
    request_id: ctx.request_id,
    changes_digest: digestOf(salt, changes),
  }
  return {
    ...sealed,
    ...halves(sealed),
    id: note.entry_id ?? ids.next(),
    actor_kind: ctx.actor.kind,
    actor_name: ctx.actor.name,
    acting_for: null,
    cause: ctx.trail.cause,
    entity_label: words.label.slice(0, 300),
    parent_type: words.parent?.kind ?? null,
    parent_id: words.parent?.id ?? null,
    changes,
    salt,
    reason: note.reason ?? null,
    batch_id: ctx.trail.batch_id,
    reverts_entry_id: note.reverts_entry_id ?? null,
  }
}

const PIECE = 2000

/** What a verification found: how many entries, where the chain ends, and the first fault. */
export type ChainReport = {
  site_id: Id
  entries: number
  head: { seq: number; hash: string } | null
  /** The last entry that was found good. */
  checked: { seq: number; hash: string }
  fault: ChainFault | null
}

/**
 * Walks a site's chain from its beginning (or after a known entry), to its head (or to `until`), and recomputes every digest and hash. Stops at
 * the first fault and names it; repairs nothing.
 */
export async function verifyChain(
  db: Db,
  site_id: Id,
  from: { seq: number; hash: string } | null = null,
  until: number | null = null,
): Promise<ChainReport> {
  let seq = from?.seq ?? 0
  let hash = from?.hash ?? genesisOf(site_id)
  let entries = 0
  const head = await headOf(db, site_id)
  const report = (fault: ChainFault | null): ChainReport => ({ site_id, entries, head, checked: { seq, hash }, fault })
  for (;;) {
    const rows = await chainAfter(db, site_id, seq, PIECE)
    for (const row of rows) {
      if (row.seq > (until ?? head?.seq ?? row.seq)) return report(null) // the requested rows are complete, or a row was written while we read
      const fault = faultOf(row, seq, hash)
      if (fault !== null) return report(fault)
      seq = row.seq
      hash = row.hash
      entries++
    }
    if (rows.length < PIECE) break
    await turn()
  }
  if (until !== null && seq >= until) return report(null)
  if (head === null ? seq > 0 : head.seq !== seq || head.hash !== hash) {
    return report({
      seq: (head?.seq ?? 0) > seq ? seq + 1 : seq,
      what: 'head',
      detail: `The chain ends at ${seq}, the site head says ${head?.seq ?? 'nothing'}.`,
    })
  }
  return report(null)
}

function faultOf(row: Awaited<ReturnType<typeof chainAfter>>[number], seq: number, hash: string): ChainFault | null {
  if (row.seq !== seq + 1) return { seq: seq + 1, what: 'missing', detail: `Entry ${seq + 1} is missing.` }
  if (row.prev_hash !== hash) return { seq: row.seq, what: 'link', detail: `Entry ${row.seq} doesn’t match the previous entry.` }
  if (row.salt !== null || row.changes_text !== null) {
    // All values in it, whatever its shape, so that a key that was put in is found, too.
    const digest = sha256((row.salt ?? '') + canonical(row.changes_text === null ? null : JSON.parse(row.changes_text)))
    if (digest !== row.changes_digest)
      return { seq: row.seq, what: 'digest', detail: `What entry ${row.seq} doesn’t match what was sealed.` }
  }
  const { head, tail } = halves(row)
  if (sha256(`${hash}${head}${row.at}${tail}${row.seq}}`) !== row.hash)
    return { seq: row.seq, what: 'hash', detail: `Entry ${row.seq} was altered.` }
  return null
}
