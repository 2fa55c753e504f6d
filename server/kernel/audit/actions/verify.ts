// Verifies a chain: every entry by its digests and hash, every erasure by the entry that lists it, and the events by their own chain.
import { setImmediate as turn } from 'node:timers/promises'
import { type HashVersion, hashVersion } from '../../../../shared/proof/algorithms.ts'
import { eventLinkText, factsText, linkText, wordsText } from '../../../../shared/proof/entry.ts'
import type { Db } from '../../../base/db.ts'
import { digestBy, type Id, sha256 } from '../../../base/ids.ts'
import { type ChainFault, canonical, type Erased, eventText, textBefore, type Upgrade } from '../domain.ts'
import { blocksOf, type ChainRow, chainAfter, type EventLink, eventsAfter, strayReference, wholeHead } from '../queries.ts'
import { genesisOf } from './digests.ts'
import { erasuresOf, upgradeOf } from './erasures.ts'

const PIECE = 2000

/** The result of a verification: how many entries were checked, where the chain ends, and the first fault. */
export type ChainReport = {
  site_id: Id
  entries: number
  head: { seq: number; hash: string } | null
  /** The last valid entry. */
  checked: { seq: number; hash: string }
  fault: ChainFault | null
}

type Named = ReadonlyMap<number, Erased['entries'][number]>
type Known = { upgrade: Upgrade | null; named: Named }

/** Makes the fault of a chain that ends at another entry than the site head says, at the first entry that is missing. */
const endsBefore = (head: number | null, seq: number): ChainFault => ({
  seq: (head ?? 0) > seq ? seq + 1 : seq,
  what: 'head',
  detail: `The chain ends at ${seq}, but the site head says ${head ?? 'nothing'}.`,
})

/**
 * Verifies a site's chain from its beginning (or after a known entry) to its head (or to `until`), and recomputes every digest and hash. Stops at the
 * first fault and reports it; repairs nothing.
 */
export async function verifyChain(
  db: Db,
  site_id: Id,
  from: { seq: number; hash: string } | null = null,
  until: number | null = null,
): Promise<ChainReport> {
  let seq = from?.seq ?? 0
  let hash = from?.hash ?? genesisOf(site_id)
  let at: string | null = null
  let entries = 0
  const head = await wholeHead(db, site_id)
  const end = head === null ? null : { seq: head.seq, hash: head.hash }
  const report = (fault: ChainFault | null): ChainReport => ({ site_id, entries, head: end, checked: { seq, hash }, fault })
  let known = await knownOf(db, site_id)
  for (;;) {
    const rows = await chainAfter(db, site_id, seq, PIECE)
    for (const row of rows) {
      if (until !== null && row.seq > until) return report(null) // the requested rows are complete
      if (head !== null && row.seq > head.seq && seq < head.seq) return report(endsBefore(head.seq, seq)) // the entries before this one were moved beyond the end, so they are missing here
      if (row.seq > (head?.seq ?? 0)) return report(await faultBeyond(db, site_id, row.seq))
      let fault = faultOf(site_id, row, seq, hash, known)
      if (fault?.what === 'erased') {
        known = await knownOf(db, site_id) // it may have been erased while we were reading
        fault = faultOf(site_id, row, seq, hash, known)
      }
      if (fault !== null) return report(fault)
      seq = row.seq
      hash = row.hash
      at = row.at
      entries++
    }
    if (rows.length < PIECE) break
    await turn()
  }
  if (until !== null && seq >= until) return report(null)
  if (head === null ? seq > 0 : head.seq !== seq || head.hash !== hash) {
    return report(endsBefore(head?.seq ?? null, seq))
  }
  if (head !== null && at !== null && head.last_at !== at)
    return report({ seq, what: 'head', detail: `The last entry was made at ${at}, but the site head says ${head.last_at ?? 'nothing'}.` })
  return report(from === null ? ((await faultBefore(db, site_id, known.upgrade)) ?? (await faultOfEvents(db, site_id, known, head))) : null)
}

async function knownOf(db: Db, site_id: Id): Promise<Known> {
  return { upgrade: await upgradeOf(db, site_id), named: namedIn(await erasuresOf(db, site_id)) }
}

/** Looks for an entry after the head: written while we were reading, or inserted by someone. */
async function faultBeyond(db: Db, site_id: Id, seq: number): Promise<ChainFault | null> {
  const now = await wholeHead(db, site_id)
  return now !== null && now.seq >= seq ? null : { seq, what: 'head', detail: `Entry ${seq} is later than the last one in the site head.` }
}

const namedIn = (erasures: Awaited<ReturnType<typeof erasuresOf>>): Named =>
  new Map(erasures.flatMap(({ erased }) => erased.entries.map(entry => [entry.seq, entry] as const)))

function faultOf(site_id: Id, row: ChainRow, seq: number, hash: string, known: Known): ChainFault | null {
  if (row.seq !== seq + 1) return { seq: seq + 1, what: 'missing', detail: `Entry ${seq + 1} is missing.` }
  if (row.prev_hash !== hash) return { seq: row.seq, what: 'link', detail: `Entry ${row.seq} doesn’t match the previous entry.` }
  const old = row.v === 1 && known.upgrade !== null && row.seq <= known.upgrade.through
  const v = hashVersion(row.v)
  if (v === null || (v === 1 && !old))
    return {
      seq: row.seq,
      what: 'version',
      detail: `Entry ${row.seq} has hash version ${row.v}; every entry since the upgrade must have version 2 or 3.`,
    }
  return faultOfChanges(row, v, known) ?? (old ? faultOfOld(row, hash) : faultOfNew(site_id, row, v, hash, known))
}

