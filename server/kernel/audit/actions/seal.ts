import { setImmediate as turn } from 'node:timers/promises'
import type { HashVersion } from '../../../../shared/proof/algorithms.ts'
import { factsText, wordsText } from '../../../../shared/proof/entry.ts'
import { dateOn, readInstant } from '../../../../shared/time.ts'
import type { Ctx, Note } from '../../../base/ctx.ts'
import { type Db, passThrough } from '../../../base/db.ts'
import { digestBy, type Id, ids, PLATFORM } from '../../../base/ids.ts'
import { remembered } from '../../../base/memo.ts'
import { rowsWritten } from '../../../base/written.ts'
import { tellOfEvents } from '../../events/door.ts'
import { type Encipher, encipherer } from '../../person-data/door.ts'
import { type AnyRow, type Kind, kindOfTable } from '../../records/door.ts'
import { type Change, changesBetween, type Draft, eventText, fold, type NewEntry, stateColumns, stateText } from '../domain.ts'
import { draftsAfter, dropDrafts, type SealPart, sealStatement, takeDrafts, zoneOf } from '../queries.ts'
import { digestOf, freshSalt, genesisOf, geometryDigest, versionNow } from './digests.ts'

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+00:00$/

const SHORTEST = '2026-03-29T00:30:00+00:00'.length

// The rows of an import have the same few instants again and again.
const instants = new Map<string, string>()
function spelledInstant(text: string): string {
  if (instants.size > 5000) instants.clear()
  return remembered(instants, text, () => readInstant(text) ?? text)
}

/** Converts the instants in a row that PostgreSQL wrote as JSON to our format. */
export function spelled(row: Record<string, unknown> | null): Record<string, unknown> | null {
  if (row === null) return null
  for (const [key, value] of Object.entries(row)) {
    if (typeof value === 'string' && value.length >= SHORTEST && TIMESTAMP.test(value)) row[key] = spelledInstant(value)
  }
  return row
}

/**
 * Ends every write: turns drafts into entries with labels, gives events their envelope, and prepares the statement that numbers and chains all of them
 * while it locks the site head. Returns null if the transaction wrote nothing.
 */
