// Pictures of the ground for tests: a sheet with crosses at known pixels, and control points that lay it on the site of the tests.
import assert from 'node:assert/strict'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { allSchedules, runJob } from '../server/kernel/jobs/door.ts'
import { apply, type Matrix } from '../shared/calibration/algebra.ts'
import { type LonLat, planeAt } from '../shared/geometry/plane.ts'
import type { Part, Reply, TestHouse, World } from './world.ts'

/** Where the sheets of the tests lie. */
export const HERE: LonLat = { lon: -0.0877, lat: 51.5079 }

/** Size of the sheet, and the pixels of its crosses. */
export const SHEET = { width: 600, height: 400 }
export const CROSSES: readonly [number, number][] = [
  [60, 50],
  [540, 60],
  [530, 350],
  [70, 340],
  [300, 200],
  [180, 260],
]

/** Returns a white sheet with red crosses at these pixels; `tint` makes it another file. */
export async function sheet(crosses: readonly [number, number][] = CROSSES, tint = 0): Promise<Buffer> {
  const { width, height } = SHEET
  const lines = crosses.map(([x, y]) => `<path d="M${x - 12} ${y}h24M${x} ${y - 12}v24" stroke="#e00000" stroke-width="4"/>`).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#ffffff"/><rect width="1" height="1" fill="rgb(${tint % 256},${(tint >> 8) % 256},9)"/>${lines}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** A matrix that turns a picture clockwise about the site and scales it to metres a pixel. */
export function laid(scale: number, bearing_deg: number): Matrix {
  const turn = (bearing_deg * Math.PI) / 180
  const [c, s] = [scale * Math.cos(turn), scale * Math.sin(turn)]
  return [
    [c, -s, 0],
    [-s, -c, 0],
    [0, 0, 1],
  ]
}

/** Returns control points: these pixels, where a matrix puts them on the ground. */
export const controlPoints = (matrix: Matrix, pixels: readonly (readonly [number, number])[] = CROSSES) =>
  pixels.map(([x, y], i) => {
    const [lon, lat] = planeAt(HERE).degrees(apply(matrix, [x, y]))
    return { x, y, lon, lat, label: `P${i + 1}` }
  })

/** Returns the parts of an upload. */
export const upload = (value: Buffer, filename: string, fields: Record<string, string>): Part[] => [
  ...Object.entries(fields).map(([name, text]) => ({ name, value: text })),
  { name: 'file', value, filename },
]

/** A placement of the sheet that needs no control points. */
export const PLACED = { mode: 'affine', anchor: HERE, anchor_sheet: { x: 0, y: 0 }, scale: 0.05 }

/** Draws a building with one level where the sheets lie. */
export const planBuilding = async (w: Pick<World, 'as' | 'site_id'>): Promise<string> =>
  (
    await w.as('hse').post('/reference-features/zones', {
      ...{ site_id: w.site_id, kind: 'building', name: 'Block', levels: [{ index: 0 }], outline: aroundHere(50, 25) },
      effective_at: '2026-03-01T00:00:00.000Z',
    })
  ).body.id

/** Uploads the sheet as a floor plan, with further fields; `tint` makes it another file. */
export async function uploadSheet(
  w: Pick<World, 'as' | 'site_id'>,
  feature_id: string,
  more: Record<string, unknown>,
  tint = 0,
): Promise<Reply> {
  const fields = Object.entries(more).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)])
  const parts = upload(await sheet(undefined, tint), 'plan.png', { site_id: w.site_id, feature_id, ...Object.fromEntries(fields) })
  const made = await w.as('coordinator').send('POST', '/floor-plans/upload-image', parts)
  assert.equal(made.status, 201, made.text)
  return made
}

/** Runs the job of a response, as the worker does. */
export async function worked(house: TestHouse, reply: Reply): Promise<Reply> {
  if (reply.status >= 300 || typeof reply.body?.job_id !== 'string') throw new Error(`There is no job: ${reply.status} ${reply.text}`)
  await runJob(house.house, reply.body.job_id)
  return reply
}

/** Runs the jobs of pictures of the ground that are queued, as the worker would; one that fails is left as failed. */
export async function workedAll(house: TestHouse): Promise<void> {
  const rows = await house.rows(
    "select id from job_run where state = 'queued' and kind in ('floor_plan_process', 'site_map_process', 'dxf_import')",
  )
  for (const { id } of rows) await runJob(house.house, String(id)).catch(() => undefined)
}

