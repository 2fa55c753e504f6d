import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, invalidField, notFound, refuse } from '../../../../base/errors.ts'
import type { FileAnswer } from '../../../../base/files.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { type Brought, keepFile, readFileOf } from '../../../../kernel/evidence/door.ts'
import { judgeOne } from '../../kit/actions/facts.ts'
import { attaching, editing } from '../../kit/domain/flags.ts'
import { type AttachmentRow, attachmentsOf, type PermitRow } from '../../kit/queries/permits.ts'
import { shownAttachment } from '../../permit-lists/door.ts'
import { signaturesOf } from '../../permit-signatures/door.ts'
import { slotNamed } from '../../permit-types/domain/sets.ts'
import { dropAttachment, insertAttachment } from '../queries/attachments.ts'
import { savePermit } from '../queries/permits.ts'

/** Attaches a file, as a required document (by its key or label) or as any other. */
export async function attach(ctx: Ctx, permit: PermitRow, file: Brought, slot: string | null): Promise<Record<string, unknown>> {
  const { facts, graph } = await judgeOne(ctx, permit, null)
  enforce(attaching(facts, graph))
  const named = slot === null ? undefined : slotNamed(facts.set.slots, slot)
  if (slot !== null && named === undefined)
    refuse(
      invalidField('slot', `“${slot}” isn’t a required document of the permit’s types. Send a key or label from expected_attachments.`),
    )
  await keepFile(ctx, permit.site_id, file)
  const { sha256, media_type, size, width, height } = file
  const id = ids.next()
  await insertAttachment(ctx.db, {
    site_id: permit.site_id,
    id,
    permit_id: permit.id,
    slot: named?.key ?? null,
    filename: file.filename || 'file',
    sha256,
    media_type,
    size,
    width,
    height,
  })
  // An attachment changes the permit itself: its version increases, and what was shown is no longer what would be signed.
  await savePermit(ctx.db, permit, { touched_at: ctx.now })
  return shownAttachment(await attachmentOf(ctx, permit, id))
}

async function attachmentOf(ctx: Ctx, permit: PermitRow, id: Id): Promise<AttachmentRow> {
  const found = (await attachmentsOf(ctx.db, permit.site_id, [permit.id])).find(a => a.id === id)
  return found ?? refuse(notFound())
}

/** Removes a file. Only the requestor can, while the permit is editable, and never one that a signature covers. */
export async function detach(ctx: Ctx, permit: PermitRow, attachment_id: Id): Promise<void> {
  const attachment = await attachmentOf(ctx, permit, attachment_id)
  const { facts, graph } = await judgeOne(ctx, permit, null)
  enforce(editing(facts, graph))
  const covered = (await signaturesOf(ctx.db, permit.site_id, [permit.id])).some(signature => {
    const { attachments } = signature.content as { attachments?: { sha256: string; filename: string }[] } // contentOf made it
    return attachments?.some(a => a.sha256 === attachment.sha256 && a.filename === attachment.filename)
  })
  if (covered)
    refuse(
      conflict('is_a_record', `${attachment.filename} is covered by a signature, so it can’t be deleted. Attach another file instead.`),
    )
  await dropAttachment(ctx.db, permit.site_id, attachment.id)
  await savePermit(ctx.db, permit, { touched_at: ctx.now })
}

/** Returns the bytes of an attachment, or a smaller picture of it. */
export async function readAttachment(
  ctx: Ctx,
  permit: PermitRow,
  attachment_id: Id,
  variant: 'original' | 'preview' | 'thumb',
): Promise<FileAnswer> {
  const attachment = await attachmentOf(ctx, permit, attachment_id)
  return readFileOf(ctx, permit.site_id, attachment, variant)
}
