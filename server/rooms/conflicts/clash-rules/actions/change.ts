import { patched } from '../../../../../shared/conflicts/matrix.ts'
import { isMatrix, type RuleContent } from '../../../../../shared/conflicts/rules.ts'
import { fieldsIn } from '../../../../../shared/narrow.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { cellsOf, contentOf, differences, isSame, type RuleState } from '../domain.ts'
import { deleteRow, insertRules, nameKey, type RuleRow, ruleRow, rulesOf, updateRule } from '../queries.ts'
import type { ClashRuleChange, NewClashRule } from '../schema.ts'
import { soundContent } from './check.ts'
import { cantDelete, profileOf, showRule, stateOf, versionOf } from './show.ts'

const MOST_RULES = 200

/** The changed field of a rule when someone sets what its clashes mean for the work: the rule finds the same clashes as before. */
export const CONSEQUENCE = 'consequence'

/** Tells that a rule changed, and which fields. */
export function tell(
  ctx: Ctx,
  { site_id, id, profile_id }: Pick<RuleRow, 'site_id' | 'id' | 'profile_id'>,
  name: string,
  fields: readonly string[],
): void {
  ctx.emit({
    kind: 'clash_rule.changed',
    site_id,
    subject: { kind: 'clash_rule', id, label: name },
    payload: { rule_id: id, profile_id, fields },
  })
}

/** Locks the names of a site's rules, and refuses one that another rule of the profile has. */
async function refuseTakenName(ctx: Ctx, site_id: Id, profile_id: Id, name: string, own: Id | null): Promise<void> {
  await hold(ctx, 'clash_rules', site_id)
  const rules = await rulesOf(ctx.db, site_id, profile_id)
  const taken = rules.find(rule => rule.id !== own && nameKey(rule.name) === nameKey(name))
  if (taken !== undefined)
    refuse(conflict('key_taken', `The profile already has a rule called “${taken.name}”. Choose another name.`, { existing_id: taken.id }))
  if (own === null && rules.length >= MOST_RULES)
    refuse(conflict('too_many', `A profile can have at most ${MOST_RULES} rules. Delete one that you don’t need.`, { limit: MOST_RULES }))
}

const read = (given: Parameters<typeof contentOf>[0]): RuleContent => {
  const { content, faults } = contentOf(given)
  return faults.length > 0 ? refuse(invalid(faults)) : content
}

/** Adds a rule to a profile. */
export async function createRule(ctx: Ctx, body: NewClashRule) {
  const { site_id, name, description = '', enabled = true, when = true, time_buffer_minutes = 0, min_overlap_minutes = 0 } = body
  const { levels = { mode: 'same' as const } } = body
  const profile_id = await profileOf(ctx, site_id, body.profile_id)
  const { content, warnings } = await soundContent(
    ctx,
    site_id,
    read({ a: body.a, b: body.b, when, levels, time_buffer_minutes, min_overlap_minutes, outcome: body.outcome }),
  )
  await refuseTakenName(ctx, site_id, profile_id, name, null)
  const id = ids.next()
  const standard = { system_key: null, system_revision: null, system_content: null }
  await insertRules(
    ctx.db,
    site_id,
    [{ id, profile_id, origin_id: id, ...standard, name, description, enabled, content }],
    ctx.now,
    ctx.actor.id,
  )
  const row = (await ruleRow(ctx.db, site_id, id, false)) ?? refuse(notFound())
  tell(ctx, row, name, ['created'])
  return { ...(await showRule(ctx, row)), warnings }
}

/** Merges a change of the outcome: cells of a matrix one by one (§1, PATCH); anything else replaces it. */
function outcomeAfter(before: RuleContent['outcome'], given: unknown, faults: FieldFault[]): unknown {
  if (given === undefined) return before
  const { severity, matrix, cells, default_distance_m, ...others } = fieldsIn(given)
  const merges =
    isMatrix(before) && severity === undefined && Object.keys(others).length === 0 && (matrix === undefined || matrix === 'permit_type')
  if (!merges) return given
  return {
    ...before,
    ...(default_distance_m === undefined ? {} : { default_distance_m }),
    cells: cells === undefined ? before.cells : patched(before.cells, cellsOf(cells, faults)),
  }
}

/** Saves content that differs as the next version; equal content changes nothing. */
export async function saved(
  ctx: Ctx,
  row: RuleRow,
  next: RuleState,
  { note = null, reverted_from = null }: { note?: string | null; reverted_from?: number | null },
): Promise<RuleRow> {
  const changes = differences(stateOf(row), next)
  if (changes.length === 0) return row
  await updateRule(ctx.db, row, next, { at: ctx.now, by: ctx.actor.id, note, reverted_from })
  if (note !== null) ctx.note(row.id, { reason: note })
  tell(
    ctx,
    row,
    next.name,
    changes.map(({ path }) => path),
  )
  return (await ruleRow(ctx.db, row.site_id, row.id, false)) ?? refuse(notFound())
}

const here = (row: RuleRow): RuleRow => (row.deleted_at === null ? row : refuse(notFound()))

/** Changes a rule. */
export async function changeRule(ctx: Ctx, given: RuleRow, { change_note, ...body }: ClashRuleChange) {
  const row = here(given)
  const faults: FieldFault[] = []
  const { content } = row
  const outcome = outcomeAfter(content.outcome, body.outcome, faults)
  if (faults.length > 0) refuse(invalid(faults))
  const { a, b, when, levels, time_buffer_minutes, min_overlap_minutes } = { ...content, ...body }
  const given_content = read({ a, b, when, levels, time_buffer_minutes, min_overlap_minutes, outcome })
  const enabled = body.enabled ?? row.enabled
  // A rule that refers to what no longer exists can be renamed and switched off, but neither be saved as it is nor be switched on.
  const stays = isSame(given_content, content) && (row.enabled || !enabled)
  const sound = stays ? null : await soundContent(ctx, row.site_id, given_content)
  const next = {
    name: body.name ?? row.name,
    description: body.description ?? row.description,
    enabled,
    content: sound?.content ?? content,
  }
  if (next.name !== row.name) await refuseTakenName(ctx, row.site_id, row.profile_id, next.name, row.id)
  const shown = await showRule(ctx, await saved(ctx, row, next, { note: change_note ?? null }))
  return sound === null ? shown : { ...shown, warnings: sound.warnings }
}

/** Restores the content of a version as the next one. It is checked against the fields and types of today. */
export async function revertRule(ctx: Ctx, given: RuleRow, number: number, change_note: string | null) {
  const row = here(given)
  const { state } = await versionOf(ctx, row, number)
  const { content } = await soundContent(ctx, row.site_id, state.content)
  if (state.name !== row.name) await refuseTakenName(ctx, row.site_id, row.profile_id, state.name, row.id)
  return showRule(ctx, await saved(ctx, row, { ...state, content }, { note: change_note, reverted_from: number }))
}

/** Deletes a rule of the site; its versions stay readable. */
export async function removeRule(ctx: Ctx, given: RuleRow): Promise<void> {
  const row = here(given)
  enforce([cantDelete(row)])
  await deleteRow(ctx.db, row.site_id, row.id, ctx.now)
  ctx.note(row.id, { action: 'delete' })
  tell(ctx, row, row.name, ['deleted'])
}
