import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { placeFinder } from '../../../map/reference-features/door.ts'
import { contractorsOf, resolveContractors } from '../../../site/contractors/door.ts'
import { stopLanded } from '../../permit-stops/door.ts'
import { type Landed, type Landing, landPermits, type Numbered, permitsNumbered } from '../../permits/door.ts'
import { contractorFinder } from '../domain/contractors.ts'
import type { Field } from '../domain/formats.ts'
import { landingOf, titleOf } from '../domain/landing.ts'
import { lastOfEach, type Repeat } from '../domain/repeats.ts'
import type { RegisterRow, RowFault } from '../domain/rows.ts'
import { insertSet, saveSet } from '../queries.ts'
import type { Register } from './gather.ts'

/** What an import did, or would do. */
export type Uploaded = {
  set_id: Id | null
  new: number
  updated: number
  unchanged: number
  contractors_created: { id: Id | null; name: string; colour: string }[]
  unresolved_locations: { row: number; value: string; message: string }[]
  duplicates: Repeat[]
  kept: { row: number; permit_number: string; status: string }[]
  errors: RowFault[]
  warnings: Register['warnings']
}

type Named = Omit<RegisterRow, 'contractor'> & { contractor: { id: Id } | { made: string } | null }
// Rows in one turn of the event loop: a few milliseconds, even if their text is odd.
const AT_ONCE = 100

/** Finds the contractor of each row. A row whose contractor is ambiguous is refused. */
async function withContractors(ctx: Ctx, site_id: Id, register: Register, errors: RowFault[]): Promise<Named[]> {
  const contractorOf = contractorFinder(await contractorsOf(ctx.db, site_id))
  const named: Named[] = []
  for (const [i, row] of register.rows.entries()) {
    if (i % AT_ONCE === 0) await nextTurn()
    const found = contractorOf(row)
    if (found.is === 'fault') errors.push(found.fault)
    else named.push({ ...row, contractor: found.is === 'known' ? { id: found.id } : found.is === 'made' ? { made: found.name } : null })
  }
  return named
}

type Plan = { row: Named; present: Numbered | null; revive: boolean }

/** Decides what happens to each row; if a number appears twice, the last row counts. */
async function plansFor(ctx: Ctx, site_id: Id, rows: readonly Named[], errors: RowFault[]) {
  const numbers = [...new Set(rows.map(row => row.permit_number))]
  const present = new Map((await permitsNumbered(ctx.db, site_id, numbers)).map(permit => [permit.permit_number, permit]))
  const last = lastOfEach<Named & { plan: Plan | { kept: Numbered } }>()
  for (const [i, row] of rows.entries()) {
    if (i % AT_ONCE === 0) await nextTurn()
    const there = present.get(row.permit_number) ?? null
    const landing = landingOf(row, there, ctx.now)
    if (landing.landing === 'fault') errors.push(landing.fault)
    else if (landing.landing === 'kept' && there !== null) last.add({ ...row, plan: { kept: there } })
    else last.add({ ...row, plan: { row, present: there, revive: landing.landing === 'update' && landing.revive } })
  }
  const rowsLeft = last.rows()
  return {
    plans: rowsLeft.flatMap(({ plan }) => ('kept' in plan ? [] : [plan])),
    kept: rowsLeft.flatMap(({ row, plan }) => ('kept' in plan ? [{ row, permit: plan.kept }] : [])),
    duplicates: last.repeats(),
  }
}

// Rows for one statement: few enough that serialising them doesn't block the process.
const PIECE = 500