/** Lets the job of a request fail at every attempt, and the schedule find that out (decision 985). Returns the id of the plan. */
export async function stopped(house: TestHouse, reply: Reply, schedule: 'lost_floor_plans' | 'lost_site_maps'): Promise<string> {
  if (reply.status >= 300 || typeof reply.body?.job_id !== 'string') throw new Error(`There is no job: ${reply.status} ${reply.text}`)
  await house.rows("update job_run set state = 'failed', finished_at = now() where id = $1", [reply.body.job_id])
  await allSchedules()
    .find(one => one.kind === schedule)
    ?.run(house.house)
  return reply.body.id
}

/** Uploads a sheet, and reads it. Returns its id. */
export async function readSheet(house: TestHouse, w: Pick<World, 'as' | 'site_id'>, name = 'Layout', tint = 0): Promise<string> {
  const parts = upload(await sheet(CROSSES, tint), 'layout.png', { site_id: w.site_id, name })
  return (await worked(house, await w.as('hse').send('POST', '/site-maps/upload', parts))).body.id
}

/** Uploads a sheet, calibrates it, and makes its tiles. Returns its id. */
export async function readySheet(
  house: TestHouse,
  w: Pick<World, 'as' | 'site_id'>,
  { name = 'Layout', tint = 0, matrix = laid(0.1, 33) }: { name?: string; tint?: number; matrix?: Matrix } = {},
): Promise<string> {
  const id = await readSheet(house, w, name, tint)
  await worked(house, await w.as('hse').post(`/site-maps/${id}/calibrate`, { points: controlPoints(matrix) }))
  return id
}

