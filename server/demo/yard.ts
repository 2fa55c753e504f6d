// The demo site from above, as a drone would show it in the first week: a drawing of our own in the colours of earth, stone and concrete.
import { type Corners, FRAME, GROUND } from './ground.ts'

/** Size of a pixel, metres. */
const METRES_A_PIXEL = 0.2
/** The ground around the site that is in the picture, metres. */
const AROUND_M = 14
const [EAST_M, NORTH_M] = [260, 180]
const WIDTH = Math.round((EAST_M + 2 * AROUND_M) / METRES_A_PIXEL)
const HEIGHT = Math.round((NORTH_M + 2 * AROUND_M) / METRES_A_PIXEL)

/** Returns the pixel of a place in metres from the corner of the site. */
export const pixelOf = (x: number, y: number): [number, number] => [
  (x + AROUND_M) / METRES_A_PIXEL,
  (NORTH_M + AROUND_M - y) / METRES_A_PIXEL,
]

/** A row of numbers from 0 to 1 that is the same at each start. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const path = (corners: Corners): string => `M${corners.map(([x, y]) => pixelOf(x, y).map(Math.round).join(' ')).join('L')}z`
const px = (metres: number): number => Math.round((metres / METRES_A_PIXEL) * 10) / 10
const rect = (x: number, y: number, width: number, depth: number, fill: string, more = ''): string => {
  const [left, top] = pixelOf(x, y + depth)
  return `<rect x="${Math.round(left)}" y="${Math.round(top)}" width="${px(width)}" height="${px(depth)}" fill="${fill}" ${more}/>`
}
const many = (n: number, each: (i: number) => string): string => Array.from({ length: n }, (_, i) => each(i)).join('')

const FILLS: Readonly<Record<string, string>> = {
  vehicle_route: '#a59b8b',
  pedestrian_route: '#b9b4a8',
  laydown: '#aa9c83',
  storage: '#a3967f',
  parking: '#7c7c7b',
  welfare: '#9f9a8e',
}

/** Blotches of earth: darker where it is wet, lighter where it is dry. */
function earth(random: () => number): string {
  const tones = ['#8d7556', '#a88f6c', '#97805f', '#b39c7a', '#84704f']
  return many(420, i => {
    const [x, y] = pixelOf(random() * EAST_M, random() * NORTH_M)
    const size = px(2 + random() * 11)
    return `<ellipse cx="${Math.round(x)}" cy="${Math.round(y)}" rx="${size}" ry="${px(1.5 + random() * 6)}" fill="${tones[i % tones.length]}" fill-opacity="0.22" transform="rotate(${Math.round(random() * 180)} ${Math.round(x)} ${Math.round(y)})"/>`
  })
}

/** Tracks of tyres along the haul roads. */
const tracks = (random: () => number): string =>
  many(26, i => {
    const y = i % 2 === 0 ? 86 + random() * 7 : 61 + random() * 10
    const [x1, y1] = pixelOf(i % 2 === 0 ? 6 : 129, y)
    const [x2, y2] = pixelOf(252, y + random() * 2 - 1)
    return `<path d="M${x1} ${y1}Q${(x1 + x2) / 2} ${y1 + random() * 16 - 8} ${x2} ${y2}" fill="none" stroke="#6f6350" stroke-width="${2 + random() * 2}" stroke-opacity="0.35"/>`
  })

/** The slab of a building, with its shadow, and what is on it. */
function building(corners: Corners, code: string): string {
  const shape = path(corners)
  const low = code === 'C' ? '#b5b0a6' : '#c3beb4'
  const bars = code === 'B' ? 'url(#steel)' : 'url(#slab)'
  return `<path d="${shape}" fill="#2b2620" fill-opacity="0.4" transform="translate(${px(2.6)} ${px(2)})"/><path d="${shape}" fill="${low}" stroke="#8e887c" stroke-width="5"/><path d="${shape}" fill="${bars}"/>`
}

const containers = (x: number, y: number, n: number, random: () => number): string => {
  const colours = ['#39668c', '#a4472f', '#5c7a4d', '#c7c4bc', '#8a8f94']
  return many(n, i => {
    const [dx, dy] = [(i % 4) * 3.1, Math.floor(i / 4) * 6.8]
    return (
      rect(x + dx + 0.5, y + dy - 0.5, 2.5, 6.1, '#231f1a', 'fill-opacity="0.35"') +
      rect(x + dx, y + dy, 2.5, 6.1, colours[Math.floor(random() * colours.length)] ?? '')
    )
  })
}

