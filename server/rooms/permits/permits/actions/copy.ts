import { listed } from '../../../../../shared/text.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, type FieldFault, invalid, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { decide } from '../../../../kernel/lifecycle/domain/decide.ts'
import { judgeOne, siteFacts, typesOf } from '../../kit/actions/facts.ts'
import { isOpen, nameOf } from '../../kit/domain/facts.ts'
import type { Warning } from '../../kit/domain/warnings.ts'
import { words } from '../../kit/domain/words.ts'
import { type PermitRow, permitRow } from '../../kit/queries/permits.ts'
import { showPermit } from '../../permit-lists/door.ts'
import { tellPermit } from '../../permit-messages/door.ts'
import { derived } from '../../permit-types/domain/sets.ts'
import type { PermitSet } from '../queries/permits.ts'
import type { FamilyMember } from '../schema.ts'
import { createDraft, parentOf, writeDraft } from './draft.ts'

/** What a new draft takes over as it is. */
const COPIED = [
  'contractor_id',
  'title',
  'description',
  'controls',
  'location',
  'zone_text',
  'level_text',
  'building_id',
  'level_index',
  'zone_id',
  'place_geometry',
  'start_at',
  'end_at',
  'hazards',
  'ppe',
  'limitations',
] as const
const copied = (permit: PermitRow): PermitSet => Object.fromEntries(COPIED.map(field => [field, permit[field]]))

/**
 * Creates a new draft from a permit, which stays as it is. The draft copies types, parent, contractor, texts, window, place and pre-checks, with their
 * answers marked as carried forward, but never attachments, receiver, signatures or stage controls.
 */
export async function reissuePermit(ctx: Ctx, permit: PermitRow): Promise<{ id: Id; shown: Record<string, unknown> }> {
  const { facts, graph, policy } = await judgeOne(ctx, permit, {})
  enforce(decide(graph, words, permit.status, 'reissue', facts, {}).refusals)
  const warnings: Warning[] = []
  const { types } = await siteFacts(ctx, permit.site_id)
  const active = permit.categories.filter(code => types.some(t => t.code === code && t.active))
  const retired = permit.categories.filter(code => !active.includes(code))
  if (retired.length > 0)
    warnings.push({
      code: 'type_retired',
      detail: `${listed(retired)} ${retired.length === 1 ? 'has' : 'have'} been retired, so the copy leaves ${retired.length === 1 ? 'it' : 'them'} out.`,
      ids: [],
    })
  const parent = permit.parent_id === null ? null : await permitRow(ctx.db, permit.site_id, permit.parent_id, 'share')
  const keeps = parent !== null && isOpen(parent.status)
  if (parent !== null && !keeps)
    warnings.push({
      code: 'parent_closed',
      detail: `The parent permit ${nameOf(parent)} is ${parent.status}, so the copy has no parent.`,
      ids: [parent.id],
    })
  const answers = permit.pre_checks.map(check => ({ ...check, carried_forward: check.answer !== null }))
  const checks = derived(typesOf(active, types)).pre_checks.map(({ code, label, required }) => {
    const old = answers.find(a => a.code === code)
    return {
      ...(old ?? { answer: null, answered_by: null, answered_at: null, comment: null, carried_forward: false }),
      code,
      label,
      required,
    }
  })
  const id = ids.next()
  await writeDraft(ctx, permit.site_id, id, {
    ...copied(permit),
    categories: active,
    pre_checks: checks,
    parent_id: keeps ? permit.parent_id : null,
    reissued_from_id: permit.id,
  })
  tellPermit(ctx, 'permit.reissued', permit, permit.status, facts.set.single_stage, graph, policy, { new_permit_id: id })
  return { id, shown: await showPermit(ctx, permit.site_id, id, warnings) }
}

/** Creates a parent and its children as drafts, in one transaction. A child outside its parent's window gives a warning. */
export async function requestFamily(
  ctx: Ctx,
  site_id: Id,
  body: { parent?: FamilyMember; parent_id?: Id; children: readonly FamilyMember[] },
): Promise<Record<string, unknown>> {
  if ((body.parent === undefined) === (body.parent_id === undefined))
    refuse(invalid([{ path: 'parent', message: 'is required if parent_id isn’t given, and can’t be given together with it.' }]))
  const faults: FieldFault[] = []
  const parent_id =
    body.parent === undefined
      ? await parentOf(ctx, site_id, body.parent_id ?? '', '', faults)
      : (await createDraft(ctx, site_id, body.parent)).id
  if (faults.length > 0 || parent_id === null) return refuse(invalid(faults))
  const parent = await permitRow(ctx.db, site_id, parent_id, 'none')
  if (parent === null) throw new Error('The parent permit is missing.')
  const children: Record<string, unknown>[] = []
  for (const child of body.children) {
    const row = await createDraft(ctx, site_id, { ...child, parent_id })
    const outside =
      (row.start_at !== null && parent.start_at !== null && row.start_at < parent.start_at) ||
      (row.end_at !== null && parent.end_at !== null && row.end_at > parent.end_at)
    const warnings = outside
      ? [
          {
            code: 'outside_parent_window',
            detail: `The permit window isn’t inside the window of the parent permit ${nameOf(parent)}.`,
            ids: [parent.id],
          },
        ]
      : []
    children.push(await showPermit(ctx, site_id, row.id, warnings))
  }
  return { parent: await showPermit(ctx, site_id, parent_id), children }
}
