// Verifies an exported audit log (CSV): each row by its own digest, each entry by its hash, the whole file by the signature in its last row.
import { fieldsIn } from '../narrow.ts'
import { digestBy, type HashVersion, hashVersion } from './algorithms.ts'
import { canonicalJson, digestOf } from './canonical.ts'
import { plainCell } from './cell.ts'
import type { Flaw } from './chain.ts'
import { factsText, linkText, wordsText } from './entry.ts'
import { bytesOf64, type Doubt, type PublicKey, signedBy } from './statement.ts'

/** Columns of files from before hash version 2; the last is the running digest of the rows. */
export const AUDIT_LOG_COLUMNS_BEFORE = [
  'seq',
  'at',
  'work_date',
  'actor',
  'actor_id',
  'action',
  'cause',
  'entity_type',
  'entity_label',
  'entity_id',
  'changes',
  'reason',
  'request_id',
  'batch_id',
  'salt',
  'changes_digest',
  'prev_hash',
  'hash',
  'row_digest',
] as const

/** Columns of the file. */
export const AUDIT_LOG_COLUMNS = [
  ...AUDIT_LOG_COLUMNS_BEFORE.slice(0, -1),
  'hash_version',
  'id',
  'actor_kind',
  'acting_for',
  'parent_type',
  'parent_id',
  'reverts_entry_id',
  'quiet',
  'state_digest',
  'words_salt',
  'words_digest',
  'events',
  'row_digest',
] as const

/** What the column `changes` of the last row contains: how many rows are above it, signed by the site. */
export type AuditLogSeal = {
  site_id: string
  entries: number
  /** Nothing was filtered out: every entry from the first row to the last is in the file. */
  unbroken: boolean
  head: { seq: number; hash: string } | null
  row_digest: string
  kid: string | null
  signature: string | null
}

/** Running digest before the first row. */
export const auditLogStart = (site_id: string): string => `walkdown audit trail of ${site_id}`
/** Returns the text that the signature of an exported audit log covers. */
export const auditLogSealText = ({ kid: _kid, signature: _signature, ...said }: AuditLogSeal): string =>
  `walkdown audit trail ${canonicalJson(said)}`

/** A record of a CSV file: its cells, and its text without the line end. */
export type CsvRecord = { cells: string[]; raw: string }

