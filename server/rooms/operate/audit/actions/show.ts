import { setImmediate as turn } from 'node:timers/promises'
import { csvRow } from '../../../../../shared/csv.ts'
import { hashVersion } from '../../../../../shared/proof/algorithms.ts'
import { AUDIT_LOG_COLUMNS, type AuditLogSeal, auditLogSealText, auditLogStart } from '../../../../../shared/proof/audit-log.ts'
import { wordsText } from '../../../../../shared/proof/entry.ts'
import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { explain, invalidField, notFound, refuse } from '../../../../base/errors.ts'
import { digestBy, type Id, sha256 } from '../../../../base/ids.ts'
import { numberIn, PAGE, writeCursor } from '../../../../base/paging.ts'
import { lockOn } from '../../../../kernel/access/domain.ts'
import { canonical, genesisOf, hashAt, headOf, verifyChain } from '../../../../kernel/audit/door.ts'
import { asKnown, withPersonData } from '../../../../kernel/person-data/door.ts'
import { allKinds, type Kind, kindNamed } from '../../../../kernel/records/door.ts'
import type { Signer } from '../../../../kernel/statements/door.ts'
import { type Effect, effectOf, readHead, reverting } from '../domain.ts'
import { type BatchPart, type EntryRow, entriesOn, entryById, lastBefore, type Narrowed, revertsOf } from '../queries/entries.ts'
import type { EntityQuery, SiteQuery } from '../schema.ts'
import { actorNames, type Sight, sightKeeper, sights } from './seeing.ts'

const OLD_MS = 30 * 24 * 3600 * 1000

/** Returns what an entry did; for a revert, the opposite of what the reverted entry did. */
export async function effectOfEntry(ctx: Ctx, entry: Pick<EntryRow, 'action' | 'reverts_entry_id'>): Promise<Effect | null> {
  if (entry.action !== 'revert' || entry.reverts_entry_id === null) return effectOf(entry.action, null)
  const first = await entryById(ctx.db, entry.reverts_entry_id)
  return effectOf('revert', first === null ? null : await effectOfEntry(ctx, first))
}

/** An entry that may be reverted: as it is stored, or a part of a batch, which has only the paths of its changes. */
type Revertible = EntryRow | BatchPart

/** Returns the permission that reverting such a change needs; null when the record's room offers no revert. */
export const neededFor = (kind: Kind | undefined, effect: Effect | null): string | null =>
  kind === undefined || effect === null
    ? null
    : ({ update: kind.undo.fields, create: kind.undo.create, delete: kind.undo.delete }[effect]?.needs ?? null)

/** Returns the fields of an entry whose values can be restored: the log has the values, and if they are person data, can still decrypt them. */
async function valuesIn(ctx: Ctx, kind: Kind | undefined, entry: Revertible): Promise<string[] | null> {
  const fixed = new Set([...(kind?.secret ?? []), ...(kind?.geometry ?? [])])
  const all = 'paths' in entry ? entry.paths : (entry.changes?.map(change => change.path) ?? null)
  const paths = all?.filter(path => !fixed.has(path)) ?? null
  // Only if nothing else was changed does it matter whether the person data can be read.
  if (paths === null || paths.length === 0 || !paths.every(path => kind?.personal.includes(path))) return paths
  const whole = 'paths' in entry ? await entryById(ctx.db, entry.id) : entry
  const known = whole === null ? null : await asKnown(ctx, whole)
  return (known?.changes ?? []).map(change => change.path).filter(path => !fixed.has(path))
}

/** Returns every reason against reverting an entry that can be known without its record. */
export async function verdictsOn(ctx: Ctx, entry: Revertible, reverted_by: Id | null) {
  const kind = kindNamed(entry.entity_type)
  const effect = await effectOfEntry(ctx, entry)
  const verdicts = reverting({
    action: entry.action,
    effect,
    revert: kind?.revert ?? 'ledger',
    needs: neededFor(kind, effect),
    reverted_by,
    old: ms(ctx.now) - ms(entry.at) > OLD_MS,
    values: await valuesIn(ctx, kind, entry),
    lacks: permission => ctx.actor.lacks(permission),
  })
  return [...verdicts, lockOn(ctx.actor)]
}

type Shown = ReturnType<typeof shown>
type NameOf = Awaited<ReturnType<typeof actorNames>>

function shown(entry: EntryRow, sight: Sight, reverted_by: Id | null, nameOf: NameOf) {
  const { site_id, actor_kind, actor_id, actor_name, parent_type, parent_id, changes, salt, v, quiet, words_salt, words_digest, ...rest } =
    entry
  const name = nameOf({ id: actor_id, name: actor_name })
  const hide = (value: unknown) => (value === null ? null : '[hidden]')
  return {
    ...rest,
    site_id,
    actor: { kind: actor_kind, id: actor_id, name },
    parent: parent_type === null || parent_id === null ? null : { type: parent_type, id: parent_id },
    changes: changes?.map(c => (sight.hidden.has(c.path) ? { path: c.path, before: hide(c.before), after: hide(c.after) } : c)) ?? null,
    redacted: changes === null && salt === null,
    reverted_by_entry_id: reverted_by,
    hash_version: v,
    words_digest: words_salt === null ? words_digest : digestBy(hashVersion(v) ?? 2, words_salt + wordsText(entry)),
    // The salts prove the changes and names, for callers who see all of them: a hidden change could be guessed with them. They are not in the JSON response.
    salt: changes?.some(c => sight.hidden.has(c.path)) ? null : salt,
    // With the salt, a name that is hidden could be guessed; the digest proves it all the same.
    words_salt: name === actor_name ? words_salt : null,
    quiet,
  }
}

