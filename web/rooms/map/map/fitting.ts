// Where the panel of a selected shape is, and the room that the map leaves for it, so that the panel never covers the shape.

/** A width and a height in pixels. */
export type Size = { width: number; height: number }

/** The distance between a panel and its position, in pixels: a marker is as high. */
export const AWAY_PX = 22
/** The distance between a panel and the edge of the map, in pixels. */
const EDGE_PX = 8
/** The least height of a shape that is shown in full, in pixels. */
const LEAST_PX = 48
/** Room for a panel that grows when more of its text arrives. */
const USUAL_PX = 280
const BOTTOM_PX = 32

/** Returns the padding with which a shape is shown in full below its panel. A panel that is nearly as high as the map leaves no room for this. */
export function paddingFor(map: Size, panel: Size | null): { top: number; bottom: number; left: number; right: number } {
  const needed = panel === null ? 0 : Math.ceil(panel.height) + AWAY_PX + EDGE_PX + 1
  const most = Math.max(0, map.height - BOTTOM_PX - LEAST_PX)
  return { top: Math.min(most, Math.max(needed, Math.min(USUAL_PX, map.height * 0.5))), bottom: BOTTOM_PX, left: 32, right: 64 }
}

/** Returns the padding with which a shape is shown in the upper half of the map, because a sheet covers the lower one. */
export const paddingAbove = ({ height }: Size): ReturnType<typeof paddingFor> => ({
  ...{ top: BOTTOM_PX, left: 32, right: 64 },
  bottom: Math.max(0, Math.min(height / 2, height - BOTTOM_PX - LEAST_PX)),
})

/** Returns the corner of a panel: above its position, or below it where there is no room above. */
export function cornerOf(map: Size, panel: Size, { x, y }: { x: number; y: number }, away = AWAY_PX): { left: number; top: number } {
  const left = Math.min(Math.max(EDGE_PX, x - panel.width / 2), Math.max(EDGE_PX, map.width - panel.width - EDGE_PX))
  const over = y - panel.height - away
  const top = over > EDGE_PX ? over : Math.min(y + away, Math.max(EDGE_PX, map.height - panel.height - EDGE_PX))
  return { left, top }
}
