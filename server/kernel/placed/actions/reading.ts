// The ground is described by a room (areas, buildings, zones); it plugs in how a place in a body is read.
import type { LonLat } from '../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { FieldFault } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import type { StoredPlace } from '../queries.ts'
import type { GivenPlace, SOURCES } from '../schema.ts'

/** A place, checked and completed (`map.md` §0.2): what a person said, and where that is at the start. */
export type ReadPlace = {
  stored: StoredPlace
  place_source: (typeof SOURCES)[number]
  building_id: Id | null
  level_index: number | null
  zone_id: Id | null
  faults: FieldFault[]
}

/** A position, and a building or zone that a person named for it. */
export type Standing = { feature_id: Id; at: Instant; where: LonLat }

/** How the room that describes the ground reads places. */
export type PlaceReader = {
  /** Reads a place as it is on the site at an instant. Faults are those of a 422, below `place`. */
  read(ctx: Ctx, site_id: Id, given: GivenPlace, at: Instant): Promise<ReadPlace>
  /** Returns when the ground changes at a place, or what a person named for it, after `from` and until `to`, in order. */
  changes(ctx: Ctx, site_id: Id, given: GivenPlace, from: Instant, to: Instant): Promise<Instant[]>
  /** Returns for each position whether it is more than 1 m outside its feature as that is at the instant, or whether there is no such feature then. */
  off(ctx: Ctx, site_id: Id, standings: readonly Standing[]): Promise<boolean[]>
}

let plugged: PlaceReader | null = null

/** Registers the reader of places, once, at startup. */
export function plugPlaces(readers: readonly PlaceReader[]): void {
  if (readers.length > 1) throw new Error('Two rooms read places.')
  plugged = readers[0] ?? null
}

/** Returns the reader of places. */
export function placeReader(): PlaceReader {
  if (plugged === null) throw new Error('No room reads places.')
  return plugged
}
