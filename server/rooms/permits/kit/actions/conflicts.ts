// Conflicts between permits, as reviews, lists and steps need them (`conflict-and-planning.md` §4.6).
import { COUNTED } from '../../../../../shared/conflicts/effective.ts'
import type { PermitConflict } from '../../../../../shared/conflicts/permit-conflicts.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { Overtaken } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { lastBeforeSeal, whileUnchanged } from '../../../../kernel/site/door.ts'
import {
  comparedWith,
  conflictsIn,
  type FoundConflicts,
  freshConflicts,
  permitSideRows,
  sidesOf,
  storedConflicts,
} from '../../../conflicts/comparisons/door.ts'
import { addedTo, fingerprint, type ShownConflict, type ShownConflicts, shownConflicts } from '../domain/conflicts.ts'
import type { Weighed } from '../domain/facts.ts'
import { type Counterpart, counterparts } from '../queries/counterparts.ts'
import { viewerOn } from './facts.ts'

/**
 * Returns what is known about the conflicts of permits: read afresh in a write; so are those of a single permit, which may be
 * decided on next, once for each state of the site; in a list they are as they are stored.
 */
async function knownOf(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<FoundConflicts> {
  const [id] = ids
  if (id === undefined || ids.length > 1)
    return ctx.trail.sites.has(site_id) ? freshConflicts(ctx, site_id, ids) : storedConflicts(ctx, site_id, ids)
  const last = lastOf.get(ctx)
  return last?.id === id ? last.found : whileUnchanged(ctx, site_id, `conflicts of permit ${id}`, () => freshConflicts(ctx, site_id, ids))
}

/** The conflicts of the permit that a write approves, read when everything else of it was written and nobody else can write on the site until it commits. */
const lastOf = new WeakMap<Ctx, { id: Id; found: FoundConflicts }>()

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
      ? { ruled: true, of: new Map() }
      : knownOf(
          ctx,
          site_id,
          counted.map(permit => permit.id),
        ),
    // Drafts count only for the person who reads them, so they are never stored.
    drafts.length === 0 || counted.length === 1 || ctx.trail.sites.has(site_id) ? null : freshConflicts(ctx, site_id, drafts),
  ])
  const of = (id: Id) => own?.of.get(id) ?? known.of.get(id)
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

/**
 * Checks the conflicts of a permit once more, when everything else of its approval, or of the approval of its extension, is written: one that came up in the meantime, because another
 * permit or a gang moved, was not shown to the approver. Then the approval is decided again from the start (R5). `extended`: the ends of the permit before and after the extension.
 */
export async function stillAsWeighed(
  ctx: Ctx,
  site_id: Id,
  id: Id,
  before: Weighed,
  extended: { from: Instant; to: Instant } | null = null,
): Promise<void> {
  await lastBeforeSeal(ctx.db, site_id)
  const now = extended === null ? await lastNowOf(ctx, site_id, id) : await addedBy(ctx, site_id, id, extended.to, extended.from)
  if (fingerprint(now) !== before.hash) throw new Overtaken('The conflicts of the permit')
}

const nowOf = async (ctx: Ctx, site_id: Id, id: Id): Promise<readonly PermitConflict[]> =>
  conflictsOn(id, await freshConflicts(ctx, site_id, [id]))

const conflictsOn = (id: Id, { of }: FoundConflicts): readonly PermitConflict[] => of.get(id)?.conflicts ?? []

/** Reads the conflicts of a permit for the last time in a write. Its response shows the same ones. */
async function lastNowOf(ctx: Ctx, site_id: Id, id: Id): Promise<readonly PermitConflict[]> {
  const found = await freshConflicts(ctx, site_id, [id])
  lastOf.set(ctx, { id, found })
  return conflictsOn(id, found)
}

/** Returns the conflicts that a later end would add, or has added, to a permit. `old_end_at`: its end without the extension; null: its present one. */
async function addedBy(ctx: Ctx, site_id: Id, id: Id, new_end_at: Instant, old_end_at: Instant | null = null): Promise<PermitConflict[]> {
  const [found] = await permitSideRows(ctx.db, site_id, [id])
  if (found === undefined) return []
  const row = old_end_at === null ? found : { ...found, end_at: old_end_at }
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
