// What can be cut out of what (`map.md` §10). Rooms with features on the map plug in how one is found and reshaped, rooms with things that take up ground plug in
// their shapes, and the room with the cuts plugs in how an outline that is drawn again keeps its holes. So none of them uses another.
import type { Areal, Box } from '../../../shared/geometry/plane.ts'
import type { Instant } from '../../../shared/time.ts'
import type { Ctx } from '../../base/ctx.ts'
import type { Verdict } from '../../base/errors.ts'
import type { Id } from '../../base/ids.ts'
import { directoryEntry } from '../records/door.ts'
import type { LevelSpan, OnGround } from './domain/levels.ts'

/** A feature that can be cut, as it is at an instant. */
export type Cuttable = {
  kind: string
  site_id: Id
  id: Id
  name: string
  /** Version of the record, for `If-Match`, and number of the version that is active at the instant. */
  version: number
  feature_version: number
  /** The instant, and whether no version starts later. */
  at: Instant
  is_last: boolean
  outline: Areal
  geometry: Areal
  levels: LevelSpan
  contractor_id: Id | null
}

/** When its outline was drawn again, and what that did to its area. */
export type Redraw = {
  at: Instant
  written_at: Instant
  written_by: Id | null
  written_by_name: string | null
  area_before_m2: number
  area_after_m2: number
  feature_version: number
}

/** A kind of feature that can be cut. */
export type TargetKind = {
  kind: string
  /**
   * Returns a feature at an instant; null if there is none. Without an instant: now, or when it starts if that is later. `latest`: the same, or when its last
   * version starts. `lock` keeps it as it is until the end of the transaction, and refuses an instant at which it isn't there; without it, the version that is
   * nearest is returned.
   */
  find(ctx: Ctx, site_id: Id, id: Id, at: Instant | 'latest' | undefined, lock: boolean): Promise<Cuttable | null>
  /**
   * Gives a feature another shape from an instant on, with the permission and the refusals of any change, and returns it as the API shows it. `follows`: the later
   * occurrences of its schedule get the same step, so that it still follows the schedule.
   */
  reshape(
    ctx: Ctx,
    target: Cuttable,
    shape: { geometry: Areal; cut_id: Id; follows: boolean },
  ): Promise<{ shown: Record<string, unknown>; feature_version: number }>
  /** Lists when its outline was drawn again. */
  redraws(ctx: Ctx, site_id: Id, id: Id): Promise<Redraw[]>
  /** Returns why the caller can't change a feature, or why it can't be cut itself (a part of a fill); null if nothing prevents it. */
  refuses(ctx: Ctx, target: Cuttable): Verdict | Promise<Verdict>
  /** Lists the later occurrences of its schedule that still follow it. */
  siblings?(ctx: Ctx, target: Cuttable): Promise<Id[]>
}

/** Something whose ground can be cut out of a feature; `ended`: it is no longer there, and this is its last shape. */
export type Cutter = { kind: string; id: Id; name: string; shape: Areal; levels: LevelSpan; ended: boolean }

/** A kind of thing that can cut. */
export type CutterKind = { kind: string; find(ctx: Ctx, site_id: Id, id: Id, at: Instant): Promise<Cutter | null> }

/** Things that others can overlap. */
export type GroundKind = {
  kinds: readonly string[]
  /** Returns one thing at an instant; null if it isn't there. */
  find(ctx: Ctx, site_id: Id, id: Id, at: Instant): Promise<OnGround | null>
  /** Returns what is there at some time of a period and whose box meets another. */
  around(ctx: Ctx, site_id: Id, kinds: readonly string[], box: Box, from: Instant, to: Instant | null): Promise<OnGround[]>
}

/** Returns what is left of an outline after the cuts that are applied at an instant. */
export type Opener = (ctx: Ctx, of: { site_id: Id; id: Id }, outline: Areal, at: Instant) => Promise<Areal>

/** What a room plugs in. */
export type GeometryPlugs = {
  targets?: readonly TargetKind[]
  cutters?: readonly CutterKind[]
  ground?: readonly GroundKind[]
  opener?: Opener
}

const targets = new Map<string, TargetKind>()
const cutters = new Map<string, CutterKind>()
let ground: readonly GroundKind[] = []
let opener: Opener | null = null

/** Registers what rooms plug in, once, at startup. */
export function plugGeometry(plugs: readonly GeometryPlugs[]): void {
  targets.clear()
  cutters.clear()
  for (const one of plugs.flatMap(plug => plug.targets ?? [])) targets.set(one.kind, one)
  for (const one of plugs.flatMap(plug => plug.cutters ?? [])) cutters.set(one.kind, one)
  ground = plugs.flatMap(plug => plug.ground ?? [])
  opener = plugs.find(plug => plug.opener !== undefined)?.opener ?? null
}

/** Returns the kind of feature that an id on a site belongs to; null if it isn't one that can be cut. */
export async function targetKindOf(ctx: Ctx, site_id: Id, id: Id): Promise<TargetKind | null> {
  const entry = await directoryEntry(ctx.db, id)
  return entry === null || entry.site_id !== site_id ? null : (targets.get(entry.kind) ?? null)
}

/** Returns what can cut with this id at an instant; null if there is nothing. */
export async function cutterAt(ctx: Ctx, site_id: Id, id: Id, at: Instant): Promise<Cutter | null> {
  const entry = await directoryEntry(ctx.db, id)
  if (entry === null || entry.site_id !== site_id) return null
  return (await cutters.get(entry.kind)?.find(ctx, site_id, id, at)) ?? null
}

/** Lists the kinds of things that others can overlap. */
export const groundKinds = (): readonly GroundKind[] => ground

/** Returns what is left of an outline after the cuts of a feature that are applied at an instant. */
export async function openedAt(ctx: Ctx, of: { site_id: Id; id: Id }, outline: Areal, at: Instant): Promise<Areal> {
  return opener === null ? outline : opener(ctx, of, outline, at)
}
