// What anyone can check: the signature chain of a permit as a file, a site's public keys, and whether a printed permit is still valid.
import { CHAIN_FORM, partsOf, sealText } from '../../../../../shared/proof/chain.ts'
import { believe, type Doubt, logHeadIn, statementIn, type Verdict } from '../../../../../shared/proof/statement.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { genesisOf, hashAt, sitesErased } from '../../../../kernel/audit/door.ts'
import { papersOf } from '../../../../kernel/papers/door.ts'
import { publicKeys, signerOf } from '../../../../kernel/statements/door.ts'
import { stopsOf } from '../../kit/actions/stops.ts'
import { type PermitRow, permitRow } from '../../kit/queries/permits.ts'
import { contentHash, signaturesOf } from '../../permit-signatures/door.ts'
import { worthOf } from '../domain/worth.ts'
import { paperFacts } from '../queries.ts'
import { statementOf } from './snapshot.ts'

/** Returns a permit's signature chain with what each signature covers, a statement of where it ends, the site's signature of every part, and its keys. */
export async function chainOf(ctx: Ctx, permit: PermitRow): Promise<Record<string, unknown>> {
  const { site_id, id } = permit
  const facts = await paperFacts(ctx.db, site_id, id)
  const signatures = await signaturesOf(ctx.db, site_id, [id])
  const signer = await signerOf(ctx.house, site_id)
  const statement =
    facts === null
      ? null
      : statementOf(signer, facts.permit, {
          site_code: facts.site.code,
          attachments: facts.attachments,
          last_signature: signatures.at(-1) ?? null,
          as_at: facts.as_at,
        })
  const chain = {
    form: CHAIN_FORM,
    site_id,
    permit_id: id,
    permit_number: permit.permit_number,
    signatures: signatures.map(({ site_id: _site, presence: _presence, ...signature }) => signature),
    papers: (await papersOf(ctx.db, site_id, id)).map(({ occasion, as_at, made_at, sha256 }) => ({ occasion, as_at, made_at, sha256 })),
    statement,
  }
  const digests = await partsOf(chain)
  return {
    ...chain,
    seal: { kid: signer.kid, digests, signature: signer.sign(sealText(id, digests)) },
    keys: await publicKeys(ctx, site_id),
  }
}

/** Returns a site's public keys. A site that doesn't exist has none, and looks the same. */
export async function keysFor(ctx: Ctx, site_id: Id) {
  return publicKeys(ctx, site_id)
}

/**
 * Returns whether a printed permit is still valid. The response says nothing about a permit unless the caller shows its own signed statement, and
 * then only one word.
 */
export async function verifyPaper(
  ctx: Ctx,
  scanned: string,
  named: Id | null,
): Promise<{ genuine: boolean; doubt: Doubt | null; verdict: Verdict | null; at: string; log?: 'holds' | 'differs' }> {
  const at = ctx.now
  const not = (doubt: Doubt) => ({ genuine: false, doubt, verdict: null, at })
  const text = statementIn(scanned)
  if (text === null) return not('no_statement')
  const first = await believe(text, [])
  if (named !== null && first.statement !== null && first.statement.site_id !== named)
    refuse(invalidField('site_id', 'isn’t the site of this document. Leave it out, or send the document’s own site.'))
  // site-and-people.md §1: a paper of an erased site may well be genuine, but that can no longer be checked.
  if (first.statement !== null && (await sitesErased(ctx.db, first.statement.site_id)).size > 0) return not('site_erased')
  const believed = first.statement === null ? first : await believe(text, await publicKeys(ctx, first.statement.site_id))
  if (believed.doubt !== null) return not(believed.doubt)
  const { statement } = believed
  const permit = await permitRow(ctx.db, statement.site_id, statement.permit_id, 'none')
  const facts = permit === null ? null : await paperFacts(ctx.db, statement.site_id, statement.permit_id)
  const log = await logStill(ctx, statement.site_id, scanned)
  if (facts === null) return { genuine: true, doubt: null, verdict: 'superseded', at, ...log }
  // Files can be added until the end, so a document is compared only with the files that existed when it was printed.
  const known = facts.attachments.filter(file => Math.floor(Date.parse(file.created_at) / 1000) <= Date.parse(statement.as_at) / 1000)
  const stopped = (facts.stopped ?? []).length > 0
  const stopped_by_alert = permit !== null && (await stopsOf(ctx, statement.site_id, [permit])).has(permit.id)
  return {
    genuine: true,
    doubt: null,
    verdict: worthOf(statement, { ...facts.permit, stopped, stopped_by_alert }, contentHash(facts.permit, known), at),
    at,
    ...log,
  }
}

/** Compares the head of the audit log that was printed next to the statement, if there is one, with the log of today. */
async function logStill(ctx: Ctx, site_id: Id, scanned: string): Promise<{ log?: 'holds' | 'differs' }> {
  const head = logHeadIn(scanned)
  if (head === null) return {}
  const now = head.seq === 0 ? genesisOf(site_id) : await hashAt(ctx.db, site_id, head.seq)
  return { log: now === head.hash ? 'holds' : 'differs' }
}
