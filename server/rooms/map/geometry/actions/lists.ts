import { areaOf } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { notFound, refuse } from '../../../../base/errors.ts'
import type { Findable } from '../../../../base/findable.ts'
import type { Id } from '../../../../base/ids.ts'
import { type TargetKind, targetKindOf } from '../../../../kernel/geometry/door.ts'
import { appliedAt, cutsOf, stepsOf } from '../queries/cuts.ts'
import { leftOf, pendingReason, presentShape, showCut } from './shapes.ts'

/** A feature that can be cut, by its id. */
export type Cuttable = { of: TargetKind; site_id: Id; id: Id }

/** Features of every kind that can be cut, as the record of a path. */
export const cuttable: Findable<Cuttable> = {
  name: 'feature',
  param: 'feature_id',
  async find(ctx, site_id, id) {
    const of = await targetKindOf(ctx, site_id, id)
    return of === null ? null : { of, site_id, id }
  },
  sees: () => true, // the whole map is visible to every member of the site
}

const thousandths = (value: number) => Math.round(value * 1000) / 1000

/** Lists the steps of the cuts of a feature, and when its outline was drawn again, the newest first. */
export async function showSteps(ctx: Ctx, { of, site_id, id }: Cuttable): Promise<unknown[]> {
  const [steps, redraws] = await Promise.all([stepsOf(ctx.db, site_id, id), of.redraws(ctx, site_id, id)])
  const all = [
    ...steps.map(({ cut_id, number: _number, ...step }) => ({ history_id: cut_id, ...step })),
    ...redraws.map(redraw => ({ history_id: null, step: 'outline', ...redraw })),
  ]
  return all
    .sort((a, b) => b.feature_version - a.feature_version)
    .map(({ written_by, written_by_name, ...step }) => ({
      ...step,
      by: written_by,
      by_name: written_by_name,
    }))
}

/** Lists the cuts of a feature that a person should decide on, the oldest first. */
export async function showPending(ctx: Ctx, { of, site_id, id }: Cuttable): Promise<unknown[]> {
  const target = (await of.find(ctx, site_id, id, 'latest', false)) ?? refuse(notFound())
  const applied = await appliedAt(ctx.db, site_id, id, target.at)
  const pending: unknown[] = []
  for (const cut of await cutsOf(ctx.db, site_id, id)) {
    const reason = await pendingReason(ctx, cut, target.outline, target.at)
    if (reason === null) continue
    const polygon = await presentShape(ctx, cut, target.at)
    const { geometry } = leftOf(target.outline, [...applied.filter(other => other.id !== cut.id), { ...cut, polygon }])
    pending.push({ ...showCut(cut), reason, area_if_applied_m2: geometry === null ? 0 : thousandths(areaOf(geometry)) })
  }
  return pending
}
