// The sites to verify, from every source, because a site whose audit log is missing still counts. Also what belongs to no site: the keys of the
// installation, and the signatures of erasures.
import { itemsIn } from '../../shared/narrow.ts'
import { isHead, type LogHead } from '../../shared/proof/heads.ts'
import { bytesOf64, signedBy } from '../../shared/proof/statement.ts'
import type { Db } from '../base/db.ts'
import { type Id, PLATFORM } from '../base/ids.ts'
import {
  chains,
  entriesOfType,
  erasuresOf,
  erasureText,
  HEADS,
  hashAt,
  headOf,
  sitesErased,
  sitesInTables,
  tablesOfSites,
  UPGRADE,
} from '../kernel/audit/door.ts'
import { SECRET, secretDigests } from '../kernel/identity/door.ts'
import { publicKeys } from '../kernel/statements/door.ts'

/** A fault: where it is, and a sentence that describes it. */
export type SiteFault = {
  part: 'audit log' | 'record' | 'signature' | 'file' | 'document'
  where: string
  detail: string
  /** Nothing was altered, but people should know it when they read the record. */
  harmless?: true
}

/** Tables whose rows can refer to a site that was erased or never existed: log lines for operators, and jobs. */
const LOOSE = ['job_run', 'diag_line', 'schedule_run', 'idempotency_key', 'audit_draft', 'audit_open']

/** Lists every site that anything in the database refers to, and the platform; except those that are being erased according to the platform's audit log. */
export async function placesOf(db: Db): Promise<Id[]> {
  const tables = (await tablesOfSites(db)).filter(table => !LOOSE.includes(table))
  const erased = await sitesErased(db)
  const sites = new Set([PLATFORM, ...(await chains(db)), ...(await sitesInTables(db, tables)).keys()])
  return [...sites].filter(site => erased.get(site) !== 'erasing').sort()
}

/** Reports a site that has rows and no audit log. */
export async function* missingLog(db: Db, site_id: Id): AsyncGenerator<SiteFault> {
  const head = await headOf(db, site_id)
  if (head !== null && head.seq > 0) return
  const tables = (await tablesOfSites(db)).filter(table => !LOOSE.includes(table) && table !== 'site_head')
  const found = site_id === PLATFORM ? await platformTables(db) : ((await sitesInTables(db, tables)).get(site_id) ?? [])
  if (found.length > 0 || head !== null)
    yield { part: 'audit log', where: 'seq 1', detail: `There is no audit log, but there are rows in ${found.join(', ') || 'site_head'}.` }
}

async function platformTables(db: Db): Promise<string[]> {
  const some = await db.selectFrom('app_user').select('id').limit(1).execute()
  return some.length > 0 ? ['app_user'] : []
}

/** Reports erasures that the chain's key did not sign. */
export async function* unsignedErasures(db: Db, site_id: Id): AsyncGenerator<SiteFault> {
  const erasures = await erasuresOf(db, site_id)
  if (erasures.length === 0) return
  const keys = await publicKeys({ db }, site_id)
  for (const { seq, erased, kid, signature } of erasures) {
    const key = keys.find(one => one.kid === kid)
    const bytes = bytesOf64(signature)
    const good =
      key !== undefined && key.revoked_at === null && bytes !== null && (await signedBy(key, erasureText(site_id, erased), bytes))
    const revoked = key !== undefined && key.revoked_at !== null
    const detail = `The erasure in entry ${seq} ${revoked ? 'is signed with a revoked key' : 'isn’t signed with a key of this log'}.`
    if (!good) yield { part: 'audit log', where: `seq ${seq}`, detail }
  }
}

/** Reports audit logs that no longer contain a recorded head: cut, rewritten or deleted since. `noted` says where it was recorded. */
export async function* headFaults(db: Db, heads: readonly LogHead[], noted: string): AsyncGenerator<SiteFault> {
  const erased = await sitesErased(db)
  for (const { site_id, seq, hash } of heads) {
    if (erased.has(site_id)) continue
    const now = await hashAt(db, site_id, seq)
    if (now === hash) continue
    const where = `${site_id === PLATFORM ? 'the platform' : `site ${site_id}`}, seq ${seq}`
    const what =
      now === null
        ? 'no longer has this entry: the log has been truncated or deleted'
        : 'has a different entry here: the log has been rewritten'
    yield { part: 'audit log', where, detail: `The audit log ${what} since ${noted}.` }
  }
}

/** Does the same for the heads that the platform's own audit log records each day. */
export async function* notedHeadFaults(db: Db): AsyncGenerator<SiteFault> {
  const latest = new Map<Id, { head: LogHead; seq: number }>()
  for (const { seq, changes } of await entriesOfType(db, PLATFORM, HEADS)) {
    const heads = itemsIn(changes?.find(change => change.path === 'heads')?.after).filter(isHead)
    for (const head of heads) latest.set(head.site_id, { head, seq })
  }
  for (const { head, seq } of latest.values()) yield* headFaults(db, [head], `entry ${seq} of the platform’s audit log recorded its head`)
}

/** Reports keys of the installation that were replaced. */
export async function* secretFaults(db: Db): AsyncGenerator<SiteFault> {
  const told = new Map<string, unknown>()
  const entries = [...(await entriesOfType(db, PLATFORM, UPGRADE)), ...(await entriesOfType(db, PLATFORM, SECRET))]
  for (const { changes } of entries) {
    const said = changes?.find(change => change.path === 'secrets')?.after
    for (const [name, digest] of Object.entries(said ?? {})) told.set(name, digest)
  }
  const there = await secretDigests(db)
  for (const name of new Set([...told.keys(), ...there.keys()])) {
    if (told.get(name) === there.get(name)) continue
    const detail = !there.has(name)
      ? 'The key is missing.'
      : told.has(name)
        ? 'The key was replaced.'
        : 'The audit log has no entry for this key.'
    yield { part: 'record', where: `platform_secret ${name}`, detail }
  }
}
