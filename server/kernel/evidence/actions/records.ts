// Evidence: files attached to a record, described there, adopted by other records, removed while nothing relies on them (`flow-of-work.md` §0.5).
import type { Ctx } from '../../../base/ctx.ts'
import { conflict, enforce, explain, invalid, invalidField, notFound, type Refusal, refuse, type Verdict } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { flagsFor } from '../../access/domain.ts'
import type { Condition } from '../../listing/door.ts'
import { changesOf } from '../../records/domain.ts'
import { allKinds, type Kind, kind, kindNamed } from '../../records/door.ts'
import { pinFaults, siteOf } from '../../site/door.ts'
import { FILES_AT_MOST, OWN_FOR, type Pin, type Role, takenAt } from '../domain.ts'
import {
  adoptedBy,
  adoptionsOf,
  type CitedRow,
  describeEvidence,
  dropEvidence,
  type EvidenceRow,
  evidenceOf,
  evidenceRow,
  factsOf,
  insertEvidence,
  isAdoptedBy,
} from '../queries.ts'
import { type Brought, keepFile } from './files.ts'

/** A file of a record, as a record: who can see its owner can see it. */
export const evidence = kind<EvidenceRow>({
  name: 'evidence',
  label: row => row.filename,
  parent: row => ({ kind: row.owner_kind, id: row.owner_id }),
  sees: async (ctx, row) => (await visible(ctx, row.site_id, { kind: row.owner_kind, id: row.owner_id })) !== null,
  revert: 'ledger',
})

/** The record that a file is attached to. */
export type Owner = { site_id: Id; kind: string; id: Id }

/** What the caller can do with the files of a record. */
export type EvidenceRights = {
  /** Why the caller can’t attach and describe files; null if they can. */
  add: Verdict
  /** Why no file can be removed in this state of the record; null if files can be. */
  frozen: Verdict
  /** The permission to remove any file; people can remove their own for 24 hours. */
  remove_any: string
}

/** What is said about a file. */
export type Description = { role: Role; caption?: string | null; taken_at?: string | null; pin?: Pin | null }

/** Returns a record that the caller can see, with its kind; null if there is none. */
async function visible(ctx: Ctx, site_id: Id, pointer: { kind: string; id: Id }): Promise<{ of: Kind; row: { id: Id } } | null> {
  const of = kindNamed(pointer.kind)
  const row = (await of?.find(ctx, site_id, pointer.id, false)) ?? null
  return of === undefined || row === null || !(await of.sees(ctx, row)) ? null : { of, row }
}

/** Attaches an uploaded file. A file that the record has already is returned as it is, with `made` false. */
export async function attachEvidence(ctx: Ctx, owner: Owner, file: Brought, said: Description): Promise<{ id: Id; made: boolean }> {
  await checkPin(ctx, owner.site_id, said.pin)
  await keepFile(ctx, owner.site_id, file)
  const facts = file.facts
  const { timezone } = await siteOf(ctx, owner.site_id)
  return put(ctx, owner, {
    ...{ sha256: file.sha256, media_type: file.media_type, size: file.size, width: file.width, height: file.height },
    filename: file.filename || 'file',
    role: said.role,
    caption: said.caption ?? null,
    taken_at: takenAt(facts, timezone, ctx.now) ?? said.taken_at ?? null,
    taken_point: facts?.lon == null || facts.lat === null ? null : { lon: facts.lon, lat: facts.lat },
    pin: said.pin ?? null,
    ...{ source_kind: null, source_record_id: null, source_id: null },
  })
}

/**
 * Attaches a file of another record that the caller can see: a link to the same bytes. The link always points at the record that the file was first
 * attached to.
 */
