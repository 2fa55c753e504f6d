// Compares the audit logs with heads that were stored elsewhere: a file or a URL with the signed heads, a saved email, or a head printed on a permit.
import { readFile } from 'node:fs/promises'
import { headsSigned, isHeads, type LogHead } from '../../shared/proof/heads.ts'
import { counted } from '../../shared/text.ts'
import type { House } from '../base/ctx.ts'
import { type Id, PLATFORM } from '../base/ids.ts'
import { sitesErased } from '../kernel/audit/door.ts'
import { publicKeys } from '../kernel/statements/door.ts'
import { CommandError } from './command.ts'
import { headFaults } from './verify-places.ts'

const PATIENCE_MS = 30_000
const LINE = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)?:?\s+(\d{1,15});([0-9a-f]{64})/g
const ALONE = /(?:^|\s)(\d{1,15});([0-9a-f]{64})/

/** Compares the audit logs with recorded heads and prints each difference; returns the exit code. `site` is used if the text contains none. */
export async function verifyHeads(
  house: Pick<House, 'database'>,
  source: string,
  site: Id | null,
  say: (line: string) => void,
): Promise<number> {
  const text = (await textAt(source)).replaceAll('\u200b', '') // breaks that a copy from a document can contain
  const signed = signedIn(text)
  const heads = signed?.heads ?? headsIn(text, site)
  if (heads.length === 0)
    throw new CommandError(
      `${source} contains no head of an audit log. A head has the form 4711;<64 hex digits>; with a single one, give its site with --site.`,
    )
  return house.database.snapshot(async then => {
    let found = 0
    const broken = (line: string) => {
      found++
      say(`BROKEN ${line}`)
    }
    if (signed !== null && !(await headsSigned(signed, await publicKeys({ db: then }, PLATFORM))))
      broken(
        'The heads aren’t signed with a key of this installation. They are forged or from another installation, or the keys were replaced.',
      )
    for await (const { where, detail } of headFaults(then, heads, signed === null ? 'the head was saved' : signed.at))
      broken(`${where}: ${detail}`)
    const erased = await sitesErased(then)
    const gone = heads.filter(head => erased.has(head.site_id))
    for (const { site_id } of gone) say(`Site ${site_id} was erased, so its audit log can’t be compared.`)
    say(found === 0 ? unchanged(heads.length, gone.length) : `${counted(found, 'difference')} from these heads.`)
    return found === 0 ? 0 : 1
  })
}

/** Says that no log differs from its head. */
function unchanged(heads: number, gone: number): string {
  if (heads === gone) return 'No log was compared.'
  if (gone > 0) return `The other ${heads - gone === 1 ? 'log still contains its head' : `${heads - gone} logs still contain their heads`}.`
  return heads === 1 ? 'The log still contains this head.' : `All ${heads} logs still contain these heads.`
}

function signedIn(text: string) {
  try {
    const read: unknown = JSON.parse(text)
    return isHeads(read) ? read : null
  } catch {
    return null
  }
}

function headsIn(text: string, site: Id | null): LogHead[] {
  const named = [...text.matchAll(LINE)].map(([, site_id = '', seq, hash = '']) => ({ site_id, seq: Number(seq), hash }))
  const alone = site === null ? null : ALONE.exec(text)
  return named.length > 0 || alone === null || site === null ? named : [{ site_id: site, seq: Number(alone[1]), hash: alone[2] ?? '' }]
}

async function textAt(source: string): Promise<string> {
  if (!/^https?:/.test(source)) {
    return readFile(source, 'utf8').catch(() => {
      throw new CommandError(`The file ${source} can’t be read. Check its path and permissions.`)
    })
  }
  const response = await fetch(source, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null)
  if (response === null || !response.ok)
    throw new CommandError(
      `The URL ${source} ${response === null ? 'can’t be reached. Check the URL, and this machine’s connection' : `responded with ${response.status}. Check the URL`}.`,
    )
  return response.text()
}
