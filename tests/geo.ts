// Files of layers for tests: Shapefiles, zip archives, and squares in metres.
import { zipSync } from 'fflate'
import { type Position, planeAt } from '../shared/geometry/plane.ts'

/** The middle of the site of a test. */
export const MIDDLE = { lon: -0.0877, lat: 51.5079 }
const plane = planeAt(MIDDLE)

/** Returns a ring through corners in metres east and north of the middle, closed. */
export const ringOf = (...metres: readonly (readonly [number, number])[]): Position[] =>
  [...metres, metres[0] ?? ([0, 0] as const)].map(([x, y]) => plane.degrees([x, y]))

/** Returns a rectangle in metres east and north of the middle. */
export const boxAt = (x: number, y: number, width: number, height = width) => ({
  type: 'Polygon' as const,
  coordinates: [ringOf([x, y], [x + width, y], [x + width, y + height], [x, y + height])],
})

/** Returns a position in metres east and north of the middle. */
export const pointAt = (x: number, y: number): Position => plane.degrees([x, y])

/** Returns a GeoJSON FeatureCollection. */
export const collection = (...features: readonly (readonly [unknown, Record<string, unknown>])[]) => ({
  type: 'FeatureCollection',
  features: features.map(([geometry, properties]) => ({ type: 'Feature', geometry, properties })),
})

/** Makes a zip archive. */
export const zipped = (files: Readonly<Record<string, Uint8Array | string>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? Buffer.from(content) : content]),
      ),
    ),
  )

type Rings = readonly (readonly (readonly number[])[])[]

/** Makes the .shp of polygons (as rings) or points. */
export function shpOf(shapes: readonly (Rings | readonly [number, number] | null)[]): Buffer {
  const isPoint = (shape: Rings | readonly [number, number]): shape is readonly [number, number] => typeof shape[0] === 'number'
  const records = shapes.map((shape, i) => {
    let body: Buffer
    if (shape === null) {
      body = Buffer.alloc(4)
    } else if (isPoint(shape)) {
      body = Buffer.alloc(20)
      body.writeInt32LE(1, 0)
      body.writeDoubleLE(shape[0], 4)
      body.writeDoubleLE(shape[1], 12)
    } else {
      const corners = shape.flat()
      body = Buffer.alloc(44 + 4 * shape.length + 16 * corners.length)
      body.writeInt32LE(5, 0)
      body.writeInt32LE(shape.length, 36)
      body.writeInt32LE(corners.length, 40)
      let first = 0
      shape.forEach((ring, n) => {
        body.writeInt32LE(first, 44 + 4 * n)
        first += ring.length
      })
      corners.forEach(([x = 0, y = 0], n) => {
        body.writeDoubleLE(x, 44 + 4 * shape.length + 16 * n)
        body.writeDoubleLE(y, 52 + 4 * shape.length + 16 * n)
      })
    }
    const head = Buffer.alloc(8)
    head.writeInt32BE(i + 1, 0)
    head.writeInt32BE(body.length / 2, 4)
    return Buffer.concat([head, body])
  })
  const header = Buffer.alloc(100)
  header.writeInt32BE(9994, 0)
  header.writeInt32BE((100 + records.reduce((sum, record) => sum + record.length, 0)) / 2, 24)
  header.writeInt32LE(1000, 28)
  return Buffer.concat([header, ...records])
}

/** Writes a table (.dbf) with these fields (name, type and width) and rows. `version`: the first byte, 3 for dBase. */
export function tableOf(
  fields: readonly (readonly [string, string, number])[],
  rows: readonly (string | Buffer)[],
  { version = 3, driver = 0 } = {},
): Buffer {
  const width = fields.reduce((sum, [, , one]) => sum + one, 0)
  const header = Buffer.alloc(33 + 32 * fields.length)
  header.writeUInt8(version, 0)
  header.writeUInt32LE(rows.length, 4)
  header.writeUInt16LE(header.length, 8)
  header.writeUInt16LE(width + 1, 10)
  header.writeUInt8(driver, 29)
  fields.forEach(([name, type, one], i) => {
    header.write(name, 32 * (i + 1), 'latin1')
    header.write(type, 32 * (i + 1) + 11, 'latin1')
    header.writeUInt8(one, 32 * (i + 1) + 16)
  })
  header.writeUInt8(0x0d, header.length - 1)
  const body = rows.map(row => {
    const text = Buffer.alloc(width + 1, 0x20)
    Buffer.from(row).copy(text, 1)
    return text
  })
  return Buffer.concat([header, ...body, Buffer.from([0x1a])])
}

/** Makes the .dbf of texts, one field `name`, as bytes in any code page; `driver`: the byte that says which. */
export const dbfOf = (rows: readonly (string | Buffer)[], driver = 0): Buffer => tableOf([['name', 'C', 60]], rows, { driver })

/** The .prj of the British National Grid, as ArcGIS writes it. */
export const BRITISH_PRJ =
  'PROJCS["British_National_Grid",GEOGCS["GCS_OSGB_1936",DATUM["D_OSGB_1936",SPHEROID["Airy_1830",6377563.396,299.3249646]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",-100000.0],PARAMETER["Central_Meridian",-2.0],PARAMETER["Scale_Factor",0.9996012717],PARAMETER["Latitude_Of_Origin",49.0],UNIT["Meter",1.0]]'
