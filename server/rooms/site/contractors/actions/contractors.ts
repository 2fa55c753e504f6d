import { createHash } from 'node:crypto'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, explain, notFound, refuse } from '../../../../base/errors.ts'
import type { FileAnswer } from '../../../../base/files.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { deepFrozen } from '../../../../base/memo.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { contractorScope, myScope } from '../../../../kernel/access/door.ts'
import { type Brought, download, fileOf, keepFile, smaller } from '../../../../kernel/evidence/door.ts'
import { changesOf } from '../../../../kernel/records/domain.ts'
import { hold, usedAmong, usesBeforeDeletion, usesOf } from '../../../../kernel/records/door.ts'
import { whileSettled } from '../../../../kernel/site/door.ts'
import { acceptableName, colourOf, folded, nameKey, naming, shadesOf, shortNameOf, similarColours } from '../domain.ts'
import {
  type ContractorRow,
  contractorsOf,
  contractorsOn,
  deleteContractor,
  insertContractors,
  mainContractorOf,
  saveContractor,
  writeNames,
} from '../queries.ts'
import type { ContractorChange, ContractorFilter, NewContractor } from '../schema.ts'
import { seenByStranger } from './strangers.ts'

/** Returns the colour that is derived from a name. */
export const derivedColour = (name: string): string => colourOf(createHash('sha256').update(nameKey(name).key, 'utf8').digest())

export const namesOf = (contractor: Pick<ContractorRow, 'id' | 'name' | 'aliases'>) =>
  [...new Map([contractor.name, ...contractor.aliases].map(name => [folded(name), name])).values()].map(name => ({
    contractor_id: contractor.id,
    folded: folded(name),
    key: nameKey(name).key,
  }))

/** Returns whether the caller can see this contractor's contact details. */
export const seesContacts = async (ctx: Ctx, id: Id): Promise<boolean> => ctx.actor.can('contractor_edit') || (await myScope(ctx)).has(id)

/** Returns contractors as the API shows them: flags, similar colours, and contact details for those who can see them. */
async function shown(ctx: Ctx, site_id: Id, rows: readonly ContractorRow[]): Promise<Record<string, unknown>[]> {
  const scope = await myScope(ctx)
  const shades = await whileSettled(ctx, site_id, 'colours of contractors', async () =>
    deepFrozen(shadesOf(await contractorsOf(ctx.db, site_id))),
  )
  const similar = similarColours(shades, rows)
  const main = await mainContractorOf(ctx.db, site_id)
  const used = await usedAmong(
    ctx,
    'contractor',
    site_id,
    rows.map(row => row.id),
  )
  const coordinates = ctx.actor.can('contractor_edit')
  return rows.map(({ logo_sha256: _sha, logo_type: _type, email, phone, address, ...row }) => ({
    ...row,
    ...(coordinates || scope.has(row.id) ? { email, phone, address } : {}),
    is_main: row.id === main,
    similar_to: similar.get(row.id) ?? [],
    in_use: used.has(row.id),
    permissions: flagsFor(ctx.actor, {
      edit: explain([ctx.actor.lacks('contractor_edit')]),
      delete: explain([
        ctx.actor.lacks('contractor_manage'),
        used.has(row.id) ? conflict('in_use', `${row.name} is used by other records. ${LEAVES_INSTEAD}`) : null,
      ]),
      oversee: explain([ctx.actor.lacks('contractor_manage')]),
    }),
  }))
}