const cars = (random: () => number): string =>
  many(7, i =>
    rect(229 + i * 2.9, 46 + (random() < 0.3 ? 4.5 : 0), 1.9, 4.3, ['#d9d9d6', '#2f3337', '#8d2420', '#47607a'][i % 4] ?? '', 'rx="4"'),
  )

/** A tower crane: its base, its jib and the shadow of it. */
const crane = (x: number, y: number, turn: number, reach: number): string => {
  const [cx, cy] = pixelOf(x, y)
  const jib = `<path d="M${cx - px(11)} ${cy - 5}h${px(reach + 11)}v10h-${px(reach + 11)}z"`
  return `<g transform="rotate(${turn} ${cx} ${cy})">${jib} fill="#1f1b17" fill-opacity="0.3" transform="translate(18 30)"/>${jib} fill="none" stroke="#d7a719" stroke-width="4"/><rect x="${cx - px(13)}" y="${cy - 12}" width="${px(4)}" height="24" fill="#8f8b83"/></g><rect x="${cx - 14}" y="${cy - 14}" width="28" height="28" fill="#d7a719" stroke="#5f4a0b" stroke-width="3"/>`
}

const trees = (random: () => number): string =>
  many(70, i => {
    const side = i % 4
    const [x, y] =
      side < 2
        ? [random() * (EAST_M + 24) - 12, side === 0 ? -4 - random() * 8 : NORTH_M + 4 + random() * 8]
        : [side === 2 ? -4 - random() * 8 : EAST_M + 4 + random() * 8, random() * NORTH_M]
    const [cx, cy] = pixelOf(x, y)
    const size = px(1.6 + random() * 2.2)
    return `<circle cx="${cx + 8}" cy="${cy + 8}" r="${size}" fill="#20251a" fill-opacity="0.4"/><circle cx="${cx}" cy="${cy}" r="${size}" fill="${['#4d6238', '#5b7041', '#43572f'][i % 3]}"/><circle cx="${cx - size / 4}" cy="${cy - size / 4}" r="${size / 2}" fill="#7c9058" fill-opacity="0.5"/>`
  })

/** Returns the picture as JPEG. */
export async function siteFromAbove(): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const random = chance(20_260_105)
  const zones = FRAME.filter(one => one.kind === 'zone' && one.building === undefined && one.zone_type !== undefined)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs>
    <pattern id="slab" width="${px(8)}" height="${px(8)}" patternUnits="userSpaceOnUse"><path d="M0 0h${px(8)}M0 0v${px(8)}" stroke="#99938a" stroke-width="3"/><rect x="-5" y="-5" width="10" height="10" fill="#7d776d"/></pattern>
    <pattern id="steel" width="${px(6)}" height="${px(7)}" patternUnits="userSpaceOnUse"><path d="M0 3h${px(6)}M3 0v${px(7)}" stroke="#7d3f26" stroke-width="5"/></pattern></defs>
    <rect width="100%" height="100%" fill="#6d7a55"/><rect y="${HEIGHT - px(8)}" width="100%" height="${px(8)}" fill="#5f6163"/>
    <path d="${path(GROUND)}" fill="#9b835f"/>${earth(random)}
    ${zones.map(({ corners, zone_type = '' }) => (FILLS[zone_type] === undefined ? '' : `<path d="${path(corners)}" fill="${FILLS[zone_type]}" fill-opacity="0.85"/>`)).join('')}
    ${tracks(random)}
    ${many(9, i => rect(22 + i * 6, 160, 4.6, 10, '#74503a', 'fill-opacity="0.9"'))}${many(6, i => rect(147 + i * 7, 18, 4.5, 22, ['#8a8e91', '#b08b4f', '#6b4632'][i % 3] ?? ''))}
    ${rect(9, 68, 108, 2.2, '#4b3a27')}${many(5, i => rect(20 + i * 22, 67.6, 3, 3, '#d8a21c'))}
    ${FRAME.filter(one => one.kind === 'building')
      .map(one => building(one.corners, one.code))
      .join('')}
    ${rect(42, 120, 16, 14, '#8f8a80')}${rect(43, 121, 6.5, 3, '#3a3733')}${rect(175, 120, 20, 20, '#5a534a')}
    ${containers(205, 16, 12, random)}${containers(222, 16, 8, random)}${containers(178, 48, 4, random)}${cars(random)}
    ${trees(random)}
    <path d="${path(GROUND)}" fill="none" stroke="#e9e6df" stroke-width="8"/><path d="${path(GROUND)}" fill="none" stroke="#2f5d86" stroke-width="3"/>
    ${crane(93, 125, -24, 42)}${crane(204, 158, 155, 38)}</svg>`
  const noise = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 22 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(Buffer.from(svg))
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 78 })
    .toBuffer()
}
