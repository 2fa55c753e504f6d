// Corners and edges that attract a point while it is drawn, within a few pixels: so that what belongs together has no gap.
import type { Spot } from '../model.ts'
import type { Scene } from '../scene.ts'

/** A position on the screen, in pixels. */
export type Pixel = { x: number; y: number }
type Project = (spot: Spot) => Pixel

/** How near a corner or an edge is to attract a point, in pixels. */
export const SNAP_PX = 12

const SOURCES = ['boundary', 'areas', 'buildings', 'zones', 'active', 'places'] as const

/** The value used for the id of the boundary, which has none. */
export const BOUNDARY = 'boundary'

/** Returns the rings of everything that is drawn, without the shape that is being changed. */
export const ringsIn = (scene: Pick<Scene, (typeof SOURCES)[number]>, without: string | null): Spot[][] =>
  SOURCES.filter(source => source !== without).flatMap(source =>
    scene[source].features
      .filter(({ properties }) => without === null || properties.id !== without)
      .flatMap(({ geometry }) =>
        geometry.type === 'Point' || geometry.type === 'LineString'
          ? []
          : geometry.type === 'Polygon'
            ? geometry.coordinates
            : geometry.coordinates.flat(),
      )
      .map(ring => ring.map(([lon = 0, lat = 0]): Spot => [lon, lat])),
  )

const between = (a: Pixel, b: Pixel): number => Math.hypot(a.x - b.x, a.y - b.y)

/** Returns how far along an edge the nearest point is, 0 to 1. */
function alongOf(at: Pixel, from: Pixel, to: Pixel): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  return length === 0 ? 0 : Math.min(1, Math.max(0, ((at.x - from.x) * dx + (at.y - from.y) * dy) / length))
}

/** What a point was attracted by. */
export type Snapped = { spot: Spot; on: 'corner' | 'edge' }

/** Returns the corner near a point, or else the nearest place on an edge near it; null if nothing is near. */
export function snapAt(rings: readonly (readonly Spot[])[], at: Spot, project: Project, within = SNAP_PX): Snapped | null {
  const here = project(at)
  let corner: { spot: Spot; px: number } | null = null
  let edge: { spot: Spot; px: number } | null = null
  for (const ring of rings) {
    let before: { spot: Spot; pixel: Pixel } | null = null
    for (const spot of ring) {
      const pixel = project(spot)
      const px = between(here, pixel)
      if (px <= within && (corner === null || px < corner.px)) corner = { spot, px }
      if (before !== null) {
        const share = alongOf(here, before.pixel, pixel)
        const on = { x: before.pixel.x + share * (pixel.x - before.pixel.x), y: before.pixel.y + share * (pixel.y - before.pixel.y) }
        const off = between(here, on)
        if (off <= within && (edge === null || off < edge.px)) {
          const [a, b] = [before.spot, spot]
          edge = { spot: [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])], px: off }
        }
      }
      before = { spot, pixel }
    }
  }
  if (corner !== null) return { spot: corner.spot, on: 'corner' }
  return edge === null ? null : { spot: edge.spot, on: 'edge' }
}