/** Returns a PDF with pages of this size in points, each with a line across it; `locked`: it asks for a password. */
export function pdfOf(pages: number, { width = 400, height = 300, locked = false } = {}): Buffer {
  const kids = Array.from({ length: pages }, (_, i) => `${3 + i * 2} 0 R`).join(' ')
  const objects = [`<</Type/Catalog/Pages 2 0 R>>`, `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`]
  for (let i = 0; i < pages; i++) {
    const content = `4 w 0 0 m ${width} ${height} l S 20 20 ${width - 40} ${height - 40} re S`
    objects.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${4 + i * 2} 0 R/Resources<<>>>>`)
    objects.push(pdfStream(content))
  }
  const secret = '41'.repeat(32)
  if (locked) objects.push(`<</Filter/Standard/V 1/R 2/O<${secret}>/U<${secret}>/P -4>>`)
  const lock = locked ? `/Encrypt ${objects.length} 0 R/ID[<${secret}><${secret}>]` : ''
  return pdfFile(objects, lock)
}

/** Returns a PDF of these objects, of which the first is its catalogue. */
export function pdfFile(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.5\n'
  const offsets = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj${object}endobj\n`
    return at
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`
  text += `trailer<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** Builds the same document as programs write it since PDF 1.5: its objects without a stream are compressed together, and the list of objects is a stream. */
export function packedPdf(objects: readonly string[]): Buffer {
  const packed = objects.map((text, i) => ({ text, number: i + 1 })).filter(({ text }) => !text.includes('stream'))
  let at = 0
  const index = packed.map(({ text, number }) => {
    const entry = `${number} ${at}`
    at += text.length + 1
    return entry
  })
  const first = `${index.join(' ')} `
  const data = deflateSync(Buffer.from(first + packed.map(({ text }) => `${text} `).join(''), 'latin1'))
  const [store, list] = [objects.length + 1, objects.length + 2]
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  const rows = [[0, 0, 0], ...objects.map((_, i) => [2, store, packed.findIndex(one => one.number === i + 1)]), [0, 0, 0], [0, 0, 0]]
  const add = (number: number, text: string, stream?: Buffer) => {
    rows[number] = [1, length(), 0]
    parts.push(Buffer.from(`${number} 0 obj\n${text}`, 'latin1'))
    if (stream !== undefined) parts.push(Buffer.from('\nstream\n'), stream, Buffer.from('\nendstream'))
    parts.push(Buffer.from('\nendobj\n'))
  }
  for (const [i, text] of objects.entries()) if (text.includes('stream')) add(i + 1, text)
  add(store, `<</Type/ObjStm/N ${packed.length}/First ${first.length}/Filter/FlateDecode/Length ${data.length}>>`, data)
  const start = length()
  rows[list] = [1, start, 0]
  const table = Buffer.concat(
    rows.map(([kind = 0, where = 0, nr = 0]) => Buffer.from([kind, where >> 16, (where >> 8) & 255, where & 255, nr])),
  )
  add(list, `<</Type/XRef/Size ${rows.length}/W[1 3 1]/Root 1 0 R/Length ${table.length}>>`, table)
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

/** Returns the stream of a PDF object. */
export const pdfStream = (content: string, entries = ''): string => `<</Length ${content.length}${entries}>>stream\n${content}\nendstream`

/** Returns a small GeoTIFF: `scale` units of a reference system a pixel, its upper left corner at a position; `point`: positions are those of pixel centres; `unit`: what its keys say they are in. */
export function geoTiff(
  epsg: number,
  [left, top]: readonly [number, number],
  scale: number,
  { width = 64, height = 48, point = false, geographic = false, unit = 0 } = {},
): Buffer {
  const lists: { tag: number; type: number; values: number[] }[] = [
    { tag: 256, type: 4, values: [width] },
    { tag: 257, type: 4, values: [height] },
    { tag: 258, type: 3, values: [8, 8, 8] },
    { tag: 259, type: 3, values: [1] },
    { tag: 262, type: 3, values: [2] },
    { tag: 273, type: 4, values: [0] },
    { tag: 277, type: 3, values: [3] },
    { tag: 278, type: 4, values: [height] },
    { tag: 279, type: 4, values: [width * height * 3] },
    { tag: 33550, type: 12, values: [scale, scale, 0] },
    { tag: 33922, type: 12, values: [0, 0, 0, left, top, 0] },
    {
      tag: 34735,
      type: 3,
      values: [
        ...[1, 1, 0, 4, 1024, 0, 1, geographic ? 2 : 1, 1025, 0, 1, point ? 2 : 1],
        ...[geographic ? 2048 : 3072, 0, 1, epsg, geographic ? 2054 : 3076, 0, 1, unit || (geographic ? 9102 : 9001)],
      ],
    },
  ]
  const size: Record<number, number> = { 3: 2, 4: 4, 12: 8 }
  const directory = 8
  let next = directory + 2 + lists.length * 12 + 4
  const places = lists.map(({ type, values }) => {
    const bytes = values.length * (size[type] ?? 4)
    if (bytes <= 4) return null
    const at = next
    next += bytes
    return at
  })
  const file = Buffer.alloc(next + width * height * 3, 200)
  file.fill(0, 0, next)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(directory, 4)
  file.writeUInt16LE(lists.length, directory)
  for (const [i, { tag, type, values }] of lists.entries()) {
    const at = directory + 2 + i * 12
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(values.length, at + 4)
    const place = places[i] ?? null
    if (place !== null) file.writeUInt32LE(place, at + 8)
    for (const [k, value] of values.entries()) {
      const to = (place ?? at + 8) + k * (size[type] ?? 4)
      const number = tag === 273 ? next : value
      if (type === 12) file.writeDoubleLE(number, to)
      else if (type === 4) file.writeUInt32LE(number, to)
      else file.writeUInt16LE(number, to)
    }
  }
  return file
}

/** Returns an outline of this size in metres, moved from the place of the tests. */
export function aroundHere(width: number, height: number, east = 0, north = 0) {
  const plane = planeAt(HERE)
  const corner = (x: number, y: number) => plane.degrees([east + x, north + y])
  return {
    type: 'Polygon',
    coordinates: [[corner(0, 0), corner(width, 0), corner(width, height), corner(0, height), corner(0, 0)]],
  }
}

/** Returns a DXF file with these entities; `units` is `$INSUNITS`, left out if it is null. */
export function drawingOf(
  entities: string,
  { units = 4, blocks = '', layers = '' }: { units?: number | null; blocks?: string; layers?: string } = {},
): Buffer {
  const inUnits = units === null ? '' : `9\n$INSUNITS\n70\n${units}\n`
  return Buffer.from(
    `0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1027\n${inUnits}0\nENDSEC\n0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n${layers}0\nENDTAB\n0\nENDSEC\n` +
      `0\nSECTION\n2\nBLOCKS\n${blocks}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${entities}0\nENDSEC\n0\nEOF\n`,
  )
}

/** Returns a closed polyline around a rectangle. */
export const rectangle = (width: number, height: number, layer = 'A-WALL', x = 0, y = 0): string =>
  `0\nLWPOLYLINE\n8\n${layer}\n90\n4\n70\n1\n10\n${x}\n20\n${y}\n10\n${x + width}\n20\n${y}\n10\n${x + width}\n20\n${y + height}\n10\n${x}\n20\n${y + height}\n`

/** The points of a line that has its coordinates one after another. */
export const pairsOf = (points: readonly number[]): [number, number][] =>
  Array.from({ length: points.length / 2 }, (_, i) => [points[i * 2] ?? 0, points[i * 2 + 1] ?? 0])

/** The smallest box around lines, to a thousandth: left, bottom, right, top. */
export const boxOf = (lines: readonly { points: readonly number[] }[]): number[] => {
  const all = lines.flatMap(({ points }) => pairsOf(points))
  return [
    Math.min(...all.map(p => p[0])),
    Math.min(...all.map(p => p[1])),
    Math.max(...all.map(p => p[0])),
    Math.max(...all.map(p => p[1])),
  ].map(value => Math.round(value * 1000) / 1000)
}
