import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type Verdict } from '../../../../base/errors.ts'
import { type Id, sha256 } from '../../../../base/ids.ts'
import { canonical } from '../../../../kernel/audit/door.ts'
import { chainStart, contentOf, type OnBehalfOf, type Sealed, type SignatureKind, statementOf } from '../../kit/domain/content.ts'
import { placeOfRow } from '../../kit/domain/place.ts'
import type { AroundRow } from '../../kit/queries/around.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { insertSignature } from '../queries.ts'

/** Returns the SHA-256 of the canonical JSON (RFC 8785) of what a signature on this permit would cover now. */
export const contentHash = (row: PermitRow, attachments: Readonly<AroundRow['attachments']>): string =>
  sha256(canonical(contentOf({ ...row, place: placeOfRow(row) }, attachments)))

/** Returns the hash of a signature, calculated from the hash of the previous one and everything that this one contains. */
export const signatureHash = (prev_hash: string, sealed: Sealed): string => sha256(prev_hash + canonical(sealed))

/** Returns the hash before a permit's first signature. */
export const firstHash = (permit_id: Id): string => sha256(chainStart(permit_id))

/** Refuses a signature on a permit that has changed since it was shown to the signer, whose app sends `seen_hash`. */
export function changedSince(seen_hash: string | null | undefined, permit: PermitRow, { attachments }: AroundRow): Verdict {
  if (seen_hash == null) return null
  const content_hash = contentHash(permit, attachments)
  if (seen_hash === content_hash) return null
  return conflict('stale_preview', 'This permit has changed since you opened it. Reload and read it before you sign.', { content_hash })
}

/** What a signer enters in addition to the step itself. */
export type Signing = { note: string | null; presence?: unknown; seen_hash?: string | null }

/** A signature that is about to be made: the permit as it was before its step, and what surrounds it. */
export type ToSign = { permit: PermitRow; around: AroundRow; signing: Signing; on_behalf_of: OnBehalfOf | null }

/**
 * Signs a permit. The signature covers its content after the step's own changes, and the signature before it. What was shown (`seen_hash`) must be what is
 * signed, otherwise nothing is signed.
 */
export async function sign(
  ctx: Ctx,
  id: Id,
  { permit: before, around, signing, on_behalf_of }: ToSign,
  after: PermitRow,
  kind: SignatureKind,
): Promise<void> {
  const { actor } = ctx
  if (actor.id === null) throw new Error('A signature needs a person.')
  ctx.note(id, { action: 'sign' })
  enforce([changedSince(signing.seen_hash, before, around)])
  const content = contentOf({ ...after, place: placeOfRow(after) }, around.attachments)
  const sealed: Sealed = {
    permit_id: after.id,
    number: (around.last_signature?.number ?? 0) + 1,
    kind,
    signer_id: actor.id,
    signer_name: actor.name,
    signer_role: actor.standing?.role ?? (actor.is_superadmin ? 'superadmin' : null),
    signed_at: ctx.now,
    note: signing.note,
    statement: statementOf(kind, on_behalf_of),
    ...(on_behalf_of === null ? {} : { on_behalf_of }),
    content_hash: sha256(canonical(content)),
  }
  const prev_hash = around.last_signature?.hash ?? firstHash(after.id)
  const hash = signatureHash(prev_hash, sealed)
  await insertSignature(ctx.db, {
    site_id: after.site_id,
    id,
    ...sealed,
    on_behalf_of,
    presence: signing.presence ?? null,
    content,
    prev_hash,
    hash,
  })
}
