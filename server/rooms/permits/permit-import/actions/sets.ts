import type { Ctx } from '../../../../base/ctx.ts'
import { explain, invalidField, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { placeFinder } from '../../../map/reference-features/door.ts'
import { viewerOn } from '../../kit/actions/facts.ts'
import { unplacedPermits } from '../../permit-lists/door.ts'
import { stopLanded } from '../../permit-stops/door.ts'
import { deleteImported, placePermits, repoint } from '../../permits/door.ts'
import { FORMATS } from '../domain/formats.ts'
import { countBySet, deleteSet, permitsOfSet, readingFacts, type SetRow, saveSet, setsOn } from '../queries.ts'
import type { ReResolve, SetFilter } from '../schema.ts'
import { holdImports } from './write.ts'

/** Lists the formats that registers can have; on a site with its own header names those come first (setting `import_headers`). */
export async function listFormats(ctx: Ctx, site_id: Id | undefined): Promise<unknown[]> {
  const own = site_id === undefined ? {} : (await readingFacts(ctx.db, site_id)).import_headers
  return FORMATS.map(({ format_id, name, extensions, columns }) => ({
    format_id,
    name,
    extensions,
    columns: columns.map(({ field, headers, transform, required }) => ({
      field,
      headers: [...new Set([...(own[format_id]?.[field] ?? []), ...headers])],
      transform,
      required,
    })),
  }))
}

/** Lists a site's imports, newest first; on request the archived ones. */
export async function listSets(ctx: Ctx, filter: SetFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const { site_id, id, archived, updated_since, cursor, limit = PAGE } = filter
  const found = await setsOn(ctx.db, site_id, {
    ...(id === undefined ? {} : { ids: id }),
    archived: archived === true,
    updated_since,
    limit,
    after: readCursor(cursor, 2),
  })
  const { rows, next } = cut(found, limit, row => [row.created_at, row.id])
  const counts = await countBySet(ctx.db, site_id)
  const flag = explain([ctx.actor.lacks('contractor_manage')])
  return {
    next,
    rows: rows.map(row => ({
      ...row,
      permits: counts.get(row.id) ?? 0,
      permissions: flagsFor(ctx.actor, { archive: flag, delete: flag, re_resolve: flag }),
    })),
  }
}

/** Archives an import; its permits stay and keep pointing to it. Archiving it again changes nothing. */
export async function archiveSet(ctx: Ctx, set: SetRow): Promise<void> {
  if (set.archived_at === null) await saveSet(ctx.db, set.site_id, set.id, { archived_at: ctx.now })
}

/**
 * Deletes an import with the permits that still point to it and that nobody acted on. The others stay without an import, and are listed
 * (`permits-decisions.md` §1, Set deletion).
 */
export async function dropSet(ctx: Ctx, set: SetRow): Promise<void> {
  const { site_id } = set
  const permits = await permitsOfSet(ctx.db, site_id, set.id)
  const gone = permits.filter(permit => !permit.acted)
  const stay = permits.filter(permit => permit.acted)
  if (stay.length > 0)
    await repoint(
      ctx.db,
      site_id,
      null,
      stay.map(permit => permit.id),
    )
  if (gone.length > 0)
    await deleteImported(
      ctx.db,
      site_id,
      gone.map(permit => permit.id),
    )
  await deleteSet(ctx.db, site_id, set.id)
  const kept = stay.map(permit => permit.permit_number)
  if (kept.length > 0)
    ctx.note(set.id, { reason: `Kept because people have acted on them or other permits refer to them: ${kept.join(', ')}`.slice(0, 2000) })
  ctx.emit({
    kind: 'permit_set.deleted',
    site_id,
    subject: { kind: 'permit_set', id: set.id, label: set.filename },
    payload: { set_id: set.id, permit_ids: gone.map(permit => permit.id), new: 0, updated: 0, errors: 0, unresolved: 0, kept },
  })
  if (gone.length > 0) ctx.redraw(site_id, 'tokens')
}

/** Matches the places of imported permits again, of one import or of all (import rule 7). */
export async function reResolve(ctx: Ctx, site_id: Id, body: ReResolve): Promise<Record<string, unknown>> {
  const { set_id } = body
  if (set_id !== undefined) {
    const [set] = await setsOn(ctx.db, site_id, { ids: [set_id], archived: true, limit: 1, after: null })
    if (set === undefined) refuse(invalidField('set_id', 'isn’t an import on this site.'))
  }
  await holdImports(ctx, site_id)
  const waiting = await unplacedPermits(ctx.db, site_id, await viewerOn(ctx, site_id), set_id)
  const placeOf = await placeFinder(ctx, site_id)
  const placed: Parameters<typeof placePermits>[2][number][] = []
  const unresolved: unknown[] = []
  for (const { id, permit_number, location, zone_text, level_text } of waiting) {
    const found = placeOf({ location, zone: zone_text, level: level_text })
    if (found.matched) {
      const { building_id = null, level_index = null, zone_id = null } = found.place
      placed.push({ id, building_id, level_index, zone_id })
    } else unresolved.push({ permit_id: id, permit_number, value: location ?? zone_text ?? level_text ?? '', message: found.why ?? '' })
  }
  if (placed.length > 0) {
    await placePermits(ctx.db, site_id, placed)
    await stopLanded(
      ctx,
      site_id,
      placed.map(one => one.id),
    )
    ctx.emit({
      kind: 'permit_set.re_resolved',
      site_id,
      subject:
        set_id === undefined
          ? { kind: 'site', id: site_id, label: 'Imported permits' }
          : { kind: 'permit_set', id: set_id, label: 'Imported permits' },
      payload: {
        set_id: set_id ?? null,
        permit_ids: placed.map(one => one.id),
        new: 0,
        updated: placed.length,
        errors: 0,
        unresolved: unresolved.length,
      },
    })
    ctx.redraw(site_id, 'tokens')
  }
  return { checked: waiting.length, resolved: placed.length, unresolved }
}
