import type { Ctx } from '../../../base/ctx.ts'
import { conflict, explain, type FieldFault, invalid, invalidField, refuse } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import { changesOf } from '../../../kernel/records/domain.ts'
import { hold } from '../../../kernel/records/door.ts'
import { CATALOGUE } from './domain/catalogue.ts'
import { checksOf, needsParent, type Regime, slotsOf } from './domain/sets.ts'
import { insertTypes, regimeOf, saveType, type TypeRow, typesOn } from './queries.ts'
import type { NewType, TypeChange } from './schema.ts'

const shown = (ctx: Ctx, row: TypeRow): Record<string, unknown> => ({
  ...row,
  permissions: flagsFor(ctx.actor, { edit: explain([ctx.actor.lacks('permit_settings_manage')]) }),
})

/** Lists a site's types, by code; retired ones too, flagged. */
export async function listTypes(ctx: Ctx, query: { site_id: Id; id?: readonly Id[]; active?: boolean }): Promise<unknown[]> {
  const rows = await typesOn(ctx.db, query.site_id, {
    ...(query.id === undefined ? {} : { ids: query.id }),
    ...(query.active === undefined ? {} : { active: query.active }),
  })
  return rows.map(row => shown(ctx, row))
}

/** Returns required documents and pre-checks as they are stored. */
function listsFrom(
  body: Pick<NewType, 'pre_checks' | 'expected_attachments'>,
): Pick<Partial<TypeRow>, 'pre_checks' | 'expected_attachments'> {
  const faults: FieldFault[] = []
  const lists = {
    ...(body.pre_checks === undefined ? {} : { pre_checks: checksOf(body.pre_checks, faults) }),
    ...(body.expected_attachments === undefined ? {} : { expected_attachments: slotsOf(body.expected_attachments, faults) }),
  }
  if (faults.length > 0) refuse(invalid(faults))
  return lists
}

/**
 * Makes new types and changes of the regime of a site wait for each other: the regime decides whether a new type needs a parent, and when it is applied first, the site has no row that
 * could be locked.
 */
export const holdRegime = (ctx: Ctx, site_id: Id): Promise<void> => hold(ctx, 'permit regime', site_id)

/** Adds a type; only its code is required. */
export async function createType(ctx: Ctx, body: NewType): Promise<Record<string, unknown>> {
  const { site_id, code, name, pre_checks, expected_attachments, ...rest } = body
  await holdRegime(ctx, site_id)
  const taken = (await typesOn(ctx.db, site_id)).find(type => type.code === code)
  if (taken !== undefined)
    refuse(
      conflict(
        'key_taken',
        `There is already a permit type with the code “${code}”${taken.active ? '. Choose another code' : ', which is retired. Restore it instead'}.`,
        {
          existing_id: taken.id,
        },
      ),
    )
  const regime = (await regimeOf(ctx.db, site_id)) as Regime | null // only these values are written there
  const row = {
    active: true,
    requires_parent: needsParent(regime, code),
    is_extendable: false,
    single_stage: false,
    requires_powra: false,
    default_duration_hours: null,
    pre_checks: [],
    expected_attachments: [],
    ...rest,
    ...listsFrom({ pre_checks, expected_attachments }),
    site_id,
    id: ids.next(),
    code,
    name: name ?? code,
    system_key: null,
  }
  await insertTypes(ctx.db, [row])
  tell(ctx, site_id, row, ['code'])
  return one(ctx, site_id, row.id)
}

async function one(ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown>> {
  const [row] = await typesOn(ctx.db, site_id, { ids: [id] })
  if (row === undefined) throw new Error('The type that was just saved is missing.')
  return shown(ctx, row)
}

/** Changes a type. Retiring one or changing its flags is never refused, even if it is standard or in use: every set with the type changes immediately (rule 5). */
export async function changeType(ctx: Ctx, row: TypeRow, body: TypeChange): Promise<Record<string, unknown>> {
  const { site_id: _site, code, pre_checks, expected_attachments, ...rest } = body
  if (code !== undefined && code !== row.code) refuse(invalidField('code', 'can’t be changed. Retire this type and create another.'))
  const set = changesOf(row, { ...rest, ...listsFrom({ pre_checks, expected_attachments }) })
  if (Object.keys(set).length > 0) {
    await saveType(ctx.db, row.site_id, row.id, set)
    tell(ctx, row.site_id, row, Object.keys(set))
  }
  return one(ctx, row.site_id, row.id)
}

/** Restores fields to earlier values. */
export async function restoreFields(ctx: Ctx, row: TypeRow, fields: Partial<TypeRow>): Promise<void> {
  await saveType(ctx.db, row.site_id, row.id, fields)
  tell(ctx, row.site_id, row, Object.keys(fields))
}

function tell(ctx: Ctx, site_id: Id, row: { id: Id; code: string }, fields: string[]): void {
  ctx.emit({
    kind: 'permit_type.changed',
    site_id,
    subject: { kind: 'permit_type', id: row.id, label: row.code },
    payload: { code: row.code, fields },
  })
}

/** Gives a site these standard types, except for those whose code it already uses. */
export async function seedTypes(ctx: Ctx, site_id: Id, codes: readonly string[]): Promise<void> {
  const used = new Set((await typesOn(ctx.db, site_id)).map(type => type.code))
  await insertTypes(
    ctx.db,
    CATALOGUE.filter(({ code }) => codes.includes(code) && !used.has(code)).map(type => ({
      ...type,
      site_id,
      id: ids.next(),
      system_key: type.code,
    })),
  )
}

/** Replaces the standard types with those of another site. */
export async function copyTypes(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<void> {
  const rows = await typesOn(ctx.db, from_site_id)
  await insertTypes(
    ctx.db,
    rows.map(({ version: _v, created_at: _c, updated_at: _u, ...type }) => columns(type, site_id)),
  )
}

const columns = (type: Omit<TypeRow, 'version' | 'created_at' | 'updated_at'>, site_id: Id) => {
  const {
    code,
    name,
    active,
    requires_parent,
    is_extendable,
    single_stage,
    requires_powra,
    pre_checks,
    expected_attachments,
    default_duration_hours,
    system_key,
  } = type
  return {
    code,
    name,
    active,
    requires_parent,
    is_extendable,
    single_stage,
    requires_powra,
    pre_checks,
    expected_attachments,
    default_duration_hours,
    system_key,
    site_id,
    id: ids.next(),
  }
}

/** Applies a regime, which decides which of the existing types need a parent (`permits.md`, Regime). */
export async function applyRegime(ctx: Ctx, site_id: Id, regime: Regime): Promise<void> {
  for (const row of await typesOn(ctx.db, site_id)) {
    const requires_parent = needsParent(regime, row.code)
    if (requires_parent === row.requires_parent) continue
    await saveType(ctx.db, site_id, row.id, { requires_parent })
    tell(ctx, site_id, row, ['requires_parent'])
  }
}
