import { HOUR, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { shownFlags } from '../../../../kernel/access/domain.ts'
import { newestPapers, type PaperRow } from '../../../../kernel/papers/door.ts'
import { adviceFor } from '../domain/advice.ts'
import { latestEnd } from '../domain/extensions.ts'
import { awaitingCountersign, isSingleStage, needsParent } from '../domain/facts.ts'
import { permitFlags } from '../domain/flags.ts'
import { nextGate } from '../domain/gates.ts'
import { seesPermit } from '../domain/visibility.ts'
import type { Warning } from '../domain/warnings.ts'
import { extensionsOf, type PeopleAndExtensions } from '../queries/extensions.ts'
import { contractorNames } from '../queries/lists.ts'
import { type AttachmentRow, attachmentsOf, type PermitRow, permitRow, type SignatureRow, signaturesOf } from '../queries/permits.ts'
import { type Judged, judge, viewerOn } from './facts.ts'
import { contentHash, placeOfRow } from './sign.ts'

/** Returns the compact form that the board, the map and the whole permit share. */
export function cardOf(
  ctx: Ctx,
  row: PermitRow,
  { facts, graph, policy }: Judged,
  contractor: string | null,
  reasons = true,
): Record<string, unknown> {
  const single_stage = isSingleStage(facts.permit, facts.set)
  const lead = later(ctx.now, policy.expiring_warning_lead_hours * HOUR)
  return {
    ...row,
    contractor: row.contractor_id === null || contractor === null ? null : { id: row.contractor_id, name: contractor },
    place: placeOfRow(row),
    single_stage,
    awaiting_countersign: awaitingCountersign(row),
    next_gate: nextGate(graph, { status: row.status, single_stage, issue_signed: row.issue_signed_at !== null })?.gate ?? null,
    soon: row.status === 'issued' && row.end_at !== null && row.end_at > ctx.now && row.end_at <= lead,
    permissions: shownFlags(permitFlags(facts, graph), reasons),
  }
}

/** Returns permits with everything about them, in the given order. */
export async function wholePermits(ctx: Ctx, site_id: Id, rows: readonly PermitRow[]): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(r => r.id)
  const [judged, names, attachments, signatures, extensions, viewer, papers] = await Promise.all([
    judge(ctx, site_id, rows, null),
    contractorNames(
      ctx.db,
      site_id,
      rows.flatMap(r => (r.contractor_id === null ? [] : [r.contractor_id])),
    ),
    attachmentsOf(ctx.db, site_id, ids),
    signaturesOf(ctx.db, site_id, ids),
    extensionsOf(ctx.db, site_id, ids),
    viewerOn(ctx, site_id),
    newestPapers(ctx.db, site_id, ids),
  ])
  const of = <T extends { permit_id: Id }>(list: readonly T[], id: Id) => list.filter(item => item.permit_id === id)
  return rows.flatMap(row => {
    const all = judged.get(row.id)
    if (all === undefined) return []
    const { facts, around } = all
    const filled = new Set(around.attachments.map(a => a.slot))
    return [
      {
        ...cardOf(ctx, row, all, row.contractor_id === null ? null : (names.get(row.contractor_id) ?? null)),
        parent: around.parent,
        expected_attachments: facts.set.slots.map(({ key, label, required }) => ({ key, label, required, filled: filled.has(key) })),
        requires_parent: needsParent(facts.permit, facts.set),
        is_extendable: facts.set.is_extendable,
        extension_latest_at: row.status === 'issued' ? latestEnd(facts) : null,
        advice: adviceFor(facts, all.graph, permitFlags(facts, all.graph)),
        content_hash: contentHash(row, around.attachments),
        document: shownDocument(papers.get(row.id)),
        conflicts: [],
        attachments: of(attachments, row.id).map(shownAttachment),
        signatures: of(signatures, row.id).map(shownSignature),
        extensions: of(extensions, row.id).map(shownExtension),
        children: around.children
          .filter(child => seesPermit(child, viewer))
          .map(child => ({
            id: child.id,
            permit_number: child.permit_number,
            status: child.status,
            awaiting_countersign: awaitingCountersign(child),
            start_at: child.start_at,
            end_at: child.end_at,
            handed_back_at: child.handed_back_at,
          })),
      },
    ]
  })
}

/** Returns one complete permit as it is now, with the warnings of the step that led here. */
export async function showPermit(ctx: Ctx, site_id: Id, id: Id, warnings?: readonly Warning[]): Promise<Record<string, unknown>> {
  const row = await permitRow(ctx.db, site_id, id, 'none')
  const [shown] = row === null ? [] : await wholePermits(ctx, site_id, [row])
  if (shown === undefined) return refuse(notFound())
  return warnings === undefined ? shown : { ...shown, warnings }
}

/** Returns an attachment as the API shows it. */
export const shownAttachment = (row: AttachmentRow): Record<string, unknown> => ({
  ...row,
  uploaded_by: row.created_by,
  url: `/api/permits/applications/${row.permit_id}/attachments/${row.id}/download`,
})

const shownDocument = (kept: PaperRow | undefined) =>
  kept === undefined
    ? null
    : { sha256: kept.sha256, made_at: kept.made_at, url: `/api/permits/applications/${kept.subject_id}/document?snapshot=${kept.sha256}` }

/** Returns a signature as the API shows it. */
export const shownSignature = ({ content: _content, ...row }: SignatureRow): Record<string, unknown> => row

/** Returns an extension request as the API shows it. */
export const shownExtension = (row: PeopleAndExtensions): Record<string, unknown> => ({ ...row, request_id: row.id })
