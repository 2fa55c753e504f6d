// Cutting holes and notches out of features (`map.md` §10): the shape of a feature is its outline without the union of its applied cuts, always computed from the
// outline, so that any cut can be undone at any time.
import { type Areal, areaOf } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import {
  conflict,
  enforce,
  expectVersion,
  type FieldFault,
  invalid,
  invalidField,
  notFound,
  refuse,
  wrongStep,
} from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { LIMITS } from '../../../../kernel/geometry/domain/reading.ts'
import {
  type Carved,
  type Cuttable,
  countsOf,
  covered,
  cutterAt,
  grown,
  levelsMeet,
  readAreal,
  type TargetKind,
  targetKindOf,
} from '../../../../kernel/geometry/door.ts'
import { defaultsOf } from '../../kit/defaults.ts'
import { resultOf } from '../domain.ts'
import { type Applied, appliedAt, type Cut, cutOf, insertCut, insertStep, type NewCut, saveCut } from '../queries/cuts.ts'
import { leftOf, pendingReason, presentShape, showCut } from './shapes.ts'

const thousandths = (value: number) => Math.round(value * 1000) / 1000

/** What a person wants to cut. */
export type Asked = {
  target_id: Id
  cutter_id?: Id
  polygon?: unknown
  buffer_m?: number
  allow_split?: boolean
  scope?: 'this' | 'future'
  effective_at?: Instant
}

/** A feature with its kind, locked. */
type Target = Cuttable & { of: TargetKind }

/** Finds and locks a feature; refuses an instant after which it has further versions, because those would not have the hole. */
async function openTarget(ctx: Ctx, site_id: Id, id: Id, at: Instant | 'latest' | undefined): Promise<Target> {
  const of = await targetKindOf(ctx, site_id, id)
  const target = of === null ? null : await of.find(ctx, site_id, id, at, true)
  // A call on a cut doesn't name the feature, so no field of it is wrong.
  if ((of === null || target === null) && at === 'latest')
    return refuse(wrongStep('deleted', [], 'The feature of this cut has been deleted, so its shape can no longer be changed.'))
  if (of === null || target === null) return refuse(invalidField('target_id', 'isn’t an area, building, zone or active area on this site.'))
  enforce([await of.refuses(ctx, target)])
  if (!target.is_last)
    refuse(
      invalidField('effective_at', `is before a later change of ${target.name}, which wouldn’t have the hole. Choose a time after it.`),
    )
  return { ...target, of }
}

/** Returns the shape that is cut out, and what it comes from. */
async function shapeFor(
  ctx: Ctx,
  target: Target,
  asked: Asked,
  buffer_m: number,
): Promise<Pick<NewCut, 'source' | 'cutter_id' | 'cutter_kind' | 'polygon'>> {
  if (asked.cutter_id === undefined) {
    const faults: FieldFault[] = []
    const drawn = readAreal(asked.polygon, 'polygon', faults)
    if (drawn === null) return refuse(invalid(faults))
    return { source: 'freeform', cutter_id: null, cutter_kind: null, polygon: enlarged(drawn, buffer_m) }
  }
  if (asked.cutter_id === asked.target_id) refuse(invalidField('cutter_id', 'is the feature itself. Choose what to cut out of it.'))
  const cutter = await cutterAt(ctx, target.site_id, asked.cutter_id, target.at)
  if (cutter === null || cutter.ended)
    return refuse(invalidField('cutter_id', 'isn’t a feature, active area or plant that is on this site then.'))
  if (!levelsMeet(target.levels, cutter.levels))
    refuse(invalidField('cutter_id', `is ${cutter.name}, which isn’t on a level of ${target.name}. Choose something on the same level.`))
  return { source: 'feature', cutter_id: cutter.id, cutter_kind: cutter.kind, polygon: enlarged(cutter.shape, buffer_m) }
}

