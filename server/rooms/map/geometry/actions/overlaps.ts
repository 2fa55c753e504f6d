import { boundsOf, middleOf, planeAt } from '../../../../../shared/geometry/plane.ts'
import { type Instant, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { type FieldFault, invalid, invalidField, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { groundKinds, laid, levelsMeet, type OnGround, readAreal, sharedArea } from '../../../../kernel/geometry/door.ts'
import { GROUND_KINDS, type GroundKindName, relationOf, verdictOn } from '../domain.ts'

/** What a person wants to compare with everything on its ground. */
export type Compared = {
  geometry?: unknown
  feature_id?: Id
  kind?: GroundKindName
  zone_type?: string
  level_index?: number
  building_id?: Id
  start_at?: Instant
  end_at?: Instant | null
  kinds?: readonly GroundKindName[]
  exclude_ids?: readonly Id[]
  min_overlap_m2?: number
}

const MIN_OVERLAP_M2 = 0.5
const hundredths = (value: number) => Math.round(value * 100) / 100
const share = (part: number, whole: number) => Math.min(1, Math.round((part / Math.max(whole, 0.001)) * 10_000) / 10_000)

/** Returns what is compared: a feature as it is at the start, or a drawn shape. */
async function mineIn(ctx: Ctx, site_id: Id, asked: Compared, from: Instant, to: Instant | null): Promise<OnGround> {
  const { feature_id } = asked
  if ((asked.geometry === undefined) === (feature_id === undefined))
    return refuse(invalidField('geometry', 'or feature_id is required, and not both.'))
  const faults: FieldFault[] = []
  const drawn = asked.geometry === undefined ? null : readAreal(asked.geometry, 'geometry', faults)
  if (faults.length > 0) return refuse(invalid(faults))
  const levels = {
    building_id: asked.building_id ?? null,
    from: asked.level_index ?? null,
    to: asked.level_index ?? null,
  }
  if (drawn !== null) {
    const [only, other] = asked.kinds ?? []
    const kind = asked.kind ?? (other === undefined ? only : undefined) ?? 'zone'
    const indexes = kind === 'building' && asked.level_index !== undefined ? [asked.level_index] : []
    const zone_type = kind === 'zone' ? (asked.zone_type ?? 'work') : null
    const facts = { contractor_id: null, exclusive: false, base_m: null, top_m: null }
    return { kind, id: '', name: '', geometry: drawn, from, to, levels, indexes, zone_type, ...facts }
  }
  for (const ground of groundKinds()) {
    const found = await ground.find(ctx, site_id, feature_id ?? '', from)
    if (found !== null) return { ...found, ...(asked.building_id === undefined && asked.level_index === undefined ? {} : { levels }) }
  }
  return refuse(invalidField('feature_id', 'isn’t an area, building, zone or active area that is on this site then.'))
}

/** Returns whether something is on the ground that was asked for. */
function onLevel(other: OnGround, mine: OnGround, { building_id, level_index }: Compared): boolean {
  if (building_id === undefined && level_index === undefined) return true
  if (other.kind === 'building' && level_index !== undefined && other.indexes.length > 0 && !other.indexes.includes(level_index))
    return false
  return levelsMeet(other.levels, { ...mine.levels, from: level_index ?? null, to: level_index ?? null })
}

/** Compares a shape with everything on its ground during a time, the largest overlap first. It changes nothing. */
export async function checkOverlaps(ctx: Ctx, site_id: Id, asked: Compared): Promise<unknown[]> {
  const from = asked.start_at ?? ctx.now
  // Without an end, one instant.
  const to = asked.end_at === undefined ? later(from, 1) : asked.end_at
  if (to !== null && to <= from) refuse(invalidField('end_at', 'must be later than start_at.'))
  const mine = await mineIn(ctx, site_id, asked, from, to)
  const kinds: readonly string[] = asked.kinds ?? GROUND_KINDS
  const box = boundsOf(mine.geometry)
  const plane = planeAt(middleOf(box))
  const here = laid(mine.geometry, plane)
  const excluded = new Set([...(asked.exclude_ids ?? []), ...(asked.feature_id === undefined ? [] : [asked.feature_id])])
  const worst = new Map<Id, Record<string, unknown> & { id: Id; overlap_m2: number }>()
  for (const ground of groundKinds()) {
    const wanted = ground.kinds.filter(kind => kinds.includes(kind))
    if (wanted.length === 0) continue
    for (const other of await ground.around(ctx, site_id, wanted, box, from, to)) {
      if (excluded.has(other.id) || !onLevel(other, mine, asked)) continue
      const there = laid(other.geometry, plane)
      const overlap_m2 = sharedArea(here, there)
      if (overlap_m2 < (asked.min_overlap_m2 ?? MIN_OVERLAP_M2) || overlap_m2 === 0) continue
      if ((worst.get(other.id)?.overlap_m2 ?? 0) >= overlap_m2) continue
      const [share_of_mine, share_of_theirs] = [share(overlap_m2, here.area_m2), share(overlap_m2, there.area_m2)]
      worst.set(other.id, {
        ...{ kind: other.kind, name: other.name, share_of_mine, share_of_theirs },
        id: other.id,
        overlap_m2: hundredths(overlap_m2),
        relation: relationOf(share_of_mine, share_of_theirs),
        from: other.from > from ? other.from : from,
        to: asked.end_at === undefined ? other.to : earlier(other.to, to),
        verdict: verdictOn(mine, other, overlap_m2, { mine_m2: here.area_m2, theirs_m2: there.area_m2 }),
      })
    }
  }
  return [...worst.values()].sort((a, b) => b.overlap_m2 - a.overlap_m2 || (a.id < b.id ? -1 : 1))
}

const earlier = (a: Instant | null, b: Instant | null): Instant | null => (a === null ? b : b === null || a < b ? a : b)