/** Returns an entry without the fields that only a file contains. */
export const inJson = ({ salt: _salt, words_salt: _words_salt, quiet: _quiet, ...row }: Record<string, unknown>) => row

/** Lists the history of a record, newest first, also of a deleted one. If the caller can't see the record, the list is empty. */
export async function historyOf(
  ctx: Ctx,
  thing: { site_id: Id; id: Id; kind: string },
  type: string,
  query: EntityQuery,
): Promise<{ rows: unknown[]; next: string | null }> {
  if (kindNamed(type) === undefined) {
    const known = allKinds()
      .map(kind => kind.name)
      .sort()
    refuse(invalidField('entity_type', `${type} isn’t a kind of record. The kinds are ${known.join(', ')}.`))
  }
  if (thing.kind !== type) refuse(notFound())
  const limit = query.limit ?? PAGE
  const before = numberIn(query.cursor)
  const found = await entriesOn(
    ctx.db,
    thing.site_id,
    { id: query.id, entity_id: [thing.id], ...(before === undefined ? {} : { below: before }) },
    limit + 1,
  )
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const sight = (await sights(ctx, [{ ...thing, entity_type: type, entity_id: thing.id }])).get(thing.id)
  if (sight === undefined) return refuse(notFound())
  const reverted = await revertsOf(
    ctx.db,
    thing.site_id,
    rows.map(row => row.id),
  )
  const answers: unknown[] = []
  const read = await withPersonData(ctx, rows)
  const nameOf = await actorNames(ctx, thing.site_id)
  for (const [i, row] of rows.entries()) {
    const by = reverted.get(row.id) ?? null
    answers.push({ ...inJson(shown(read[i] ?? row, sight, by, nameOf)), revertible: explain(await verdictsOn(ctx, row, by)) })
  }
  return { rows: answers, next: found.length > limit && last !== undefined ? writeCursor([last.seq]) : null }
}

/** Turns the filter of a list into that of the queries; times become positions in the chain. */
export async function narrowedBy(
  ctx: Ctx,
  site_id: Id,
  query: Omit<SiteQuery, 'format' | 'verify' | 'head' | 'cursor' | 'limit'>,
  below: number | undefined,
): Promise<Narrowed> {
  const { from, to, ...rest } = query
  if (from !== undefined && to !== undefined && from >= to) refuse(invalidField('to', 'must be later than from.'))
  const upper = to === undefined ? undefined : (await lastBefore(ctx.db, site_id, to)) + 1
  const beneath = [below, upper].filter(n => n !== undefined)
  return {
    ...rest,
    above: from === undefined ? undefined : await lastBefore(ctx.db, site_id, from),
    below: beneath.length === 0 ? undefined : Math.min(...beneath),
  }
}

const CSV_ROWS = 50_000
/** Most entries of a page, as of every other list (`conventions.md` §1); a file isn't a page. */
const PAGE_AT_MOST = 1000
const PIECE = 500

/**
 * Lists the entries of a site that the caller can see, newest first. Reads page by page until there are enough. `as_stored`: person data stays encrypted, so that
 * the digests of the entries fit.
 */
async function visibleEntries(
  ctx: Ctx,
  site_id: Id,
  filter: Narrowed,
  limit: number,
  as_stored: boolean,
): Promise<{ rows: Shown[]; read: EntryRow[]; more: boolean }> {
  const see = sightKeeper(ctx)
  const nameOf = await actorNames(ctx, site_id)
  const rows: Shown[] = []
  const read: EntryRow[] = []
  let below = filter.below
  for (;;) {
    const size = Math.min(PIECE, limit - rows.length + 1)
    const piece = await entriesOn(ctx.db, site_id, { ...filter, below }, size)
    const seen = await see(piece)
    const reverted = await revertsOf(
      ctx.db,
      site_id,
      piece.map(entry => entry.id),
    )
    for (const entry of as_stored ? piece : await withPersonData(ctx, piece)) {
      const sight = seen.get(entry.entity_id)
      if (sight != null) {
        if (rows.length === limit) return { rows, read, more: true }
        rows.push(shown(entry, sight, reverted.get(entry.id) ?? null, nameOf))
      }
      read.push(entry)
    }
    const last = piece.at(-1)
    if (last === undefined || piece.length < size) return { rows, read, more: false }
    below = last.seq
  }
}

