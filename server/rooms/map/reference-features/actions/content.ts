// Turns a body into the content of a feature, or refuses it.

import { type Areal, areaOf, centreOf } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, type FieldFault, refuse } from '../../../../base/errors.ts'
import { type Id, sha256 } from '../../../../base/ids.ts'
import { canonical } from '../../../../kernel/audit/door.ts'
import { groundOf, outsideFault, readAreal } from '../../../../kernel/geometry/door.ts'
import { onSite } from '../../../../kernel/records/door.ts'
import type { Span } from '../../../../kernel/versions/domain.ts'
import { type Content, type FeatureKind, kindFaults, zoneLevelFaults } from '../domain/features.ts'
import { levelFaults, levelsFrom } from '../domain/levels.ts'
import { namesAt } from '../queries/features.ts'
import { codeHolder } from '../queries/versions.ts'
import type { FeatureChange } from '../schema.ts'
import { type Ground, groundTaken } from './overlaps.ts'

/** What a body says about a feature's content. */
type Given = Omit<FeatureChange, 'effective_at'>

const BLANK: Omit<Content, 'name' | 'outline' | 'geometry' | 'area_m2' | 'centre'> = {
  code: null,
  aliases: [],
  zone_type: null,
  levels: [],
  building_id: null,
  level_from: null,
  level_to: null,
  contractor_id: null,
  cut_id: null,
}

const thousandths = (value: number) => Math.round(value * 1000) / 1000

/** The shape of a feature. */
export type Shape = Pick<Content, 'outline' | 'geometry' | 'area_m2' | 'centre' | 'cut_id'>

/** Returns the shape in a body, or the present shape if it has none. */
async function drawnBy(
  ctx: Ctx,
  site_id: Id,
  given: Given,
  before: Shape | null,
  holes: Holes,
  faults: FieldFault[],
): Promise<Shape | null> {
  const field = given.outline === undefined && given.geometry !== undefined ? 'geometry' : 'outline'
  const value = given[field]
  if (value === undefined) {
    if (before === null) faults.push({ path: 'outline', message: 'is required.' })
    return before
  }
  const outline = readAreal(value, field, faults)
  if (outline === null) return null
  if (before !== null && canonical(outline) === canonical(before.outline)) return before
  const outside = outsideFault(await groundOf(ctx.db, site_id), outline)
  if (outside !== null) faults.push({ path: field, message: outside })
  // Cuts stay when an outline is drawn again (`map.md` §10).
  return shapeOf(outline, await holes(outline), null)
}

/** Returns what is left of a new outline after the cuts of its feature. */
export type Holes = (outline: Areal) => Promise<Areal>

const NO_HOLES: Holes = async outline => outline

/** Returns a shape with what follows from it. */
export const shapeOf = (outline: Areal, geometry: Areal, cut_id: Id | null): Shape => ({
  outline,
  geometry,
  area_m2: thousandths(areaOf(geometry)),
  centre: centreOf(geometry),
  cut_id,
})

/** Returns what a feature would be from an instant on, with all its faults; null if its shape can't be read. */
export async function contentOf(
  ctx: Ctx,
  site_id: Id,
  kind: FeatureKind,
  given: Given,
  before: Content | null,
  at: Instant,
  faults: FieldFault[],
  shape: Holes | Shape = NO_HOLES,
): Promise<Content | null> {
  const drawn = typeof shape === 'function' ? await drawnBy(ctx, site_id, given, before, shape, faults) : shape
  const { outline: _outline, geometry: _geometry, levels, ...set } = given
  if (levels !== undefined) faults.push(...levelFaults(levels))
  const base = before ?? { ...BLANK, name: '' }
  const next = {
    ...base,
    ...set,
    levels: levels === undefined ? base.levels : levelsFrom(levels),
    zone_type:
      kind === 'zone' ? (set.zone_type === undefined ? (base.zone_type ?? 'work') : (set.zone_type ?? 'work')) : (set.zone_type ?? null),
  }
  if (kind === 'zone' && next.level_to === null) next.level_to = next.level_from
  faults.push(...kindFaults(kind, next))
  if (
    next.contractor_id !== null &&
    next.contractor_id !== base.contractor_id &&
    !(await onSite(ctx, site_id, 'contractor', next.contractor_id))
  )
    faults.push({ path: 'contractor_id', message: 'isn’t a contractor on this site.' })
  // A zone whose building has ended stays as it is until a person moves it.
  if (kind === 'zone' && (['building_id', 'level_from', 'level_to'] as const).some(field => next[field] !== base[field])) {
    const [building] = next.building_id === null ? [] : await namesAt(ctx.db, site_id, at, [next.building_id])
    faults.push(...zoneLevelFaults(next, building?.kind === 'building' ? building : null))
  }
  if (drawn === null) return null
  const { outline, geometry, area_m2, centre, cut_id } = drawn
  return { ...next, outline, geometry, area_m2, centre, cut_id }
}

/** Refuses a code that another active feature of the same kind has. */
export async function refuseTakenCode(ctx: Ctx, site_id: Id, kind: FeatureKind, code: string | null, span: Span, own: Id): Promise<void> {
  if (code === null) return
  const holder = await codeHolder(ctx.db, site_id, kind, code, span, own)
  if (holder !== null)
    refuse(
      conflict('key_taken', `The code ${code} is already used by the ${kind} ${holder.name}. Choose another code.`, {
        existing_id: holder.id,
      }),
    )
}

/** Refuses overlaps that aren't allowed, and returns those that only need a warning. */
export async function refuseOverlap(ctx: Ctx, site_id: Id, kind: FeatureKind, content: Content, span: Span, own: Id): Promise<Ground> {
  const ground = await groundTaken(ctx, site_id, { kind, content, span, own })
  if (ground.refused.length > 0) {
    const named = ground.refused.map(other => `${other.name} (${other.overlap_m2} m²)`).join(', ')
    const why = kind === 'area' ? 'Areas can’t overlap' : 'Two buildings that share a level can’t cover almost the same ground'
    refuse(conflict('overlap', `${why}. This one overlaps with ${named}. Change the outline.`, { overlapping: ground.refused }))
  }
  return ground
}

/** Returns the digest of a version's content: equal versions have equal digests. */
export const digestOf = (content: Content): string => {
  const { area_m2: _area, centre: _centre, ...said } = content
  return sha256(canonical(said))
}

/** Returns only the content of a version. */
export function contentAlone(version: Content): Content {
  const {
    code,
    name,
    aliases,
    zone_type,
    outline,
    geometry,
    area_m2,
    centre,
    levels,
    building_id,
    level_from,
    level_to,
    contractor_id,
    cut_id,
  } = version
  return {
    code,
    name,
    aliases,
    zone_type,
    outline,
    geometry,
    area_m2,
    centre,
    levels,
    building_id,
    level_from,
    level_to,
    contractor_id,
    cut_id,
  }
}
