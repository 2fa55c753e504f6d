// The drawings of the levels of Block A as DXF files, in metres of the site and millimetres of the drawing: walls, columns on their grid, core, doors and rooms.
import { type Corners, FRAME } from './ground.ts'

/** The corners of Block A, metres. */
export const CORNERS: Corners = FRAME.find(one => one.kind === 'building' && one.code === 'A')?.corners ?? []

const mm = (metres: number): string => String(Math.round(metres * 1000))
const pairs = (...tags: readonly (readonly [number, string])[]): string => tags.map(([code, value]) => `${code}\n${value}\n`).join('')

const polyline = (layer: string, corners: Corners, closed = true): string =>
  pairs([0, 'LWPOLYLINE'], [8, layer], [90, String(corners.length)], [70, closed ? '1' : '0']) +
  corners.map(([x, y]) => pairs([10, mm(x)], [20, mm(y)])).join('')
const line = (layer: string, a: readonly [number, number], b: readonly [number, number]): string => polyline(layer, [a, b], false)
const rect = (layer: string, x: number, y: number, width: number, depth: number): string =>
  polyline(layer, [
    [x, y],
    [x + width, y],
    [x + width, y + depth],
    [x, y + depth],
  ])
const circle = (layer: string, x: number, y: number, radius: number): string =>
  pairs([0, 'CIRCLE'], [8, layer], [10, mm(x)], [20, mm(y)], [40, mm(radius)])
const arc = (layer: string, x: number, y: number, radius: number, from: number, to: number): string =>
  pairs([0, 'ARC'], [8, layer], [10, mm(x)], [20, mm(y)], [40, mm(radius)], [50, String(from)], [51, String(to)])
const text = (layer: string, x: number, y: number, size: number, said: string): string =>
  pairs([0, 'TEXT'], [8, layer], [10, mm(x)], [20, mm(y)], [40, mm(size)], [1, said])

const WALL_M = 0.3
/** A door of a metre in a wall that runs east: its leaf, and the quarter circle that it sweeps. */
const door = (x: number, y: number, up: boolean): string =>
  line('A-DOOR', [x, y], [x, y + (up ? 1 : -1)]) + (up ? arc('A-DOOR', x, y, 1, 0, 90) : arc('A-DOOR', x, y, 1, 270, 360))

/** The same outline, moved inwards; each corner knows the two walls that meet there. */
const INNER: Corners = [
  [20 + WALL_M, 110 + WALL_M],
  [80 - WALL_M, 110 + WALL_M],
  [80 - WALL_M, 138 - WALL_M],
  [62 - WALL_M, 138 - WALL_M],
  [62 - WALL_M, 155 - WALL_M],
  [20 + WALL_M, 155 - WALL_M],
]

const COLUMNS = [24, 32, 40, 60, 68, 76]
const ROWS = [113, 121, 135, 151]
const isInside = (x: number, y: number): boolean => x < 62 || y < 138

/** The columns of the frame, and the grid that they stand on. */
function frame(): string {
  const columns = COLUMNS.flatMap(x => ROWS.filter(y => isInside(x, y)).map(y => rect('S-COLS', x - 0.3, y - 0.3, 0.6, 0.6)))
  const across = COLUMNS.map((x, i) => {
    const top = isInside(x, 151) ? 156 : 139
    return line('S-GRID', [x, 109], [x, top]) + circle('S-GRID', x, 108, 0.9) + text('A-TEXT', x - 0.35, 107.6, 0.9, String(i + 1))
  })
  const along = ROWS.map((y, i) => {
    const end = isInside(80, y) ? 81 : 63
    return line('S-GRID', [19, y], [end, y]) + circle('S-GRID', 18, y, 0.9) + text('A-TEXT', 17.7, y - 0.4, 0.9, 'ABCD'.charAt(i))
  })
  return [...columns, ...across, ...along].join('')
}