async function shownOne(ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown>> {
  const rows = await contractorsOn(ctx.db, site_id, { ids: [id], limit: 1, after: null })
  const [one] = await shown(ctx, site_id, rows)
  return one ?? refuse(notFound())
}

/** Lists a site's contractors, by key and id. */
export async function listContractors(ctx: Ctx, filter: ContractorFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const { site_id } = filter
  const limit = filter.limit ?? PAGE
  let only = filter.id
  if (filter.overseen_by !== undefined) {
    const overseen = new Set<Id>()
    for (const overseer of filter.overseen_by)
      for (const id of await contractorScope(ctx, site_id, overseer)) if (id !== overseer) overseen.add(id)
    only = [...overseen].filter(id => filter.id === undefined || filter.id.includes(id))
  }
  const found = await contractorsOn(ctx.db, site_id, {
    ...(filter.q === undefined ? {} : { q: filter.q }),
    ...(filter.trade === undefined ? {} : { trade: filter.trade }),
    ...(only === undefined ? {} : { ids: only }),
    // A contractor that is requested by its id is found even if it has left.
    ...(filter.status === undefined && filter.id !== undefined ? {} : { status: filter.status ?? ['active'] }),
    updated_since: filter.updated_since,
    limit,
    after: readCursor(filter.cursor, 2),
  })
  const { rows, next } = cut(found, limit, row => [row.name_key, row.id])
  const answer = await shown(ctx, site_id, rows)
  if (!filter.include?.includes('counts')) return { rows: answer, next }
  const counts = await usesOf(
    ctx,
    'contractor',
    'now',
    site_id,
    rows.map(r => r.id),
  )
  return {
    next,
    rows: answer.map((row, i) => ({ ...row, counts: { members: 0, workers_now: 0, live_permits: 0, ...counts.get(rows[i]?.id ?? '') } })),
  }
}

/** Adds a contractor. */
export async function createContractor(ctx: Ctx, body: NewContractor): Promise<Record<string, unknown>> {
  const { site_id, confirm_similar, ...given } = body
  enforce([acceptableName(given.name)])
  enforce([naming([given.name, ...(given.aliases ?? [])], null, await contractorsOf(ctx.db, site_id), confirm_similar === true)])
  const row = newRow(site_id, given.name, { source: 'manual', ...given })
  await insertContractors(ctx.db, [row])
  await writeNames(ctx.db, site_id, namesOf(row))
  tell(ctx, 'contractor.created', row)
  return shownOne(ctx, site_id, row.id)
}

export function newRow(
  site_id: Id,
  name: string,
  given: Partial<Omit<ContractorRow, 'colour' | 'name'>> & { colour?: string | null },
): Omit<ContractorRow, 'version' | 'created_at' | 'updated_at'> {
  const { colour, ...rest } = given
  return {
    aliases: [],
    trades: [],
    registration_number: null,
    email: null,
    phone: null,
    address: null,
    status: 'active',
    source: 'manual',
    ...rest,
    site_id,
    id: ids.next(),
    name,
    name_key: nameKey(name).key,
    short_name: given.short_name ?? shortNameOf(name),
    colour: colour?.toLowerCase() ?? derivedColour(name),
    colour_source: colour == null ? 'derived' : 'chosen',
    logo_sha256: null,
    logo_type: null,
    logo_version: 0,
  }
}

export function tell(
  ctx: Ctx,
  kind: string,
  row: Pick<ContractorRow, 'site_id' | 'id' | 'name'>,
  payload: Record<string, unknown> = {},
): void {
  ctx.emit({
    kind,
    site_id: row.site_id,
    subject: { kind: 'contractor', id: row.id, label: row.name },
    contractor_ids: [row.id],
    payload: { contractor_id: row.id, ...payload },
  })
}

/**
 * Changes a contractor. If the name changes, a derived colour is derived again, and the old name becomes an alias so that the next spreadsheet still
 * matches.
 */
export async function changeContractor(ctx: Ctx, row: ContractorRow, body: ContractorChange): Promise<Record<string, unknown>> {
  const { colour, ...set } = body
  const name = set.name ?? row.name
  enforce([acceptableName(name)])
  const renamed = folded(name) !== folded(row.name)
  const kept = (set.aliases ?? row.aliases).filter(alias => folded(alias) !== folded(name))
  const aliases = renamed && !kept.some(alias => folded(alias) === folded(row.name)) ? [...kept, row.name].slice(-20) : kept
  if (set.name !== undefined || set.aliases !== undefined)
    enforce([naming([name, ...aliases], row.id, await contractorsOf(ctx.db, row.site_id), true)])
  const chosen = colour === undefined ? row.colour_source === 'chosen' : colour !== null
  const next = {
    ...set,
    aliases,
    name,
    name_key: nameKey(name).key,
    colour: colour?.toLowerCase() ?? (chosen ? row.colour : derivedColour(name)),
    colour_source: chosen ? ('chosen' as const) : ('derived' as const),
  }
  await settle(ctx, row, next, Object.keys(body))
  const answer = await shownOne(ctx, row.site_id, row.id)
  if (set.status !== 'left') return answer
  const ahead = (await usesOf(ctx, 'contractor', 'ahead', row.site_id, [row.id])).get(row.id)
  return { ...answer, still_here: { workers_ahead: 0, open_permits: 0, members: 0, ...ahead } }
}

/** Writes a changed contractor with all its names, and emits the event. */
async function settle(ctx: Ctx, row: ContractorRow, wanted: Partial<ContractorRow>, named: readonly string[]): Promise<void> {
  const set = changesOf(row, wanted)
  if (Object.keys(set).length === 0) return
  const next = { ...row, ...set }
  await saveContractor(ctx.db, row.site_id, row.id, set)
  await writeNames(ctx.db, row.site_id, namesOf(next))
  tell(ctx, 'contractor.changed', next, { fields: named.filter(field => field in set || (field === 'colour' && 'colour_source' in set)) })
  if (next.name !== row.name || next.colour !== row.colour || next.short_name !== row.short_name) ctx.redraw(row.site_id, 'tokens', 'areas')
}

/** Restores fields to earlier values. The old name does not become an alias, because it is what the revert removes. */
export async function restoreFields(ctx: Ctx, row: ContractorRow, fields: Partial<ContractorRow>): Promise<void> {
  const { name = row.name, aliases = row.aliases, logo_version: _counts, ...rest } = fields
  enforce([naming([name, ...aliases], row.id, await contractorsOf(ctx.db, row.site_id), true)])
  const logo = 'logo_sha256' in rest ? { logo_version: row.logo_version + 1 } : {}
  await settle(ctx, row, { ...rest, ...logo, name, aliases, name_key: nameKey(name).key }, Object.keys(fields))
}

/** Restores a deleted contractor under its id, unless its name has been taken since. */
export async function restoreDeleted(ctx: Ctx, row: ContractorRow): Promise<void> {
  enforce([naming([row.name, ...row.aliases], row.id, await contractorsOf(ctx.db, row.site_id), true)])
  const { version: _v, created_at: _c, updated_at: _u, ...columns } = row
  await insertContractors(ctx.db, [{ ...columns, name_key: nameKey(row.name).key }])
  await writeNames(ctx.db, row.site_id, namesOf(row))
  tell(ctx, 'contractor.created', row)
}

const LEAVES_INSTEAD = 'Mark the contractor as left instead; its records then stay.'

/** Uses of a contractor whose names say too little: as plurals, in words. */
const USE_WORDS: Readonly<Record<string, string>> = {
  oversight: 'oversight pairs',
  main_contractor: 'main contractor periods',
  decisions_about_clashes: 'clash decisions',
}

/** Deletes a contractor that nothing refers to; for any other, the refusal says to set it to `left`. */
export async function removeContractor(ctx: Ctx, row: ContractorRow): Promise<void> {
  await hold(ctx, 'contractors', row.site_id) // lists of contractors, such as the audience of an alert, share it while they are written
  const in_use = (await usesBeforeDeletion(ctx, 'contractor', row.site_id, [row.id])).get(row.id) ?? {}
  if (Object.keys(in_use).length > 0) {
    const said = Object.entries(in_use).map(([what, n]) => {
      const noun = USE_WORDS[what] ?? what.replaceAll('_', ' ')
      return `${n} ${n === 1 ? noun.replace(/s$/, '') : noun}`
    })
    refuse(conflict('in_use', `${row.name} is used by ${said.join(', ')}. ${LEAVES_INSTEAD}`, { in_use }))
  }
  await deleteContractor(ctx.db, row.site_id, row.id)
  tell(ctx, 'contractor.deleted', row)
}

/** Sets a contractor's logo; the one that it has stays as it is. */
export async function setLogo(ctx: Ctx, row: ContractorRow, logo: Brought): Promise<Record<string, unknown>> {
  if (logo.sha256 === row.logo_sha256) return shownOne(ctx, row.site_id, row.id)
  await keepFile(ctx, row.site_id, logo)
  await saveContractor(ctx.db, row.site_id, row.id, {
    logo_sha256: logo.sha256,
    logo_type: logo.media_type,
    logo_version: row.logo_version + 1,
  })
  tell(ctx, 'contractor.changed', row, { fields: ['logo'] })
  return shownOne(ctx, row.site_id, row.id)
}

/** Removes a contractor's logo. */
export async function dropLogo(ctx: Ctx, row: ContractorRow): Promise<void> {
  if (row.logo_sha256 === null) refuse(notFound())
  await saveContractor(ctx.db, row.site_id, row.id, { logo_sha256: null, logo_type: null, logo_version: row.logo_version + 1 })
  tell(ctx, 'contractor.changed', row, { fields: ['logo'] })
}

/** Returns a contractor's logo, as it was uploaded or scaled down. With `v` in the URL it never changes. */
export async function showLogo(
  ctx: Ctx,
  row: ContractorRow,
  query: { size?: '64' | '256' | 'original'; v?: string; token?: string },
): Promise<FileAnswer> {
  if (ctx.actor.kind === 'nobody') await seenByStranger(ctx, row, query.token)
  const file = row.logo_sha256 === null ? null : await fileOf(ctx.db, row.site_id, row.logo_sha256)
  if (file === null) return refuse(notFound())
  const immutable = query.v !== undefined
  if (query.size === 'original') return download(ctx, file, `${row.name} logo`, { inline: true, immutable })
  return smaller(ctx, file, Number(query.size ?? '256'), `logo${query.size ?? '256'}`, { immutable })
}
