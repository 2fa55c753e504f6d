// From the pairs of an entity to its geometry. Pure.
import { throughPoints } from './dxf-fit.ts'
import { hatch } from './dxf-hatch.ts'
import { dimension, type Handles, leader, multileader, multipleLine, table } from './dxf-notes.ts'
import { arc, Entity, heightsOf, numberOf, outlineOf, type Pairs, path, RADIANS } from './dxf-pairs.ts'
import { type Form, type Shape, type Space, UPRIGHT } from './dxf-shapes.ts'
import { nameIn } from './dxf-tags.ts'
import { plainMtext, plainText } from './dxf-text.ts'

/** Returns the axes of an entity by its extrusion (the arbitrary axis algorithm): what its own coordinates become in the drawing. */
export function ownOf(entity: Entity, elevation: number): Space {
  const [x, y, z] = [entity.number(210, 0), entity.number(220, 0), entity.number(230, 1)]
  const length = Math.hypot(x, y, z)
  if (length === 0 || (x === 0 && y === 0 && z > 0)) return elevation === 0 ? UPRIGHT : [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, elevation]
  const [nx, ny, nz] = [x / length, y / length, z / length]
  const near = Math.abs(nx) < 1 / 64 && Math.abs(ny) < 1 / 64
  const [rx, ry, rz] = near ? [nz, 0, -nx] : [-ny, nx, 0]
  const side = Math.hypot(rx, ry, rz)
  const [ax, ay, az] = [rx / side, ry / side, rz / side]
  const [bx, by, bz] = [ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax]
  return [ax, ay, az, bx, by, bz, nx, ny, nz, nx * elevation, ny * elevation, nz * elevation]
}

function polyline(entity: Entity): Form {
  const points: number[] = []
  entity.each((code, value) => {
    if (code === 10) points.push(numberOf(value), 0, 0)
    else if (code === 20 && points.length > 0) points[points.length - 2] = numberOf(value)
    else if (code === 42 && points.length > 0) points[points.length - 1] = numberOf(value)
  })
  return path(points, (entity.number(70) & 1) === 1)
}

function ellipse(entity: Entity): Form {
  const [mx, my, mz] = [entity.number(11), entity.number(21), entity.number(31)]
  const ratio = entity.number(40, 1)
  // The minor axis is perpendicular to the major one and to the extrusion.
  const [x, y, z] = [entity.number(210, 0), entity.number(220, 0), entity.number(230, 1)]
  const side = ratio / (Math.hypot(x, y, z) || 1)
  const [from, to] = [entity.number(41, 0), entity.number(42, 2 * Math.PI)]
  const full = 2 * Math.PI
  const turn = (((to - from) % full) + full) % full
  return {
    kind: 'ellipse',
    x: entity.number(10),
    y: entity.number(20),
    z: entity.number(30),
    mx,
    my,
    mz,
    nx: (y * mz - z * my) * side,
    ny: (z * mx - x * mz) * side,
    nz: (x * my - y * mx) * side,
    from,
    turn: turn < 1e-9 ? full : turn,
  }
}

function spline(entity: Entity): Form {
  const [xs, ys, zs] = [entity.numbers(10), entity.numbers(20), entity.numbers(30)]
  if (xs.length < 2) {
    const fitted = entity.numbers(21)
    const points = entity.numbers(11).flatMap((x, i) => [x, fitted[i] ?? 0])
    const direction = (code: number) => (entity.has(code) ? ([entity.number(code), entity.number(code + 10)] as const) : null)
    const curve = throughPoints(points, { start: direction(12), end: direction(13) })
    return curve === null ? path([]) : { kind: 'spline', degree: 3, ...curve, weights: [], closed: false }
  }
  return {
    kind: 'spline',
    degree: Math.min(25, Math.max(1, entity.number(71, 3))),
    knots: entity.numbers(40),
    points: xs.flatMap((x, i) => [x, ys[i] ?? 0]),
    weights: entity.numbers(41),
    closed: (entity.number(70) & 1) === 1,
    heights: heightsOf(zs),
  }
}

