import { keysOf, recordOf } from '../../../../shared/narrow.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { conflict, expectVersion, explain, type FieldFault, invalid, refuse } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { forgetFetched } from '../../../base/memo.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import { DEFAULT_POLICY, type Policy } from '../kit/domain/policy.ts'
import { readdressGates } from '../permit-messages/door.ts'
import type { Regime } from '../permit-types/domain/sets.ts'
import { applyRegime, holdRegime } from '../permit-types/door.ts'
import { type ConfigRow, configRow, insertConfig, membersAmong, saveConfig } from './queries.ts'

function shown(ctx: Ctx, site_id: Id, row: ConfigRow | null): Record<string, unknown> {
  const permissions = flagsFor(ctx.actor, { edit: explain([ctx.actor.lacks('permit_settings_manage')]) })
  return { site_id, ...DEFAULT_POLICY, regime: null, updated_at: null, version: 0, ...row, permissions }
}

/** Returns a site's policy, or the defaults before the first save. */
export const showConfig = async (ctx: Ctx, site_id: Id): Promise<Record<string, unknown>> =>
  shown(ctx, site_id, await configRow(ctx.db, site_id, false))

/** Saves the whole policy: a field that is left out is reset to its default. */
export async function replaceConfig(
  ctx: Ctx,
  site_id: Id,
  body: Partial<Policy> & { site_id?: Id },
  if_match: string | undefined,
): Promise<Record<string, unknown>> {
  const { site_id: _site, ...fields } = body
  const policy: Policy = { ...DEFAULT_POLICY, ...fields }
  const people = [policy.nominee_user_id, policy.deputy_nominee_user_id].filter(id => id !== null)
  const members = await membersAmong(ctx.db, site_id, people)
  const faults: FieldFault[] = []
  for (const field of ['nominee_user_id', 'deputy_nominee_user_id'] as const) {
    const person = policy[field]
    if (person !== null && !members.has(person)) faults.push({ path: field, message: 'isn’t an active member of this site.' })
  }
  if (faults.length > 0) refuse(invalid(faults))
  const row = await configRow(ctx.db, site_id, true)
  const version = row?.version ?? 0
  expectVersion(if_match, version)
  const changed = keysOf(policy).filter(name => row === null || row[name] !== policy[name])
  if (row === null) {
    // If two first saves come at the same time, the second continues from the row of the first.
    if (!(await insertConfig(ctx.db, { ...policy, site_id, id: ids.next(), regime: null })))
      return replaceConfig(ctx, site_id, body, if_match)
  } else if (changed.length > 0) await saveConfig(ctx.db, site_id, policy)
  await emitChange(ctx, site_id, changed)
  return showConfig(ctx, site_id)
}

/** Applies a regime: coverage, and which types need a parent. Leads, nominees and the close-out gate stay. Applying it again changes nothing. */
export async function chooseRegime(ctx: Ctx, site_id: Id, regime: Regime): Promise<Record<string, unknown>> {
  await holdRegime(ctx, site_id)
  const coverage_policy_enabled = regime === 'major_hazard'
  const row = await configRow(ctx.db, site_id, true)
  if (row === null) {
    if (!(await insertConfig(ctx.db, { ...DEFAULT_POLICY, coverage_policy_enabled, site_id, id: ids.next(), regime })))
      return chooseRegime(ctx, site_id, regime)
  } else if (row.regime !== regime || row.coverage_policy_enabled !== coverage_policy_enabled)
    await saveConfig(ctx.db, site_id, { regime, coverage_policy_enabled })
  await applyRegime(ctx, site_id, regime)
  await emitChange(ctx, site_id, [
    ...(row?.regime === regime ? [] : ['regime']),
    // A policy that was switched by hand since is switched back.
    ...((row ?? DEFAULT_POLICY).coverage_policy_enabled === coverage_policy_enabled ? [] : ['coverage_policy_enabled']),
  ])
  return showConfig(ctx, site_id)
}

/** Restores fields of the policy. A regime has to be chosen again and can't be restored, because it also changes the types. */
export async function restoreFields(ctx: Ctx, row: ConfigRow, fields: Partial<ConfigRow>): Promise<void> {
  if ('regime' in fields)
    refuse(conflict('transition', 'A regime can’t be reverted field by field. Apply the regime that you want instead.'))
  const { site_id: _site, ...kept } = row
  const now = { ...kept, ...fields }
  const policy = recordOf(keysOf(DEFAULT_POLICY), name => now[name]) as Policy // a record of several types is made from each key
  await replaceConfig(ctx, row.site_id, policy, undefined)
}

async function emitChange(ctx: Ctx, site_id: Id, fields: string[]): Promise<void> {
  if (fields.length === 0) return
  const row = await configRow(ctx.db, site_id, false)
  ctx.emit({
    kind: 'permit_config.changed',
    site_id,
    subject: { kind: 'permit_config', id: row?.id ?? site_id, label: 'Permit policy' },
    payload: { fields },
  })
  if (fields.includes('coverage_policy_enabled')) ctx.redraw(site_id, 'tokens')
  if (fields.includes('expiring_warning_lead_hours')) {
    forgetFetched(ctx)
    await readdressGates(ctx, site_id)
  }
}