function faultOfChanges(row: ChainRow, v: HashVersion, known: Known): ChainFault | null {
  if (row.salt === null && row.changes_text === null) {
    const named = known.named.get(row.seq)?.changes === true || known.upgrade?.erased.has(row.seq) === true
    return named
      ? null
      : {
          seq: row.seq,
          what: 'erased',
          detail: `The changes of entry ${row.seq} are missing, and no later entry says that they were erased.`,
        }
  }
  // Includes all values, whatever their shape, so that an added key is found, too.
  const digest = digestBy(v, (row.salt ?? '') + canonical(row.changes_text === null ? null : JSON.parse(row.changes_text)))
  return digest === row.changes_digest
    ? null
    : { seq: row.seq, what: 'digest', detail: `The changes of entry ${row.seq} don’t match its hash.` }
}

function faultOfOld(row: ChainRow, hash: string): ChainFault | null {
  if (row.quiet || [row.words_salt, row.words_digest, row.state_digest, row.events].some(value => value !== null))
    return { seq: row.seq, what: 'version', detail: `Entry ${row.seq} has columns that entries of version 1 don’t have.` }
  return sha256(hash + textBefore(row)) === row.hash ? null : { seq: row.seq, what: 'hash', detail: `Entry ${row.seq} was altered.` }
}

function faultOfNew(site_id: Id, row: ChainRow, v: HashVersion, hash: string, known: Known): ChainFault | null {
  const said = wordsText(row)
  if (row.words_salt === null) {
    const words = known.named.get(row.seq)?.words ?? null
    if (words === null || row.words_digest === null)
      return {
        seq: row.seq,
        what: 'erased',
        detail: `The names in entry ${row.seq} can’t be verified, and no later entry says that they were erased.`,
      }
    if (wordsText(words) !== said)
      return { seq: row.seq, what: 'words', detail: `The names in entry ${row.seq} differ from those that its erasure left there.` }
  } else if (row.words_digest !== null)
    return { seq: row.seq, what: 'words', detail: `Entry ${row.seq} has a digest of erased names, but its names weren’t erased.` }
  const words_digest = row.words_salt === null ? (row.words_digest ?? '') : digestBy(v, row.words_salt + said)
  const facts = digestBy(v, factsText({ ...row, site_id, words_digest }))
  return digestBy(v, hash + linkText({ ...row, facts })) === row.hash
    ? null
    : { seq: row.seq, what: 'hash', detail: `Entry ${row.seq} was altered: its names, its reason or another of its fields.` }
}

/** Checks what the upgrade protects of older entries: the fields that their own hashes do not cover. */
async function faultBefore(db: Db, site_id: Id, upgrade: Upgrade | null): Promise<ChainFault | null> {
  if (upgrade === null) return null
  const { size, through, digests } = upgrade
  const blocks = await blocksOf(db, site_id, size, through)
  const at = digests.findIndex((digest, i) => digest !== blocks[i])
  if (at < 0 && blocks.length === digests.length) return null
  const low = (at < 0 ? digests.length : at) * size + 1
  const detail = `A name, reason, date or other detail in entries ${low} to ${Math.min(low + size - 1, through)} has been altered since the upgrade.`
  return { seq: low, what: 'digest', detail }
}

async function faultOfEvents(db: Db, site_id: Id, known: Known, head: Awaited<ReturnType<typeof wholeHead>>): Promise<ChainFault | null> {
  const seq = head?.seq ?? 0
  const fault = (event_no: number, detail: string): ChainFault => ({ seq, what: 'event', detail: `Event ${event_no} ${detail}` })
  let no = 0
  let hash: string | null = null
  for (;;) {
    const rows = await eventsAfter(db, site_id, no, PIECE)
    for (const row of rows) {
      if (row.event_no > (head?.event_no ?? 0)) {
        const now = await wholeHead(db, site_id)
        if (now !== null && now.event_no >= row.event_no) return null // written while we were reading
        return fault(row.event_no, 'is later than the last one in the site head.')
      }
      if (row.event_no !== no + 1) return fault(no + 1, 'is missing.')
      if (!linked(row, hash, known.upgrade !== null)) return fault(row.event_no, 'was altered.')
      no = row.event_no
      hash = row.hash
    }
    if (rows.length < PIECE) break
    await turn()
  }
  if (no !== (head?.event_no ?? 0) || hash !== (head?.event_hash ?? null))
    return fault(no, `is the last one, but the site head says ${head?.event_no ?? 0}.`)
  const stray = await strayReference(db, site_id)
  return stray === null ? null : { ...fault(stray.event_no, `isn’t the one that entry ${stray.seq} refers to.`), seq: stray.seq }
}

/** Returns whether an event is unchanged since it was sealed, and follows the one before. Only events from before the upgrade have no hash. */
function linked(row: EventLink, hash: string | null, upgraded: boolean): boolean {
  if (row.hash === null) return upgraded && hash === null && row.salt === null && row.digest === null
  const v = hashVersion(row.schema + 1)
  if (v === null || v === 1 || row.digest === null || row.salt === null) return false
  return (
    digestBy(v, row.salt + eventText(row)) === row.digest &&
    digestBy(v, (hash ?? '') + eventLinkText({ ...row, digest: row.digest })) === row.hash
  )
}