const enlarged = (shape: Areal, buffer_m: number): Areal =>
  grown(shape, buffer_m) ?? refuse(invalidField('buffer_m', `is ${buffer_m}, which leaves nothing to cut out. Send a larger number.`))

/** What a step does to a feature. */
type Outcome = { geometry: Areal; dropped: Carved['dropped']; covered_m2: number; parts: [number, number] }

/** Decides whether a cut can be applied with the others, and returns what is left. */
function applying(target: Target, others: readonly Applied[], cut: Applied & { allow_split: boolean }): Outcome {
  const covered_m2 = covered(target.outline, cut.polygon)
  if (covered_m2 === 0) return refuse(conflict('no_overlap', `The shape doesn’t overlap ${target.name}. Move it onto the feature.`))
  const { geometry, dropped } = leftOf(target.outline, [...others, cut])
  if (geometry === null)
    return refuse(conflict('empties_target', `This would leave nothing of ${target.name}. Cut out less, or end the feature.`))
  const [before, after] = [countsOf(target.geometry), countsOf(geometry)]
  if (after.parts > before.parts && !cut.allow_split) {
    const parts = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).map(coordinates => ({
      area_m2: thousandths(areaOf({ type: 'Polygon', coordinates })),
    }))
    const sizes = parts.map(({ area_m2 }) => `${Math.round(area_m2)} m²`).join(' and ')
    refuse(
      conflict('would_split', `This would split ${target.name} into ${parts.length} parts: ${sizes}. Send allow_split to split it.`, {
        parts,
      }),
    )
  }
  if (after.holes > LIMITS.holes || after.vertices > LIMITS.vertices)
    refuse(
      conflict(
        'too_many_holes',
        `${target.name} would have ${after.holes} holes and ${after.vertices} corners; at most ${LIMITS.holes} holes and ${LIMITS.vertices} corners are accepted.`,
      ),
    )
  return { geometry, dropped, covered_m2, parts: [before.parts, after.parts] }
}

/** Writes a step: a version of the feature, the cut as it is now, and the entry of the step. */
async function take(
  ctx: Ctx,
  target: Target,
  step: 'cut' | 'undo' | 'reapply',
  cut: NewCut | Cut,
  made: Pick<Outcome, 'geometry'>,
  follows = false,
) {
  const areas = { area_before_m2: thousandths(areaOf(target.geometry)), area_after_m2: thousandths(areaOf(made.geometry)) }
  const { shown, feature_version } = await target.of.reshape(ctx, target, { geometry: made.geometry, cut_id: cut.id, follows })
  const state = step === 'undo' ? 'undone' : 'applied'
  const now = { ...areas, state, at: target.at, feature_version }
  if (step === 'cut') await insertCut(ctx.db, { ...cut, ...now })
  else await saveCut(ctx.db, target.site_id, cut.id, { ...now, ...(step === 'undo' ? {} : { polygon: cut.polygon, result: cut.result }) })
  await insertStep(ctx.db, target.site_id, {
    ...{ cut_id: cut.id, step, at: target.at, written_at: ctx.now, written_by: ctx.actor.id, ...areas, feature_version },
    polygon: step === 'undo' ? null : cut.polygon,
  })
  const { id, site_id, kind, name, outline, contractor_id } = target
  return { id, site_id, kind, name, outline, contractor_id, ...made, area_m2: areas.area_after_m2, feature_version, version: shown.version }
}

