// Snapshots of a permit: the facts that are stored at a step, and the statement in the QR code.
import { type Statement, textOf } from '../../../../../shared/proof/statement.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { keepPaper } from '../../../../kernel/papers/door.ts'
import type { Signer } from '../../../../kernel/statements/door.ts'
import { awaitingCountersign } from '../../kit/domain/facts.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { contentHash } from '../../permit-signatures/door.ts'
import { paperFacts } from '../queries.ts'

/** The steps at which a snapshot of a permit is stored (`permits-decisions.md` §1, document). */
export type PaperOccasion = 'submit' | 'issue' | 'extension' | 'close_out'

/** Stores a snapshot of a permit, from the facts as they are in this transaction. */
export async function keepPermitPaper(ctx: Ctx, permit: Pick<PermitRow, 'site_id' | 'id'>, occasion: PaperOccasion): Promise<void> {
  const facts = await paperFacts(ctx.db, permit.site_id, permit.id)
  if (facts === null) throw new Error('The document has no permit.')
  await keepPaper(ctx, { site_id: permit.site_id, kind: 'permit', id: permit.id }, occasion, facts)
}

/** What a statement needs to know about a permit in addition to its row. */
export type Around = {
  site_code: string
  attachments: readonly { slot: string | null; filename: string; sha256: string }[]
  last_signature: { number: number; hash: string } | null
  as_at: Instant
}

/**
 * Returns the signed statement of a permit for its QR code: what is printed on it, and the hash of what a signature would cover. Null for a permit that was
 * never submitted, and for an imported one, because nobody signed it here.
 */
export function statementOf(signer: Signer, permit: PermitRow, around: Around): string | null {
  if (permit.permit_number === null || permit.status === 'draft' || permit.source === 'imported') return null
  const live = permit.status === 'issued' || permit.status === 'expired'
  const state: Statement['state'] = awaitingCountersign(permit)
    ? 'awaiting_countersign'
    : permit.handed_back_at !== null && live
      ? 'handed_back'
      : permit.status
  const text = textOf({
    kid: signer.kid,
    site_id: permit.site_id,
    permit_id: permit.id,
    site_code: around.site_code,
    number: permit.permit_number,
    state,
    as_at: around.as_at,
    issued_at: permit.issued_at,
    start_at: permit.start_at,
    end_at: permit.end_at,
    content_hash: contentHash(permit, around.attachments),
    chain_head: around.last_signature?.hash ?? null,
    signatures: around.last_signature?.number ?? 0,
  })
  return `${text}.${signer.sign(text)}`
}