export async function seal(ctx: Ctx): Promise<{ text: string; values: unknown[] } | null> {
  const { trail } = ctx
  const sites = [...new Set([PLATFORM, ...trail.sites, ...trail.layers.keys(), ...trail.events.map(e => e.site_id)])]
  const many = rowsWritten(ctx.db) > DRAFTS_AT_ONCE
  const pieces = draftsOf(ctx.db, sites, many)
  const { value: first = [] } = await pieces.next()
  const nothing = [first, trail.events, trail.entries, trail.placed].every(list => list.length === 0) && trail.layers.size === 0
  if (nothing) return null
  const parts = new Map<Id, SealPart>()
  const part = (site: Id): SealPart =>
    remembered(parts, site, () => ({
      site,
      v: versionNow(ctx),
      genesis: genesisOf(site),
      entries: [],
      events: [],
      created: [],
      layers: [],
    }))
  const dates = new Map<Id, Promise<string>>()
  const zoneAt = async (site: Id) => (site === PLATFORM ? 'UTC' : ctx.site?.id === site ? ctx.site.timezone : zoneOf(ctx.db, site))
  const dateAt = (site: Id) => remembered(dates, site, async () => dateOn(await zoneAt(site), ctx.now))

  const told = new Set(trail.entries.map(entry => entry.entity_id))
  // An event describes its subject in a way that people recognise (whose appointment, whose membership); the row itself has only ids.
  const called = new Map(trail.events.map(({ subject }) => [subject.id, subject.label]))
  const only = onlySite(first, trail, many ? sites : [])
  let sending: Promise<unknown> = Promise.resolve()
  let count = 0
  let moved = false
  for (let drafts: Draft[] | undefined = first; drafts !== undefined; drafts = (await pieces.next()).value) {
    const all = fold(drafts)
    const encipher = await encipherer(ctx, all)
    for (const folded of all) {
      if (++count % 50 === 0) await turn()
      moved ||= movesCaller(ctx, folded)
      const entry = entryOf(ctx, folded, encipher, told, called)
      if (folded.op === 'I')
        part(folded.site_id).created.push({ id: folded.record_id, kind: kindOfTable(folded.table_name)?.name ?? folded.table_name })
      if (entry !== null) part(folded.site_id).entries.push(numbered(ctx, entry, folded.site_id, await dateAt(folded.site_id)))
      const full = only === null ? undefined : parts.get(only)
      if (full !== undefined && full.entries.length > SEALED_AT_ONCE) {
        // Entries that follow are made while the database seals these. One is kept for the last piece, because the last entry refers to the events.
        const piece = { ...full, entries: full.entries.splice(0, SEALED_AT_ONCE), created: full.created.splice(0) }
        await sending
        const { text, values } = sealStatement([piece], ctx.now)
        sending = passThrough(ctx.db, text, values)
        sending.catch(() => {}) // it is awaited before the next piece
      }
    }
  }
  await sending
  for (const extra of trail.entries) {
    const words = { type: extra.entity_type, id: extra.entity_id, label: extra.entity_label, parent: null }
    const note = { ...extra.note, ...trail.notes.get(extra.entity_id) }
    const entry = written(ctx, words, note, extra.changes ?? [], 'read', null)
    part(extra.site_id).entries.push(numbered(ctx, entry, extra.site_id, await dateAt(extra.site_id)))
  }
  for (const event of trail.events) {
    const salt = freshSalt()
    const said = {
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
    }
    part(event.site_id).events.push({ ...said, salt, digest: digestBy(versionNow(ctx), salt + eventText(said)) })
  }
  if (trail.events.length > 0) ctx.afterwards(() => tellOfEvents(ctx.house))
  for (const { site_id, id, kind } of trail.placed) part(site_id).created.push({ id, kind })
  for (const [site, layers] of trail.layers) part(site).layers.push(...layers)
  const sorted = [...parts.values()].sort((a, b) => (a.site < b.site ? -1 : 1))
  const last = sorted.at(-1)
  if (last === undefined) return null
  const { id, is_superadmin, standing } = ctx.actor
  // Every head is locked when the last part is sealed. People who change their own membership decide on what it was.
  if (id !== null && standing !== null && !moved && parts.has(standing.site_id))
    last.person = { id, is_superadmin, site_id: standing.site_id, role: standing.role, contractor_id: standing.contractor_id }
  return sealAll(ctx, sorted)
}

/** Returns whether a draft changes the membership of the person who writes. */
const movesCaller = ({ actor }: Ctx, { table_name, before, after }: Draft): boolean =>
  table_name === 'membership' && actor.id !== null && (after ?? before)?.user_id === actor.id

// Drafts in one piece: reading them takes a few milliseconds, and they are garbage before the next but one is read.
const DRAFTS_AT_ONCE = 500

/**
 * Takes the drafts of a transaction. Those of an import are read in pieces, each with all drafts of its records, in the order of their sites: together they would
 * fill the memory, and a garbage collection would stop the process for too long.
 */
async function* draftsOf(db: Db, sites: readonly Id[], many: boolean): AsyncGenerator<Draft[], undefined> {
  if (!many) {
    yield await takeDrafts(db, sites)
    return
  }
  const read = (after: Draft | null) => draftsAfter(db, sites, after, DRAFTS_AT_ONCE)
  let unfinished: Draft[] = []
  let piece = await read(null)
  for (let last = piece.at(-1); last !== undefined; last = piece.at(-1)) {
    const { site_id, record_id } = last
    // The next piece is read while the entries of this one are made.
    const next = read(last)
    next.catch(() => {}) // it is awaited below
    const all = [...unfinished, ...piece]
    const end = all.findIndex(draft => draft.site_id === site_id && draft.record_id === record_id)
    if (end > 0) yield all.slice(0, end)
    unfinished = all.slice(end)
    piece = await next
  }
  yield unfinished
  await dropDrafts(db, sites)
}

/**
 * Returns the site of everything that is sealed, if it is a single one: its pieces can be sealed as they are made. Heads of several are locked in order. Of the
 * sites that drafts can have after the first piece, only those matter whose ids follow.
 */