/** The core: two lifts, the stair and a riser. */
function core(): string {
  const treads = Array.from({ length: 11 }, (_, i) => line('A-STRS', [51 + i * 0.5, 121], [51 + i * 0.5, 124]))
  const lifts = [43, 46.5].flatMap(x => [
    rect('A-WALL', x, 121, 3, 3),
    line('A-WALL', [x, 121], [x + 3, 124]),
    line('A-WALL', [x, 124], [x + 3, 121]),
  ])
  return [
    rect('A-WALL', 42, 120, 16, 14),
    rect('A-WALL', 42.3, 120.3, 15.4, 13.4),
    ...lifts,
    rect('A-WALL', 50.7, 120.7, 6.6, 3.6),
    ...treads,
    rect('A-WALL', 43, 130, 4, 3),
    text('A-TEXT', 43.3, 131.2, 0.6, 'RISER'),
    text('A-TEXT', 51.2, 125.2, 0.7, 'STAIR 1'),
    text('A-TEXT', 43.2, 125.2, 0.7, 'LIFTS 1-2'),
  ].join('')
}

type Room = readonly [x: number, y: number, width: number, depth: number, name: string]
const FLATS: readonly Room[] = [
  [20.3, 110.3, 11.7, 9.7, 'APT 1'],
  [32, 110.3, 12, 9.7, 'APT 2'],
  [44, 110.3, 12, 9.7, 'APT 3'],
  [56, 110.3, 12, 9.7, 'APT 4'],
  [68, 110.3, 11.7, 9.7, 'APT 5'],
  [60, 123, 19.7, 14.7, 'APT 6'],
  [20.3, 137, 20.7, 17.7, 'APT 7'],
  [41, 137, 20.7, 17.7, 'APT 8'],
]
const GROUND: readonly Room[] = [
  [20.3, 110.3, 23.7, 9.7, 'RECEPTION'],
  [44, 110.3, 14, 9.7, 'POST AND CYCLES'],
  [58, 110.3, 21.7, 9.7, 'RETAIL 1'],
  [60, 123, 19.7, 14.7, 'RETAIL 2'],
  [20.3, 137, 20.7, 17.7, 'SWITCH ROOM'],
  [41, 137, 20.7, 17.7, 'REFUSE'],
]

const rooms = (level: number): string =>
  (level === 0 ? GROUND : FLATS)
    .flatMap(([x, y, width, depth, name]) => {
      const said = level === 0 ? name : name.replace(/\d/, n => `${level}0${n}`)
      const up = y > 120
      return [
        rect('A-WALL', x, y, width, depth),
        door(x + width / 2, up ? y : y + depth, up),
        text('A-TEXT', x + 1, y + depth / 2, 0.9, said),
        // A bathroom in each flat.
        ...(level === 0 ? [] : [rect('A-WALL', x + width - 3.2, up ? y + depth - 2.6 : y, 3.2, 2.6)]),
      ]
    })
    .join('')

const HEAD = '0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1027\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n'
const LAYERS = [
  ['A-WALL', 7],
  ['A-DOOR', 3],
  ['A-STRS', 8],
  ['S-COLS', 1],
  ['S-GRID', 9],
  ['A-TEXT', 7],
] as const

/** Returns the drawing of a level. */
export function blockDrawing(level: number): Buffer {
  const layers = LAYERS.map(([name, colour]) => pairs([0, 'LAYER'], [2, name], [70, '0'], [62, String(colour)])).join('')
  const entities = [
    polyline('A-WALL', CORNERS),
    polyline('A-WALL', INNER),
    frame(),
    core(),
    rooms(level),
    text('A-TEXT', 44, 105, 1.4, `BLOCK A, ${level === 0 ? 'GROUND FLOOR' : `LEVEL ${level}`}`),
  ].join('')
  return Buffer.from(
    `${HEAD}0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n${layers}0\nENDTAB\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${entities}0\nENDSEC\n0\nEOF\n`,
  )
}
