import { spoken } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { enforce, invalidField, notFound, refuse } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { conflictsAdded, stillAsWeighed } from '../kit/actions/conflicts.ts'
import { judgeOne } from '../kit/actions/facts.ts'
import { latestByTypes } from '../kit/domain/extensions.ts'
import { decidedAlready, permitFlags } from '../kit/domain/flags.ts'
import { type ExtensionRow, type PermitRow, permitRow } from '../kit/queries/permits.ts'
import { keepPermitPaper } from '../permit-documents/door.ts'
import { shownExtension, showPermit } from '../permit-lists/door.ts'
import { act, decideExtension, type Given, insertExtension, supersede } from '../permits/door.ts'
import { extensionRow, extensionsOf } from './queries.ts'

/** Lists the extension requests of a permit, oldest first. */
export async function listExtensions(ctx: Ctx, permit: PermitRow): Promise<unknown[]> {
  const { facts, graph } = await judgeOne(ctx, permit, null)
  const flags = permitFlags(facts, graph)
  return (await extensionsOf(ctx.db, permit.site_id, [permit.id])).map(row => shownExtension(row, flags))
}

/** Requests an extension of a live permit; a new request supersedes the open one. */
export async function requestExtension(
  ctx: Ctx,
  permit: PermitRow,
  body: { requested_end_at: string; reason?: string | null | undefined },
): Promise<Record<string, unknown>> {
  const { requested_end_at } = body
  if (permit.status === 'issued' && permit.end_at !== null) {
    const { facts } = await judgeOne(ctx, permit, null)
    const latest = latestByTypes(facts)
    const say = (at: string) => spoken(facts.timezone, at)
    if (requested_end_at <= permit.end_at)
      refuse(invalidField('requested_end_at', `must be later than the current end of the window, ${say(permit.end_at)}.`))
    if (requested_end_at <= ctx.now) refuse(invalidField('requested_end_at', `must be later than now, ${say(ctx.now)}.`))
    if (latest !== null && requested_end_at > latest)
      refuse(
        invalidField(
          'requested_end_at',
          `can be ${say(latest)} at the latest. Choose an earlier end and request another extension later, or reissue the permit.`,
          {
            latest_end_at: latest,
          },
        ),
      )
  }
  const id = ids.next()
  const { warnings } = await act(ctx, permit, 'request_extension', {
    requested_end_at,
    reason: body.reason,
    extension_id: id,
    requested_by_id: ctx.actor.id ?? '',
  })
  if (ctx.actor.id === null || permit.end_at === null) throw new Error('An extension request needs a person and a window.')
  await supersede(ctx.db, permit.site_id, permit.id)
  await insertExtension(ctx.db, {
    site_id: permit.site_id,
    id,
    permit_id: permit.id,
    requested_by: ctx.actor.id,
    requested_at: ctx.now,
    requested_end_at,
    previous_end_at: permit.end_at,
    reason: body.reason ?? null,
    status: 'requested',
  })
  const conflicts_added = await conflictsAdded(ctx, permit.site_id, permit.id, requested_end_at)
  return { ...(await shown(ctx, permit, id)), warnings, conflicts_added }
}

async function shown(ctx: Ctx, { site_id, id: permit_id }: PermitRow, id: Id): Promise<Record<string, unknown>> {
  const [row, permit] = [await extensionRow(ctx.db, site_id, id, false), await permitRow(ctx.db, site_id, permit_id, 'none')]
  if (row === null || permit === null) return refuse(notFound())
  const { facts, graph } = await judgeOne(ctx, permit, null)
  return shownExtension(row, permitFlags(facts, graph))
}

/** A request with its permit. */
export type OpenRequest = ExtensionRow & { permit: PermitRow }

/** Returns a request with its permit; null if it doesn’t exist. With `lock`, the permit is locked first, as everywhere. */
export async function findRequest(ctx: Ctx, site_id: Id, id: Id, lock: boolean): Promise<OpenRequest | null> {
  const found = await extensionRow(ctx.db, site_id, id, false)
  if (found === null) return null
  const permit = await permitRow(ctx.db, site_id, found.permit_id, lock ? 'change' : 'none')
  const row = permit === null ? null : await extensionRow(ctx.db, site_id, id, lock)
  return row === null || permit === null ? null : { ...row, permit }
}

/** Approves or rejects an extension request; refused when the permit is no longer live. */
export async function decideRequest(
  ctx: Ctx,
  request: OpenRequest,
  verdict: 'approved' | 'rejected',
  given: Given,
): Promise<Record<string, unknown>> {
  const { permit } = request
  enforce([decidedAlready(request)])
  const about = { extension_id: request.id, requested_by_id: request.requested_by, requested_end_at: request.requested_end_at }
  const { warnings, signature_id, weighed } = await act(ctx, permit, verdict === 'approved' ? 'approve_extension' : 'reject_extension', {
    ...given,
    ...about,
  })
  await decideExtension(ctx.db, permit.site_id, request.id, {
    status: verdict,
    decided_by: ctx.actor.id,
    decided_at: ctx.now,
    decision_reason: given.reason ?? null,
    signature_id,
  })
  if (verdict === 'approved') {
    await keepPermitPaper(ctx, permit, 'extension')
    if (weighed !== null && permit.end_at !== null)
      await stillAsWeighed(ctx, permit.site_id, permit.id, weighed, { from: permit.end_at, to: request.requested_end_at })
  }
  return showPermit(ctx, permit.site_id, permit.id, warnings)
}