function insert(entity: Entity): Form {
  const turn = entity.number(50) * RADIANS
  const [sx, sy, sz] = [entity.number(41, 1), entity.number(42, 1), entity.number(43, 1)]
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  const [dx, dy] = [entity.number(44), entity.number(45)]
  return {
    kind: 'insert',
    block: nameIn(entity.text(2)),
    placed: [c * sx, s * sx, 0, -s * sy, c * sy, 0, 0, 0, sz, entity.number(10), entity.number(20), 0],
    columns: Math.max(1, Math.floor(entity.number(70, 1))),
    rows: Math.max(1, Math.floor(entity.number(71, 1))),
    // The spacing of an array is turned with the block, but neither scaled nor mirrored.
    column: [c * dx, s * dx],
    row: [-s * dy, c * dy],
  }
}

const label = (entity: Entity, text: string, x: number, y: number): Form & { kind: 'text' } => ({
  kind: 'text',
  x,
  y,
  text: nameIn(text.trim()),
  height: entity.number(40, 1),
})

function singleText(entity: Entity): Form {
  // Text that isn't aligned to the left has its position in the second point.
  const aligned = (entity.number(72) !== 0 || entity.number(73) !== 0) && entity.has(11)
  return label(entity, plainText(entity.text(1)), entity.number(aligned ? 11 : 10), entity.number(aligned ? 21 : 20))
}

function mtext(entity: Entity): Form {
  let text = ''
  entity.each((code, value) => {
    if (code === 3 || code === 1) text += String(value)
  })
  return { ...label(entity, plainText(plainMtext(text)), entity.number(10), entity.number(20)), z: entity.number(30) }
}

const corners = (entity: Entity, order: readonly number[]): Form =>
  path(
    order.flatMap(k => [entity.number(10 + k), entity.number(20 + k), 0]),
    true,
  )

/** Reads a face, whose edges can be hidden one by one. */
const face = (entity: Entity): Form =>
  outlineOf(
    [0, 1, 2, 3].map(k => [entity.number(10 + k), entity.number(20 + k)] as const),
    [0, 1, 2, 3].map(k => (entity.number(70) & (1 << k)) !== 0),
    [0, 1, 2, 3].map(k => entity.number(30 + k)),
  )

/** What each type of entity is; `own`: its coordinates are its own, by its extrusion. */
const TYPES: Readonly<Record<string, { own: boolean; read: (entity: Entity, handles: Handles) => Form }>> = {
  LINE: {
    own: false,
    read: e => path([e.number(10), e.number(20), 0, e.number(11), e.number(21), 0], false, heightsOf([e.number(30), e.number(31)])),
  },
  LWPOLYLINE: { own: true, read: polyline },
  ARC: { own: true, read: e => arc(e.number(10), e.number(20), Math.abs(e.number(40)), e.number(50), e.number(51)) },
  CIRCLE: { own: true, read: e => arc(e.number(10), e.number(20), Math.abs(e.number(40)), 0, 360) },
  ELLIPSE: { own: false, read: ellipse },
  SPLINE: { own: false, read: spline },
  HELIX: { own: false, read: spline },
  INSERT: { own: true, read: insert },
  // What is in the block of a dimension is in the coordinates of the drawing.
  DIMENSION: { own: false, read: e => dimension(e, ownOf(e, 0)) },
  ARC_DIMENSION: { own: false, read: e => dimension(e, ownOf(e, 0)) },
  LARGE_RADIAL_DIMENSION: { own: false, read: e => dimension(e, ownOf(e, 0)) },
  ACAD_TABLE: { own: true, read: table },
  HATCH: { own: true, read: hatch },
  MPOLYGON: { own: true, read: hatch },
  TEXT: { own: true, read: singleText },
  ATTRIB: { own: true, read: singleText },
  MTEXT: { own: false, read: mtext },
  '3DFACE': { own: false, read: face },
  LEADER: { own: false, read: leader },
  MULTILEADER: { own: false, read: multileader },
  MLEADER: { own: false, read: multileader },
  MLINE: { own: false, read: multipleLine },
  SOLID: { own: true, read: e => corners(e, [0, 1, 3, 2]) },
  TRACE: { own: true, read: e => corners(e, [0, 1, 3, 2]) },
}

/** Returns an entity as a shape; null if entities of this type aren't drawn. `handles`: of the blocks that it can refer to. */
export function shapeOf(type: string, pairs: Pairs, handles: Handles): Shape | null {
  const how = TYPES[type]
  if (how === undefined) return null
  const entity = new Entity(pairs)
  const elevation = entity.number(type === 'LWPOLYLINE' ? 38 : 30)
  return { type, layer: nameIn(entity.text(8)) || '0', own: how.own ? ownOf(entity, elevation) : UPRIGHT, form: how.read(entity, handles) }
}
