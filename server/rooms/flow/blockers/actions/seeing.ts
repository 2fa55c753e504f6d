// Who sees what of a blocker (`flow-of-work.md` §0.2, §0.3): members see those of their contractor, and nothing of a record that they can’t see.
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { asItWas } from '../../../../kernel/audit/door.ts'
import { kindNamed } from '../../../../kernel/records/door.ts'
import type { Pointer, Standing } from '../domain.ts'
import type { BlockerRow, EntryRow } from '../queries.ts'

/** Returns what the caller can do, as far as the rules of blockers depend on it. */
export async function standingOf(ctx: Ctx): Promise<Standing> {
  const { actor } = ctx
  return {
    id: actor.id,
    manages: actor.can('blocker_manage'),
    archives: actor.can('blocker_archive'),
    declares: actor.can('blocker_declare'),
    scope: await myScope(ctx),
  }
}

/** Returns whether the caller sees a blocker with these entries. */
export function seesBlocker(
  { actor }: Pick<Ctx, 'actor'>,
  scope: ReadonlySet<Id>,
  { responsible_contractor_id }: Pick<BlockerRow, 'responsible_contractor_id'>,
  entries: readonly Pick<EntryRow, 'contractor_id'>[],
): boolean {
  if (!actor.can('blocker_view')) return false
  return (
    actor.can('blocker_view_any') ||
    [responsible_contractor_id, ...entries.map(entry => entry.contractor_id)].some(id => id !== null && scope.has(id))
  )
}

/** A pointer as the caller sees it. */
export type ShownPointer = { kind: string; id: Id | null; label: string | null; hidden: boolean }

/** Returns a pointer as the caller sees it. */
export async function shownPointer(ctx: Ctx, site_id: Id, { kind, id }: Pointer): Promise<ShownPointer> {
  const known = kindNamed(kind)
  // What was deleted has the label that it had.
  const row = known === undefined ? null : await asItWas(ctx, known, site_id, id)
  if (known === undefined || row === null) return { kind, id, label: null, hidden: false }
  return (await known.sees(ctx, row)) ? { kind, id, label: known.label(row), hidden: false } : { kind, id: null, label: null, hidden: true }
}

/**
 * Returns whether the caller can’t see which contractor can clear a blocker, or whose work it stops: something was pointed at that they can’t see, and that may
 * be all they know of that contractor (CL-8).
 */
export const hidesContractor = (contractor_id: Id | null, pointers: readonly ShownPointer[], scope: ReadonlySet<Id>): boolean =>
  contractor_id !== null && !scope.has(contractor_id) && pointers.some(one => one.hidden)

/** Returns the pointers of a blocker as the caller sees them. */
export async function shownPointers(ctx: Ctx, { site_id, pointers }: Pick<BlockerRow, 'site_id' | 'pointers'>): Promise<ShownPointer[]> {
  const shown: ShownPointer[] = []
  for (const pointer of pointers) shown.push(await shownPointer(ctx, site_id, pointer))
  return shown
}