/** Lists a site's audit log. */
export async function listAuditLog(
  ctx: Ctx,
  site_id: Id,
  query: SiteQuery,
): Promise<{
  rows: Shown[]
  next: string | null
  headers: Record<string, string>
  coverage: Pick<AuditLogSeal, 'unbroken' | 'head'>
}> {
  const { format, verify, head, cursor, limit = format === 'csv' ? CSV_ROWS : PAGE, ...wanted } = query
  if (format !== 'csv' && limit > PAGE_AT_MOST)
    refuse(invalidField('limit', `must be ${PAGE_AT_MOST} or less; only a CSV file can have more. Read the next page with cursor.`))
  const before = numberIn(cursor)
  // A file proves the chain, so it has every entry of it.
  const filter = { ...(await narrowedBy(ctx, site_id, wanted, before)), quiet: format === 'csv' }
  const { rows, read, more } = await visibleEntries(ctx, site_id, filter, limit, format === 'csv')
  const now = await headOf(ctx.db, site_id)
  const said = [
    ...(verify === true ? [await chainOver(ctx, site_id, read)] : []),
    ...(head === undefined ? [] : [await holds(ctx, site_id, head)]),
  ]
  return {
    rows,
    // Whether the page has every entry from the newest down: there was no filter, and nothing was hidden from the caller.
    coverage: {
      unbroken: Object.values(wanted).every(value => value === undefined) && before === undefined && read.length === rows.length,
      head: now,
    },
    next: more ? writeCursor([read.at(-1)?.seq ?? 0]) : null,
    headers: {
      'x-chain-head': now === null ? '0;' : `${now.seq};${now.hash}`,
      ...(said.length === 0 ? {} : { 'x-chain': said.join(', ') }),
    },
  }
}

/** Verifies the entries of a page, and the link to the entry before it. */
async function chainOver(ctx: Ctx, site_id: Id, read: readonly EntryRow[]): Promise<string> {
  const top = read[0]?.seq
  const bottom = read.at(-1)?.seq
  if (top === undefined || bottom === undefined) return 'ok'
  const hash = bottom === 1 ? genesisOf(site_id) : await hashAt(ctx.db, site_id, bottom - 1)
  if (hash === null) return `broken;seq=${bottom - 1}`
  const { fault } = await verifyChain(ctx.db, site_id, { seq: bottom - 1, hash }, top)
  return fault === null ? 'ok' : `broken;seq=${fault.seq}`
}

/** Returns `holds` if the chain still contains a head that was recorded elsewhere, otherwise `differs`. */
async function holds(ctx: Ctx, site_id: Id, text: string): Promise<string> {
  const noted = readHead(text)
  if (noted === null) return refuse(invalidField('head', 'must have the form 4711;<64 hex digits>, as in X-Chain-Head.'))
  const hash = noted.seq === 0 ? genesisOf(site_id) : await hashAt(ctx.db, site_id, noted.seq)
  return hash === noted.hash ? 'holds' : 'differs'
}

/** Returns the entries as CSV: each row has the running digest of the rows above it, and the last row contains the site's signature of the file. */
export async function auditLogCsv(
  site_id: Id,
  rows: readonly Shown[],
  coverage: Pick<AuditLogSeal, 'unbroken' | 'head'>,
  signer: Signer | null,
): Promise<string> {
  const lines = [csvRow(AUDIT_LOG_COLUMNS)]
  let row_digest = sha256(auditLogStart(site_id))
  for (const [i, row] of rows.entries()) {
    if (i % 500 === 499) await turn()
    const { actor, parent } = row
    const cells = AUDIT_LOG_COLUMNS.slice(0, -1).map(name => {
      if (name === 'actor') return actor.name
      if (name === 'actor_id') return actor.id
      if (name === 'actor_kind') return actor.kind
      if (name === 'parent_type') return parent?.type ?? null
      if (name === 'parent_id') return parent?.id ?? null
      if (name === 'quiet') return String(row.quiet)
      return name === 'changes' ? JSON.stringify(row.changes) : name === 'row_digest' ? null : row[name]
    })
    const text = csvRow(cells)
    row_digest = sha256(`${row_digest}\n${text}`)
    lines.push(`${text},${row_digest}`)
  }
  const unsigned: AuditLogSeal = { site_id, entries: rows.length, ...coverage, row_digest, kid: signer?.kid ?? null, signature: null }
  const seal: AuditLogSeal = { ...unsigned, signature: signer?.sign(auditLogSealText(unsigned)) ?? null }
  lines.push(csvRow(AUDIT_LOG_COLUMNS.map(name => (name === 'action' ? 'seal' : name === 'changes' ? canonical(seal) : null))))
  return `\ufeff${lines.map(line => `${line}\r\n`).join('')}`
}

/** Records an export of the audit log in the audit log itself. */
export function noteReading(ctx: Ctx, site_id: Id, entries: number): void {
  ctx.trail.entries.push({
    site_id,
    entity_type: 'site',
    entity_id: site_id,
    entity_label: ctx.site?.name ?? 'Platform',
    note: { action: 'read', reason: `Audit log as CSV, ${entries === 1 ? '1 entry' : `${entries} entries`}` },
  })
}