export async function adoptEvidence(
  ctx: Ctx,
  owner: Owner,
  from: { record_kind: string; record_id: Id; evidence_id: Id },
  said: Description,
): Promise<{ id: Id; made: boolean }> {
  await checkPin(ctx, owner.site_id, said.pin)
  if (kindNamed(from.record_kind)?.holds_evidence !== true)
    refuse(invalidField('evidence.record_kind', 'isn’t a kind of record that has evidence.'))
  const seen = await visible(ctx, owner.site_id, { kind: from.record_kind, id: from.record_id })
  if (seen === null) refuse(absent('evidence.record_id'))
  const row = await evidenceRow(ctx.db, owner.site_id, { kind: from.record_kind, id: from.record_id }, from.evidence_id, 'share')
  if (row === null) return refuse(absent('evidence.evidence_id'))
  const { sha256, media_type, size, width, height, filename, taken_at, taken_point } = row
  return put(ctx, owner, {
    ...{ sha256, media_type, size, width, height, filename, taken_at, taken_point },
    role: said.role,
    caption: said.caption ?? null,
    pin: said.pin ?? null,
    source_kind: row.source_kind ?? row.owner_kind,
    source_record_id: row.source_record_id ?? row.owner_id,
    source_id: row.source_id ?? row.id,
  })
}

/** Writes a file of a record, unless the record has these bytes already. The route has locked the record. */
async function put(
  ctx: Ctx,
  owner: Owner,
  row: Omit<Parameters<typeof insertEvidence>[1], 'site_id' | 'id' | 'owner_kind' | 'owner_id'>,
): Promise<{ id: Id; made: boolean }> {
  const there = await evidenceOf(ctx.db, owner.site_id, owner.kind, [owner.id])
  const same = there.find(one => one.sha256 === row.sha256)
  if (same !== undefined) return { id: same.id, made: false }
  if (there.length >= FILES_AT_MOST) refuse(conflict('too_many', `This record has ${FILES_AT_MOST} files already. Remove a file first.`))
  const id = ids.next()
  await insertEvidence(ctx.db, { ...row, site_id: owner.site_id, id, owner_kind: owner.kind, owner_id: owner.id })
  return { id, made: true }
}

/** Changes what is said about a file: never its bytes, and its time only if the file has none of its own. Returns whether anything was changed. */
export async function changeEvidence(ctx: Ctx, owner: Owner, id: Id, change: Partial<Description>): Promise<boolean> {
  const row = (await evidenceRow(ctx.db, owner.site_id, owner, id, 'update')) ?? refuse(notFound())
  await checkPin(ctx, owner.site_id, change.pin)
  const changes = changesOf(row, change)
  if (Object.keys(changes).length === 0) return false
  if ('taken_at' in changes) {
    const { timezone } = await siteOf(ctx, owner.site_id)
    const own_time = takenAt(await factsOf(ctx.db, owner.site_id, row.sha256), timezone, ctx.now)
    if (own_time !== null) refuse(invalidField('taken_at', 'comes from the file itself, so it can’t be changed. Leave it out.'))
  }
  await describeEvidence(ctx.db, row, changes)
  return true
}

/**
 * Removes a file from a record. For 24 hours, the person who attached it can; otherwise it takes a permission. A closed record keeps its files, and a
 * cited file stays.
 */
export async function removeEvidence(ctx: Ctx, owner: Owner, id: Id, rights: EvidenceRights): Promise<void> {
  const row = (await evidenceRow(ctx.db, owner.site_id, owner, id, 'update')) ?? refuse(notFound())
  enforce(removing(ctx, row, rights))
  await dropUncited(ctx, row)
}

/** Removes all files of a record that is deleted permanently; refuses if another record cites one. */
export async function removeAllEvidence(ctx: Ctx, owner: Owner): Promise<void> {
  for (const { id } of await evidenceOf(ctx.db, owner.site_id, owner.kind, [owner.id])) {
    const row = await evidenceRow(ctx.db, owner.site_id, owner, id, 'update')
    if (row !== null) await dropUncited(ctx, row)
  }
}

/** Removes a file that is locked, unless another record cites it: nobody can adopt it meanwhile. */
async function dropUncited(ctx: Ctx, row: EvidenceRow): Promise<void> {
  const adopters = await adoptionsOf(ctx.db, row.site_id, row.id)
  if (adopters.length > 0) refuse(cited(row, await pointersTo(ctx, adopters)))
  await dropEvidence(ctx.db, row)
}

const pointersTo = (ctx: Ctx, adopters: readonly EvidenceRow[]) => Promise.all(adopters.map(one => pointerTo(ctx, one.site_id, one)))

/** Lists the records that have adopted a file; those that the caller can’t see are hidden. */
export const citedBy = async (ctx: Ctx, file: EvidenceRow): Promise<Record<string, unknown>[]> =>
  pointersTo(ctx, await adoptionsOf(ctx.db, file.site_id, file.id))