/** Parses CSV (RFC 4180). Throws where a quoted cell never ends. */
export function readCsv(text: string): CsvRecord[] {
  const source = text.replace(/^\ufeff/, '')
  const records: CsvRecord[] = []
  let cells: string[] = []
  let cell = ''
  let from = 0
  let quoted = false
  for (let at = 0; at <= source.length; at++) {
    const sign = source[at]
    if (quoted) {
      if (sign === undefined) throw new Error('A quoted cell has no closing quote.')
      if (sign !== '"') cell += sign
      else if (source[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
      continue
    }
    if (sign === '"' && cell === '') quoted = true
    else if (sign === ',') {
      cells.push(cell)
      cell = ''
    } else if (sign === undefined || sign === '\n' || (sign === '\r' && source[at + 1] === '\n')) {
      if (sign !== undefined || cell !== '' || cells.length > 0) records.push({ cells: [...cells, cell], raw: source.slice(from, at) })
      cells = []
      cell = ''
      if (sign === '\r') at++
      from = at + 1
    } else cell += sign
  }
  return records
}

/** The result of verifying an exported audit log. */
export type CheckedAuditLog = { site_id: string | null; entries: number; flaws: Flaw[]; doubt: Doubt | null; head: AuditLogSeal['head'] }

/** Returns the text of a row without its last cell, which is its digest: a digest needs no quotes. */
const withoutDigest = (raw: string) => raw.slice(0, raw.lastIndexOf(','))

type Column = (typeof AUDIT_LOG_COLUMNS)[number]
type Cell = (name: Column) => string

const orNone = (cell: string) => (cell === '' ? null : cell)

/** Returns the texts that a cell can stand for: CSV has no null, and a quote keeps a spreadsheet from calculating. */
const readings = (cell: string): string[] => [...new Set([plainCell(cell), cell])]

/** Returns the version of the hash of an entry; null if this program doesn't know it. Files without the column have version 1. */
const versionOf = (cell: Cell): HashVersion | null => (cell('hash_version') === '' ? 1 : hashVersion(Number(cell('hash_version'))))

/** Returns whether an entry has the hash of what its row says. */
async function hashed(cell: Cell, seq: number, site_id: string | null): Promise<boolean> {
  const v = versionOf(cell)
  if (v === null) return false
  if (v === 1) {
    const [action, actor_id, at, changes_digest] = [cell('action'), orNone(cell('actor_id')), cell('at'), cell('changes_digest')]
    const [entity_id, entity_type, request_id] = [cell('entity_id'), cell('entity_type'), plainCell(cell('request_id'))]
    const old = { action, actor_id, at, changes_digest, entity_id, entity_type, request_id, seq }
    return (await digestOf(cell('prev_hash') + canonicalJson(old))) === cell('hash')
  }
  const words_digest = await wordsDigest(cell, v)
  if (words_digest === null || site_id === null) return site_id === null
  const facts = await digestBy(
    v,
    factsText({
      acting_for: orNone(cell('acting_for')),
      action: cell('action'),
      actor_id: orNone(cell('actor_id')),
      actor_kind: cell('actor_kind'),
      batch_id: cell('batch_id'),
      cause: cell('cause'),
      changes_digest: cell('changes_digest'),
      entity_id: cell('entity_id'),
      entity_type: cell('entity_type'),
      id: cell('id'),
      parent_id: orNone(cell('parent_id')),
      parent_type: orNone(cell('parent_type')),
      quiet: cell('quiet') === 'true',
      request_id: plainCell(cell('request_id')),
      reverts_entry_id: orNone(cell('reverts_entry_id')),
      site_id,
      state_digest: orNone(cell('state_digest')),
      words_digest,
      work_date: cell('work_date'),
    }),
  )
  const link = linkText({ at: cell('at'), events: orNone(cell('events')), facts, seq, v })
  return (await digestBy(v, cell('prev_hash') + link)) === cell('hash')
}

/** Returns the digest of an entry's words; null if the words in the row have another digest. Erased words have a digest and no salt. */
async function wordsDigest(cell: Cell, v: HashVersion): Promise<string | null> {
  const told = cell('words_digest')
  if (cell('words_salt') === '') return told
  const reasons = cell('reason') === '' ? [null, ''] : readings(cell('reason'))
  for (const actor_name of readings(cell('actor')))
    for (const entity_label of readings(cell('entity_label')))
      for (const reason of reasons)
        if ((await digestBy(v, cell('words_salt') + wordsText({ actor_name, entity_label, reason }))) === told) return told
  return null
}

/**
 * Verifies an exported audit log and lists the entries that were altered. `keys` are the site's, from another source; when null, the result only proves that
 * the file is complete, not which site it comes from.
 */
export async function checkAuditLog(text: string, keys: readonly PublicKey[] | null): Promise<CheckedAuditLog> {
  const flaws: Flaw[] = []
  const flaw = (where: string, what: string, detail: string) => flaws.push({ where, what, detail })
  const nothing = (detail: string): CheckedAuditLog => ({
    site_id: null,
    entries: 0,
    flaws: [{ where: 'file', what: 'unreadable', detail }],
    doubt: null,
    head: null,
  })
  let records: CsvRecord[]
  try {
    records = readCsv(text)
  } catch {
    return nothing('The file ends in the middle of a row.')
  }
  if (`\ufeff${records.map(record => `${record.raw}\r\n`).join('')}` !== text)
    flaw('file', 'shape', 'The file was saved by another program: its line endings or first bytes differ from those of an export.')
  const [header, ...rows] = records
  const columns: readonly Column[] | undefined = [AUDIT_LOG_COLUMNS, AUDIT_LOG_COLUMNS_BEFORE].find(
    known => known.join() === header?.cells.join(),
  )
  if (columns === undefined) return nothing('The first row doesn’t have the columns of an audit log.')
  const last = rows.at(-1)
  const seal = last === undefined ? null : sealIn(last, columns)
  if (seal === null) flaw('end', 'missing', 'The last row, which contains the signature of the file, is missing or was altered.')
  else rows.pop()
  let running = seal === null ? null : await digestOf(auditLogStart(seal.site_id))
  let below: { seq: number; prev_hash: string } | null = null
  for (const [i, row] of rows.entries()) {
    const cell: Cell = name => row.cells[columns.indexOf(name)] ?? ''
    const where = `entry ${cell('seq') || `in row ${i + 2}`}`
    const stated = cell('row_digest')
    const digest = running === null ? null : await digestOf(`${running}\n${withoutDigest(row.raw)}`)
    if (row.cells.length !== columns.length) flaw(where, 'shape', `Row ${i + 2} has ${row.cells.length} cells, not ${columns.length}.`)
    else if (digest !== null && digest !== stated)
      flaw(where, 'altered', `Row ${i + 2} (entry ${cell('seq')}) was altered, or rows directly above it were removed, added or moved.`)
    running = running === null ? null : stated
    const seq = Number(cell('seq'))
    const named = flaws.some(f => f.where === where)
    if (!named && !(await hashed(cell, seq, seal?.site_id ?? null))) flaw(where, 'hash', `Entry ${cell('seq')} was altered.`)
    else if (
      !named &&
      cell('salt') !== '' &&
      (await digestBy(versionOf(cell) ?? 1, cell('salt') + canonicalJson(parsed(cell('changes'))))) !== cell('changes_digest')
    )
      flaw(where, 'digest', `The changes of entry ${cell('seq')} don’t match its hash.`)
    if (below !== null && seal !== null) {
      const follows = below.seq === seq + 1
      if (follows && below.prev_hash !== cell('hash')) flaw(where, 'link', `Entry ${below.seq} doesn’t match entry ${seq}.`)
      if (!follows && (seal.unbroken || below.seq <= seq))
        flaw(`entry ${below.seq - 1}`, 'missing', `Entry ${below.seq - 1} is missing or out of order.`)
    }
    below = { seq, prev_hash: cell('prev_hash') }
  }
  if (seal === null) return { site_id: null, entries: rows.length, flaws, doubt: null, head: null }
  if (rows.length !== seal.entries)
    flaw(
      'end',
      'count',
      `The file was signed with ${seal.entries === 1 ? '1 entry' : `${seal.entries} entries`} but contains ${rows.length}.`,
    )
  const newest = rows[0]?.cells
  if (
    seal.unbroken &&
    seal.head !== null &&
    newest !== undefined &&
    (Number(newest[0]) !== seal.head.seq || newest[columns.indexOf('hash')] !== seal.head.hash)
  )
    flaw(`entry ${seal.head.seq}`, 'missing', `The newest entry, ${seal.head.seq}, is missing or was altered.`)
  if (running !== seal.row_digest) flaw('seal', 'altered', 'The rows differ from those that were signed.')
  return { site_id: seal.site_id, entries: rows.length, flaws, doubt: await doubtOf(seal, keys, flaw), head: seal.head }
}

async function doubtOf(
  seal: AuditLogSeal,
  keys: readonly PublicKey[] | null,
  flaw: (where: string, what: string, detail: string) => void,
): Promise<Doubt | null> {
  if (keys === null) return 'unknown_key'
  const key = keys.find(k => k.kid === seal.kid && k.site_id === seal.site_id)
  if (key === undefined) return 'unknown_key'
  const signature = seal.signature === null ? null : bytesOf64(seal.signature)
  if (signature === null || !(await signedBy(key, auditLogSealText(seal), signature))) {
    flaw('seal', 'signature', 'The signature of the file isn’t the site’s.')
    return null
  }
  return key.revoked_at === null ? null : 'revoked_key'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSeal(value: unknown): value is AuditLogSeal {
  const { site_id, entries, unbroken, row_digest, kid, signature, head } = fieldsIn(value)
  const { seq, hash } = fieldsIn(head)
  return (
    typeof site_id === 'string' &&
    Number.isInteger(entries) &&
    typeof unbroken === 'boolean' &&
    typeof row_digest === 'string' &&
    (kid === null || typeof kid === 'string') &&
    (signature === null || typeof signature === 'string') &&
    (head === null || (Number.isInteger(seq) && typeof hash === 'string'))
  )
}

function sealIn(row: CsvRecord, columns: readonly Column[]): AuditLogSeal | null {
  if (row.cells[columns.indexOf('action')] !== 'seal' || row.cells.length !== columns.length) return null
  const said = parsed(row.cells[columns.indexOf('changes')] ?? '')
  const alone = row.cells.every((cell, i) => cell === '' || ['action', 'changes'].includes(columns[i] ?? ''))
  // Each value can be written in only one way, so that nothing can be hidden in how it is written.
  return alone && isSeal(said) && canonicalJson(said) === row.cells[columns.indexOf('changes')] ? said : null
}
