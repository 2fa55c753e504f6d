// Conflicts between permits, as reviews, lists and steps need them (`conflict-and-planning.md` §4.6).
import { COUNTED } from '../../../../../shared/conflicts/effective.ts'
import type { PermitConflict, PermitConflicts } from '../../../../../shared/conflicts/permit-conflicts.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { comparedWith, conflictsIn, freshConflicts, permitSideRows, sidesOf, siteConflicts } from '../../../conflicts/comparisons/door.ts'
import { addedTo, fingerprint, type ShownConflict, type ShownConflicts, shownConflicts } from '../domain/conflicts.ts'
import type { Weighed } from '../domain/facts.ts'
import { type Counterpart, counterparts } from '../queries/counterparts.ts'
import { viewerOn } from './facts.ts'

type Known = { ruled: boolean; of(id: Id): PermitConflicts | null }

/** Returns what is known about the conflicts of permits: in a write read afresh, in a read as they were found for this state of the site. */
async function knownOf(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Known> {
  if (!ctx.trail.sites.has(site_id)) return siteConflicts(ctx, site_id)
  const { ruled, of } = await freshConflicts(ctx, site_id, ids)
  return { ruled, of: id => of.get(id) ?? null }
}

/** Returns the other permits of these conflicts as the caller sees them. */
export const othersIn = async (ctx: Ctx, site_id: Id, conflicts: readonly PermitConflict[]): Promise<Map<Id, Counterpart>> =>
  counterparts(ctx.db, site_id, await viewerOn(ctx, site_id), [...new Set(conflicts.map(one => one.permit_id))])

/** Returns the conflicts of permits as the caller sees them, ended ones left out. */
export async function conflictsShown(
  ctx: Ctx,
  site_id: Id,
  permits: readonly { id: Id; status: string }[],
): Promise<(id: Id) => ShownConflicts> {
  const counted = permits.filter(({ status }) => status === 'draft' || COUNTED.includes(status))
  const drafts = counted.filter(permit => permit.status === 'draft').map(permit => permit.id)
  const [known, own] = await Promise.all([
    counted.length === 0
      ? { ruled: true, of: () => null }
      : knownOf(
          ctx,
          site_id,
          counted.map(permit => permit.id),
        ),
    // Drafts count only for the person who reads them, so a site’s conflicts don’t contain them.
    drafts.length === 0 || ctx.trail.sites.has(site_id) ? null : freshConflicts(ctx, site_id, drafts),
  ])
  const of = (id: Id) => own?.of.get(id) ?? known.of(id)
  const others = await othersIn(
    ctx,
    site_id,
    counted.flatMap(permit => of(permit.id)?.conflicts ?? []),
  )
  return id => shownConflicts(of(id), known.ruled, others)
}

/**
 * Checks the conflicts of a permit afresh, for a step that they matter to: of an approval all of them, of an extension those that it adds (§4.3: a step doesn’t read what is
 * stored).
 */
export async function weighed(ctx: Ctx, site_id: Id, id: Id, new_end_at: Instant | null): Promise<Weighed> {
  const conflicts = new_end_at === null ? await nowOf(ctx, site_id, id) : await addedBy(ctx, site_id, id, new_end_at)
  const red = conflicts.filter(one => one.severity === 'red')
  const others = await othersIn(ctx, site_id, red)
  return {
    red: red.length,
    amber: conflicts.length - red.length,
    numbers: red.flatMap(one => {
      const other = others.get(one.permit_id)
      return other?.seen === true && other.permit_number !== null ? [other.permit_number] : []
    }),
    hash: fingerprint(conflicts),
  }
}

const nowOf = async (ctx: Ctx, site_id: Id, id: Id): Promise<readonly PermitConflict[]> =>
  (await freshConflicts(ctx, site_id, [id])).of.get(id)?.conflicts ?? []

/** Returns the conflicts that a later end would add to a permit. */
async function addedBy(ctx: Ctx, site_id: Id, id: Id, new_end_at: Instant): Promise<PermitConflict[]> {
  const [row] = await permitSideRows(ctx.db, site_id, [id])
  if (row === undefined) return []
  const compared = await comparedWith(ctx, site_id, [{ ...row, end_at: new_end_at }])
  const [later] = compared.subjects
  if (later === undefined) return []
  const { conflicts } = conflictsIn(compared, later, ctx.now)
  // What is near it in its longer time contains what is near it now.
  const [now] = await sidesOf(ctx, site_id, [row])
  if (now === undefined) return []
  compared.index.put(now)
  return addedTo(conflictsIn(compared, now, ctx.now).conflicts, conflicts)
}

/** Returns the conflicts that a later end would add to a permit, as the caller sees them. */
export async function conflictsAdded(ctx: Ctx, site_id: Id, id: Id, new_end_at: Instant): Promise<ShownConflict[]> {
  const conflicts = await addedBy(ctx, site_id, id, new_end_at)
  return shownConflicts({ placed: true, conflicts }, true, await othersIn(ctx, site_id, conflicts)).conflicts
}
