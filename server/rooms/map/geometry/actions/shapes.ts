// The shape of a feature: its outline without the union of its applied cuts, always computed from the outline (`map.md` §10).
import type { Areal } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { canonical } from '../../../../kernel/audit/door.ts'
import { type Carved, carved, covered, cutterAt, grown } from '../../../../kernel/geometry/door.ts'
import type { PendingReason } from '../domain.ts'
import { type Applied, appliedAt, type Cut } from '../queries/cuts.ts'

/** Returns what is left of an outline after these cuts, in whatever order they were made. */
export const leftOf = (outline: Areal, cuts: readonly Applied[]): Carved =>
  carved(
    outline,
    cuts
      .map(cut => ({ cut, key: canonical(cut.polygon) }))
      .sort(byKey)
      .map(({ cut }) => cut.polygon),
    {
      area_m2: Math.max(0, ...cuts.map(cut => cut.min_part_m2)),
      width_m: Math.max(0, ...cuts.map(cut => cut.min_width_m)),
    },
  )

// By their shapes, so that even the order of corners doesn’t depend on who cut first.
const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

/** Returns what is left of a new outline after the cuts that are applied then. */
export async function reopened(ctx: Ctx, of: { site_id: Id; id: Id }, outline: Areal, at: Instant): Promise<Areal> {
  const cuts = await appliedAt(ctx.db, of.site_id, of.id, at)
  if (cuts.length === 0) return outline
  const { geometry } = leftOf(outline, cuts)
  const detail = 'The cuts of this feature would leave nothing of the new outline. Undo a cut first, or draw another outline.'
  return geometry ?? refuse(conflict('empties_target', detail))
}

/** Returns the shape that a cut would have now; its stored one if it was drawn by hand, or if what it comes from has ended. */
export async function presentShape(ctx: Ctx, cut: Cut, at: Instant): Promise<Areal> {
  const cutter = cut.cutter_id === null ? null : await cutterAt(ctx, cut.site_id, cut.cutter_id, at)
  return cutter === null || cutter.ended ? cut.polygon : (grown(cutter.shape, cut.buffer_m) ?? cut.polygon)
}

/** Returns why a person should look at a cut; null if it is applied and nothing has changed. */
export async function pendingReason(ctx: Ctx, cut: Cut, outline: Areal, at: Instant): Promise<PendingReason | null> {
  if (cut.state === 'undone') return 'undone'
  if (covered(outline, cut.polygon) === 0) return 'outside_outline'
  if (cut.cutter_id === null) return null
  const cutter = await cutterAt(ctx, cut.site_id, cut.cutter_id, at)
  if (cutter === null || cutter.ended) return 'cutter_ended'
  const shape = grown(cutter.shape, cut.buffer_m)
  return shape !== null && canonical(shape) === canonical(cut.polygon) ? null : 'cutter_changed'
}

/** Returns a cut as the API shows it. */
export function showCut({ allow_split: _split, min_part_m2: _part, min_width_m: _width, ...cut }: Cut): Record<string, unknown> {
  return { ...cut, history_id: cut.id, by: cut.updated_by ?? cut.created_by }
}
