import { readFile } from 'node:fs/promises'
import { checkAuditLog } from '../../shared/proof/audit-log.ts'
import { checkChain, type Flaw, isChain } from '../../shared/proof/chain.ts'
import type { Doubt, PublicKey } from '../../shared/proof/statement.ts'
import { counted } from '../../shared/text.ts'
import type { House } from '../base/ctx.ts'
import { type Id, PLATFORM } from '../base/ids.ts'
import { headOf } from '../kernel/audit/door.ts'
import { type Command, CommandError, inHouse, option } from './command.ts'
import { verifyHeads } from './verify-heads.ts'
import { placesOf } from './verify-places.ts'
import { faultsOf } from './verify-site.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: 'verify [--site ID] [--head FILE|URL] | --export FILE [--keys FILE]',
  says: 'Verifies audit logs, records, signatures, files and stored documents, or an exported file without a server.',
  details: `Without --site it verifies every site, and the platform’s own audit log. For each it verifies the audit chain from its first entry to its
head, every record against the log, every signature on a permit, and the contents of every attachment and stored document against their hashes.
--export verifies an exported file, with no server and no database: an audit log (GET /audit/site/{site_id}?format=csv) or the
chain of a permit (GET /permits/applications/{permit_id}/chain). --keys is a file with the public keys of the site, as
GET /permits/verification-keys?site_id=… returned them at another time or to another person; without it only the file’s own consistency is proven.
--head compares the logs with heads stored on another system: the signed heads from AUDIT_WITNESS_URL, a saved email, or a head printed on a permit
(with --site). Only this finds a log that was rewritten with every hash recomputed; see docs/security.md.
A line that begins with “note” reports a signature that no longer covers the text of its permit because of a return for corrections that the audit log shows; it isn’t a fault.
The exit code is 1 if the verification failed. The command repairs nothing.`,
  async run(args, env) {
    const file = option(args, 'export')
    if (args.includes('--export') && file === null) throw new CommandError('--export needs a file.')
    if (file !== null) return verifyExport(file, option(args, 'keys'), line => console.log(line))
    const head = option(args, 'head')
    if (args.includes('--head') && head === null) throw new CommandError('--head needs a file or a URL.')
    return inHouse(env, async house => {
      const only = option(args, 'site')
      if (head !== null) return verifyHeads(house, head, only, line => console.log(line))
      const sites = only === null ? await placesOf(house.database.db) : [only]
      let broken = 0
      for (const site_id of sites) {
        if (!(await verifySite(house, site_id, line => console.log(line)))) broken++
      }
      console.log(verdict(sites.length, broken))
      return broken === 0 ? 0 : 1
    })
  },
}

/** Returns the last line, which says how many audit logs were verified and how many of them failed. */
export const verdict = (all: number, broken: number): string => {
  if (all === 1) return broken === 0 ? 'The audit log and everything it covers were verified.' : 'The verification failed.'
  return broken === 0
    ? `All ${all} audit logs and everything they cover were verified.`
    : `The verification of ${broken} of ${all} audit logs failed.`
}

/**
 * Verifies a site at one moment, so that changes during the check don't count as faults. Prints each fault and a summary; returns whether the site is
 * intact.
 */
export async function verifySite(
  house: Pick<House, 'database' | 'storage' | 'settings'>,
  site_id: Id,
  say: (line: string) => void,
): Promise<boolean> {
  const { faults, head } = await house.database.snapshot(async then => {
    let found = 0
    for await (const { part, where, detail, harmless } of faultsOf(house, then, site_id)) {
      if (harmless !== true) found++
      say(`${harmless === true ? 'note  ' : 'BROKEN'} ${site_id} ${part} at ${where}: ${detail}`)
    }
    return { faults: found, head: await headOf(then, site_id) }
  })
  const name = site_id === PLATFORM ? 'platform'.padEnd(36) : site_id
  say(
    `${faults === 0 ? 'ok    ' : 'BROKEN'} ${name} ${faults === 0 ? `head ${head?.seq ?? 0};${head?.hash ?? ''}` : counted(faults, 'fault')}`,
  )
  return faults === 0
}

/** Verifies an exported file on its own, and against keys from another source if they are given. Returns the exit code. */
export async function verifyExport(file: string, keys_file: string | null, say: (line: string) => void): Promise<number> {
  const text = await textOf(file)
  const keys = keys_file === null ? null : keysIn(await textOf(keys_file))
  const { flaws, doubt, what } = await judged(text, keys)
  for (const flaw of flaws) say(`BROKEN ${flaw.where}: ${flaw.detail}`)
  if (flaws.length > 0) say(`${what}: altered.`)
  else if (doubt === 'revoked_key') say(`${what}: signed with a revoked key.`)
  else if (keys === null) say(`${what}: consistent. Only the site’s keys can prove its origin (--keys FILE).`)
  else if (doubt !== null) say(`${what}: signed with a key that isn’t one of ${keys_file}.`)
  else say(`${what}: unchanged since the site signed it.`)
  return flaws.length === 0 && (doubt === null || keys === null) && doubt !== 'revoked_key' ? 0 : 1
}

async function judged(text: string, keys: readonly PublicKey[] | null): Promise<{ flaws: Flaw[]; doubt: Doubt | null; what: string }> {
  if (/^\ufeff?seq,at,/.test(text)) {
    const { flaws, doubt, entries, head } = await checkAuditLog(text, keys)
    return {
      flaws,
      doubt,
      what: `Audit log, ${entries === 1 ? '1 entry' : `${entries} entries`}${head === null ? '' : `, chain at ${head.seq};${head.hash}`}`,
    }
  }
  const read = parsed(text)
  if (!isChain(read))
    throw new CommandError('The file isn’t an exported audit log or a permit’s signature chain, or it is damaged. Export it again.', 1)
  const { flaws, doubt, signatures } = await checkChain(read, keys)
  return { flaws, doubt, what: `Chain of ${read.permit_number ?? 'a permit'}, ${counted(signatures, 'signature')}` }
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new CommandError(`The file ${file} can’t be read. Check its path and permissions.`)
  })
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function keysIn(text: string): PublicKey[] {
  const read = parsed(text)
  const sound =
    Array.isArray(read) &&
    read.every(key => typeof key?.kid === 'string' && typeof key?.jwk?.x === 'string' && typeof key?.site_id === 'string')
  if (!sound) throw new CommandError('The --keys file doesn’t contain public keys. Save the response of /permits/verification-keys in it.')
  return read
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