/** Cuts one feature. */
async function cutOne(ctx: Ctx, target: Target, asked: Asked): Promise<Record<string, unknown>> {
  const defaults = await defaultsOf(ctx, target.site_id)
  const buffer_m = asked.buffer_m ?? defaults.hole_buffer_m
  const from = await shapeFor(ctx, target, asked, buffer_m)
  const others = await appliedAt(ctx.db, target.site_id, target.id, target.at)
  const { min_part_m2, min_width_m } = defaults
  const id = ids.next()
  const allow_split = asked.allow_split === true
  const made = applying(target, others, { id, polygon: from.polygon, min_part_m2, min_width_m, allow_split })
  const cut: NewCut = {
    ...{ site_id: target.site_id, id, feature_id: target.id, feature_kind: target.kind, ...from, buffer_m, allow_split },
    ...{ min_part_m2, min_width_m, state: 'applied', result: resultOf(...made.parts, areaOf(from.polygon), made.covered_m2) },
    ...{ area_before_m2: 0, area_after_m2: 0, at: target.at, feature_version: 0 },
  }
  const feature = await take(ctx, target, 'cut', cut, made, asked.scope === 'future')
  return { cut: await shownCut(ctx, target.site_id, id), feature, dropped: made.dropped }
}

/** Cuts a shape out of a feature, or out of every later occurrence of its schedule, too. */
export async function cutHole(ctx: Ctx, site_id: Id, asked: Asked, if_match: string | undefined): Promise<Record<string, unknown>> {
  const target = await openTarget(ctx, site_id, asked.target_id, asked.effective_at)
  expectVersion(if_match, target.version)
  const future = asked.scope === 'future'
  if (future && target.of.siblings === undefined)
    refuse(invalidField('scope', 'can only be future for an occurrence of a schedule. Leave it out.'))
  const siblings = future ? ((await target.of.siblings?.(ctx, target)) ?? []) : []
  const made = await cutOne(ctx, target, asked)
  for (const id of siblings) await cutOne(ctx, await openTarget(ctx, site_id, id, undefined), { ...asked, target_id: id })
  return made
}

/** Undoes a cut: what it took out, and no other cut takes out, belongs to the feature again. */
export async function undoCut(ctx: Ctx, cut: Cut): Promise<Record<string, unknown>> {
  const target = await openTarget(ctx, cut.site_id, cut.feature_id, 'latest')
  const now = (await cutOf(ctx.db, cut.site_id, cut.id)) ?? cut
  if (now.state !== 'applied') refuse(wrongStep(now.state, ['reapply'], 'This cut is already undone. Apply it again to have it back.'))
  const others = (await appliedAt(ctx.db, cut.site_id, cut.feature_id, target.at)).filter(({ id }) => id !== cut.id)
  const { geometry, dropped } = leftOf(target.outline, others)
  if (geometry === null)
    return refuse(conflict('empties_target', `The other cuts would leave nothing of ${target.name}. Undo one of them first.`))
  const feature = await take(ctx, target, 'undo', now, { geometry })
  return { cut: await shownCut(ctx, cut.site_id, cut.id), feature, dropped }
}

/** Applies a cut that is undone, or that a person should look at: with the present shape of what it comes from, or with its own. */
export async function reapplyCut(ctx: Ctx, cut: Cut, refresh: boolean): Promise<Record<string, unknown>> {
  const target = await openTarget(ctx, cut.site_id, cut.feature_id, 'latest')
  const now = (await cutOf(ctx.db, cut.site_id, cut.id)) ?? cut
  if (now.state === 'applied' && (await pendingReason(ctx, now, target.outline, target.at)) === null)
    refuse(wrongStep('applied', ['undo'], 'This cut is applied, and nothing has changed. Undo it first to apply it again.'))
  const polygon = refresh ? await presentShape(ctx, now, target.at) : now.polygon
  const others = (await appliedAt(ctx.db, cut.site_id, cut.feature_id, target.at)).filter(({ id }) => id !== cut.id)
  const made = applying(target, others, { ...now, polygon })
  const next: Cut = { ...now, polygon, result: resultOf(...made.parts, areaOf(polygon), made.covered_m2) }
  const feature = await take(ctx, target, 'reapply', next, made)
  return { cut: await shownCut(ctx, cut.site_id, cut.id), feature, dropped: made.dropped }
}

/** Returns a cut as the API shows it. */
async function shownCut(ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown>> {
  const cut = await cutOf(ctx.db, site_id, id)
  return cut === null ? refuse(notFound()) : showCut(cut)
}