const publishing = () => allKinds().flatMap(one => (one.publishes ? [one.name] : []))

/** Returns the condition that a record of this kind, by the column with its id, has a file that was published: a record that is issued shows it. */
export const published = (site_id: Id, record: Condition, kind: string): Condition => adoptedBy(site_id, record, kind, publishing())

/** Returns whether a record has a file that was published. */
export const isPublished = (ctx: Ctx, { site_id, kind, id }: Owner): Promise<boolean> =>
  isAdoptedBy(ctx.db, site_id, { kind, id }, publishing())

const removing = (ctx: Ctx, row: EvidenceRow, rights: EvidenceRights): Verdict[] => {
  const own = row.created_by === ctx.actor.id && Date.parse(ctx.now) - Date.parse(row.created_at) <= OWN_FOR
  return [rights.frozen, own ? null : ctx.actor.lacks(rights.remove_any)]
}
const cited = (row: EvidenceRow, cited_by: unknown[] = []): Refusal =>
  conflict('cited', `${row.filename} is also attached to another record. Remove it from that record first.`, { cited_by })
const absent = (field: string): Refusal => ({ ...notFound(), context: { field } })

/** Returns a pointer to the record of a file, with its name; hidden if the caller can’t see it. */
async function pointerTo(ctx: Ctx, site_id: Id, row: { owner_kind: string; owner_id: Id }): Promise<Record<string, unknown>> {
  const seen = await visible(ctx, site_id, { kind: row.owner_kind, id: row.owner_id })
  return seen === null
    ? { kind: row.owner_kind, id: null, label: null, hidden: true }
    : { kind: row.owner_kind, id: row.owner_id, label: seen.of.label(seen.row), hidden: false }
}

async function checkPin(ctx: Ctx, site_id: Id, pin: Pin | null | undefined): Promise<void> {
  const faults = pin == null ? [] : await pinFaults(ctx, site_id, pin, 'pin')
  if (faults.length > 0) refuse(invalid(faults))
}

/** Returns the files of these records as the API shows them, by record. `rights` says what the caller can do with those of each. */
export async function shownEvidence(
  ctx: Ctx,
  site_id: Id,
  owner_kind: string,
  rights: ReadonlyMap<Id, EvidenceRights>,
): Promise<Map<Id, Record<string, unknown>[]>> {
  const rows = await evidenceOf(ctx.db, site_id, owner_kind, [...rights.keys()])
  const sources = new Map<Id, Record<string, unknown>>()
  for (const { source_id, source_kind, source_record_id } of rows) {
    if (source_id === null || source_kind === null || source_record_id === null || sources.has(source_record_id)) continue
    sources.set(source_record_id, await pointerTo(ctx, site_id, { owner_kind: source_kind, owner_id: source_record_id }))
  }
  const shown = new Map<Id, Record<string, unknown>[]>([...rights.keys()].map(id => [id, []]))
  for (const row of rows) {
    const may = rights.get(row.owner_id)
    if (may !== undefined) shown.get(row.owner_id)?.push(shownOne(ctx, row, may, sources.get(row.source_record_id ?? '')))
  }
  return shown
}

function shownOne(ctx: Ctx, row: CitedRow, may: EvidenceRights, source: Record<string, unknown> | undefined): Record<string, unknown> {
  const { id, role, caption, filename, media_type, size, width, height, sha256, taken_at, taken_point, pin, created_at, created_by } = row
  const flags = { change: explain([may.add]), remove: explain([...removing(ctx, row, may), row.cited > 0 ? cited(row) : null]) }
  return {
    ...{ id, role, caption, filename, media_type, size, width, height, sha256, taken_at, taken_point, pin },
    ...{ added_at: created_at, added_by: created_by },
    adopted_from: source === undefined ? null : { ...source, evidence_id: source.hidden === true ? null : row.source_id },
    permissions: flagsFor(ctx.actor, flags),
  }
}

/** Returns one file of a record. */
export async function oneEvidence(ctx: Ctx, owner: Owner, id: Id): Promise<EvidenceRow> {
  return (await evidenceRow(ctx.db, owner.site_id, owner, id, 'none')) ?? refuse(notFound())
}