function onlySite(first: readonly Draft[], trail: Ctx['trail'], later: readonly Id[]): Id | null {
  const sites = new Set([
    ...first.map(draft => draft.site_id),
    ...[...trail.events, ...trail.entries, ...trail.placed].map(one => one.site_id),
    ...trail.layers.keys(),
  ])
  const [only] = sites
  if (sites.size !== 1 || only === undefined) return null
  return later.some(site => site > only) ? null : only
}

const SEALED_AT_ONCE = 500

/**
 * Seals what a request wrote in one statement. An import is sealed in pieces, site by site, so that no single piece blocks the process for long. The
 * last piece is returned, to be sent with the commit.
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

type Treated = Pick<Kind, 'secret' | 'derived' | 'geometry'>
const PLAIN: Treated = { secret: [], derived: [], geometry: [] }

const columnsOf = new Map<Treated, readonly string[]>()
const hiddenColumns = (treat: Treated) => remembered(columnsOf, treat, () => stateColumns(treat))

/** Returns the digest of the columns of a row that the audit log does not show in full. */
export const stateDigest = (v: HashVersion, salt: string, row: Record<string, unknown>, kind: Treated | undefined): string =>
  digestBy(v, salt + stateText(row, hiddenColumns(kind ?? PLAIN)))

function entryOf(ctx: Ctx, folded: Draft, encipher: Encipher, told: ReadonlySet<Id>, called: ReadonlyMap<Id, string>): Unnumbered | null {
  const kind = kindOfTable(folded.table_name)
  const before = spelled(folded.before)
  const after = spelled(folded.after)
  const changes = encipher(folded, changesBetween(before, after, kind ?? PLAIN, geometryDigest))
  const note = { ...ctx.trail.default_note, ...ctx.trail.notes.get(folded.record_id) }
  const row: AnyRow = { ...(after ?? before), id: folded.record_id }
  const parent = kind?.parent(row) ?? null
  const label = note.label ?? called.get(folded.record_id) ?? kind?.label(row) ?? folded.record_id
  const words = { type: kind?.name ?? folded.table_name, id: folded.record_id, label, parent }
  const fallback = ({ I: 'create', U: 'update', D: 'delete' } as const)[folded.op]
  const state = after === null ? null : { row: after, kind }
  // Nothing visible changed, or the room has described the change itself; the row's stamps changed all the same.
  const quiet = changes.length === 0 && (note.action === undefined || told.has(folded.record_id))
  return quiet ? written(ctx, words, {}, [], 'update', state, true) : written(ctx, words, note, changes, fallback, state)
}

type Unnumbered = Omit<NewEntry, 'work_date' | 'facts'> & { words_digest: string }

/** Completes the entry with the digest of its facts, once its chain and its day are known. */
function numbered(ctx: Ctx, { words_digest, ...entry }: Unnumbered, site_id: Id, work_date: string): NewEntry {
  return { ...entry, work_date, facts: digestBy(versionNow(ctx), factsText({ ...entry, words_digest, site_id, work_date })) }
}

function written(
  ctx: Ctx,
  words: { type: string; id: Id; label: string; parent: { kind: string; id: Id } | null },
  note: Note,
  changes: Change[],
  fallback: string,
  state: { row: Record<string, unknown>; kind: Kind | undefined } | null,
  quiet = false,
): Unnumbered {
  const v = versionNow(ctx)
  const salt = freshSalt()
  const words_salt = freshSalt()
  const said = { actor_name: ctx.actor.name, entity_label: words.label.slice(0, 300), reason: note.reason ?? null }
  return {
    ...said,
    id: note.entry_id ?? ids.next(),
    actor_id: ctx.actor.id,
    actor_kind: ctx.actor.kind,
    acting_for: null,
    action: note.action ?? fallback,
    cause: ctx.trail.cause,
    entity_type: words.type,
    entity_id: words.id,
    parent_type: words.parent?.kind ?? null,
    parent_id: words.parent?.id ?? null,
    request_id: ctx.request_id,
    batch_id: ctx.trail.batch_id,
    reverts_entry_id: note.reverts_entry_id ?? null,
    quiet,
    changes,
    salt,
    changes_digest: digestOf(v, salt, changes),
    state_digest: state === null ? null : stateDigest(v, salt, state.row, state.kind),
    words_salt,
    words_digest: digestBy(v, words_salt + wordsText(said)),
  }
}
