import type { Ctx } from '../../../../base/ctx.ts'
import { notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { shownFlags } from '../../../../kernel/access/domain.ts'
import { advised } from '../../kit/actions/advised.ts'
import { conflictsShown } from '../../kit/actions/conflicts.ts'
import { type Judged, judge, judgedOf, siteFacts, viewerOn } from '../../kit/actions/facts.ts'
import { type StoppedBy, stopsOf } from '../../kit/actions/stops.ts'
import { adviceFor } from '../../kit/domain/advice.ts'
import { latestEnd } from '../../kit/domain/extensions.ts'
import { awaitingCountersign, isSingleStage, needsParent } from '../../kit/domain/facts.ts'
import { extensionFlags, type PermitFlags, permitFlags } from '../../kit/domain/flags.ts'
import { nextGate } from '../../kit/domain/gates.ts'
import { placeOfRow } from '../../kit/domain/place.ts'
import { seesPermit } from '../../kit/domain/visibility.ts'
import type { Warning } from '../../kit/domain/warnings.ts'
import type { AttachmentRow, CardRow, ExtensionRow } from '../../kit/queries/permits.ts'
import { contentHash } from '../../permit-signatures/door.ts'
import { type WholeFound, wholeById } from '../queries/pages.ts'

/** Returns the compact form that the board, the map and the whole permit share. */
export function cardOf(
  ctx: Ctx,
  row: CardRow & { contractor_name: string | null },
  { facts, graph, soon_until }: Judged,
  flags: PermitFlags,
  stopped_by_alert: StoppedBy | null,
): Record<string, unknown> {
  const { contractor_name } = row
  const single_stage = isSingleStage(facts.permit, facts.set)
  return {
    ...row,
    contractor: row.contractor_id === null || contractor_name === null ? null : { id: row.contractor_id, name: contractor_name },
    place: placeOfRow(row),
    single_stage,
    awaiting_countersign: awaitingCountersign(row),
    next_gate: nextGate(graph, { status: row.status, single_stage, issue_signed: row.issue_signed_at !== null })?.gate ?? null,
    soon: row.status === 'issued' && row.end_at !== null && row.end_at > ctx.now && row.end_at <= soon_until,
    stopped_by_alert,
    stopped: facts.stopped ?? [],
    permissions: shownFlags(flags),
  }
}

/** Returns permits as they are shown in full, in the given order. */
export async function wholePermits(ctx: Ctx, site_id: Id, rows: readonly WholeFound[]): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return []
  const [judged, viewer, withAround, stops, conflicts] = await Promise.all([
    judge(ctx, site_id, rows, null, new Map(rows.map(row => [row.id, row]))),
    viewerOn(ctx, site_id),
    advised(ctx, site_id, rows),
    stopsOf(ctx, site_id, rows),
    conflictsShown(ctx, site_id, rows),
  ])
  return rows.map(row => {
    const all = judgedOf(judged, row)
    const { facts, around, graph } = all
    const filled = new Set(around.attachments.map(a => a.slot))
    const flags = permitFlags(facts, graph)
    return {
      ...cardOf(ctx, row, all, flags, stops.get(row.id) ?? null),
      expected_attachments: facts.set.slots.map(({ key, label, required }) => ({ key, label, required, filled: filled.has(key) })),
      requires_parent: needsParent(facts.permit, facts.set),
      is_extendable: facts.set.is_extendable,
      extension_latest_at: row.status === 'issued' ? latestEnd(facts) : null,
      advice: adviceFor(withAround(row.id, facts), graph, flags),
      content_hash: contentHash(row, around.attachments),
      document: shownDocument(row),
      ...conflicts(row.id),
      attachments: row.files.map(shownAttachment),
      extensions: row.extensions.map(request => shownExtension(request, flags)),
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
    }
  })
}

/** Returns permits by their ids as they are shown in full, in the order of the ids; one that doesn't exist is left out. */
export async function wholeOf(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Record<string, unknown>[]> {
  const { close_out_gate_enabled } = await siteFacts(ctx, site_id)
  const found = new Map((await wholeById(ctx.db, site_id, ids, close_out_gate_enabled)).map(row => [row.id, row]))
  return wholePermits(
    ctx,
    site_id,
    ids.flatMap(id => found.get(id) ?? []),
  )
}

/** Returns one complete permit as it is now, with the warnings of the step that led here. */
export async function showPermit(ctx: Ctx, site_id: Id, id: Id, warnings?: readonly Warning[]): Promise<Record<string, unknown>> {
  const [shown] = await wholeOf(ctx, site_id, [id])
  if (shown === undefined) return refuse(notFound())
  return warnings === undefined ? shown : { ...shown, warnings }
}

/** Returns an attachment as the API shows it. */
export const shownAttachment = (row: AttachmentRow): Record<string, unknown> => ({
  ...row,
  uploaded_by: row.created_by,
  url: `/api/permits/applications/${row.permit_id}/attachments/${row.id}/download`,
})

const shownDocument = ({ id, paper }: WholeFound) =>
  paper === null ? null : { ...paper, url: `/api/permits/applications/${id}/document?snapshot=${paper.sha256}` }

/** Returns an extension request as the API shows it. */
export const shownExtension = (row: ExtensionRow, flags: PermitFlags): Record<string, unknown> => ({
  ...row,
  request_id: row.id,
  permissions: shownFlags(extensionFlags(row, flags)),
})