/** Returns what becomes of each row, in pieces for one statement each; places that aren't found are added to `unresolved`. */
async function* landingsOf(
  plans: readonly Plan[],
  missing: ReadonlySet<Field>,
  contractors: ReadonlyMap<string, Id>,
  placeOf: Awaited<ReturnType<typeof placeFinder>>,
  unresolved: Uploaded['unresolved_locations'],
): AsyncGenerator<Landing[]> {
  let piece: Landing[] = []
  for (const [i, { row, present, revive }] of plans.entries()) {
    if (i % AT_ONCE === 0) await nextTurn()
    // If the sheet doesn't have a column, its field stays as it is; an empty cell clears the field.
    const has = (field: Field) => present === null || !missing.has(field)
    const location = has('location') ? row.location : (present?.location ?? null)
    const zone = has('zone') ? row.zone : (present?.zone_text ?? null)
    const level = has('level') ? row.level : (present?.level_text ?? null)
    const found = placeOf({ location, zone, level })
    if (!found.matched && found.why !== null) unresolved.push({ row: row.row, value: location ?? zone ?? level ?? '', message: found.why })
    const contractor =
      row.contractor === null ? null : 'id' in row.contractor ? row.contractor.id : (contractors.get(row.contractor.made) ?? null)
    const described = has('description')
    const landed: Landed = {
      permit_number: row.permit_number,
      categories: row.categories,
      contractor_id: has('contractor') ? contractor : (present?.contractor_id ?? null),
      location,
      zone_text: zone,
      level_text: level,
      building_id: found.place?.building_id ?? null,
      level_index: found.place?.level_index ?? null,
      zone_id: found.place?.zone_id ?? null,
      start_at: row.start_at,
      end_at: row.end_at,
      title: described ? titleOf(row.description) : (present?.title ?? null),
      description: described ? row.description : (present?.description ?? null),
      controls: has('controls') ? row.controls : (present?.controls ?? null),
    }
    piece.push(present === null ? { landed, as: 'new' } : { landed, as: 'update', present, revive })
    if (piece.length < PIECE) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/**
 * Makes imports of a site, and what matches their places again, one at a time: two of the same register would create its contractors and permits twice, and a place
 * of the register before would replace that of the new one.
 */
export const holdImports = (ctx: Ctx, site_id: Id): Promise<void> => hold(ctx, 'permit import', site_id)

/**
 * Writes a register into a site (import rules 4 to 6): one transaction, one import, a few statements whatever the number of rows. If every row is refused,
 * the import is still recorded.
 */
export async function writeRegister(ctx: Ctx, site_id: Id, register: Register, dry: boolean): Promise<Uploaded> {
  const site = await siteOf(ctx, site_id)
  if (site.timezone !== register.timezone)
    refuse(conflict('stale_preview', 'The site’s time zone was changed while Walkdown was reading the file. Import the file again.'))
  await holdImports(ctx, site_id)
  const errors = [...register.errors]
  const named = await withContractors(ctx, site_id, register, errors)
  const { plans, kept, duplicates } = await plansFor(ctx, site_id, named, errors)
  errors.sort((a, b) => a.row - b.row)

  const wanted = [
    ...new Set(plans.flatMap(({ row }) => (row.contractor !== null && 'made' in row.contractor ? [row.contractor.made] : []))),
  ]
  const contractors = await resolveContractors(ctx, site_id, wanted, 'import')
  const placeOf = await placeFinder(ctx, site_id)
  const unresolved_locations: Uploaded['unresolved_locations'] = []
  const landings = landingsOf(plans, new Set(register.missing), contractors.ids, placeOf, unresolved_locations)

  const id = ids.next()
  const { filename, sha256, format_id, rows_read } = register
  const rows_new = plans.filter(plan => plan.present === null).length
  const rows_updated = plans.length - rows_new
  const rows_refused = new Set(errors.map(fault => fault.row)).size
  ctx.trail.default_note = { action: 'import' }
  await insertSet(ctx.db, {
    site_id,
    id,
    filename,
    sha256,
    format_id,
    rows_read,
    rows_new,
    rows_updated,
    rows_unchanged: 0,
    rows_refused,
    archived_at: null,
  })
  const written = await landPermits(
    ctx,
    site_id,
    id,
    landings,
    kept.map(one => one.permit.id),
  )
  await saveSet(ctx.db, site_id, id, { rows_unchanged: written.unchanged })
  ctx.emit({
    kind: 'permit_set.imported',
    site_id,
    subject: { kind: 'permit_set', id, label: filename },
    payload: {
      set_id: id,
      permit_ids: written.ids,
      revived_ids: plans.flatMap(({ present, revive }) => (revive && present !== null ? [present.id] : [])),
      new: rows_new,
      updated: rows_updated,
      errors: errors.length,
      unresolved: unresolved_locations.length,
    },
  })
  await stopLanded(ctx, site_id, written.ids)
  if (plans.length > 0) ctx.redraw(site_id, 'tokens')
  return {
    set_id: dry ? null : id,
    new: rows_new,
    updated: rows_updated,
    unchanged: written.unchanged,
    contractors_created: contractors.created.map(contractor => (dry ? { ...contractor, id: null } : contractor)),
    unresolved_locations,
    duplicates,
    kept: kept.map(({ row, permit }) => ({ row, permit_number: permit.permit_number, status: permit.status })),
    errors,
    warnings: register.warnings,
  }
}
