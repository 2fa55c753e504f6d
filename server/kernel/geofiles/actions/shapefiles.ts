// Reads the Shapefiles of an archive. Programs write points, lines and areas of one layer into several.
import { decoderFor } from '../domain/codepages.ts'
import { codePageOf, openTable, type Table } from '../domain/dbf.ts'
import type { GeoLine, GeoProblem, Raw } from '../domain/files.ts'
import { gathering } from '../domain/gather.ts'
import { converter, gridOfWkt, type KnownGrid } from '../domain/grids.ts'
import { freeName } from '../domain/names.ts'
import { readShapes } from '../domain/shapefile.ts'
import { agreed, done, type Read } from './result.ts'
import { decoderOf } from './text.ts'

/** Files of an archive by their path in lower case. */
type Parts = ReadonlyMap<string, Buffer>

/** A Shapefile whose files were looked at, but not its shapes. */
type Opened = { grid: KnownGrid | null; shp: Uint8Array; shx: Uint8Array | null; table: Table | null }

/** The property with the name of the Shapefile, if there are several. */
const LAYER = 'layer'

function opened(parts: Parts, path: string, named: KnownGrid | null): Opened | GeoProblem {
  const part = (extension: string) => parts.get(path.replace(/shp$/, extension)) ?? null
  const prj = part('prj')
  // Such a file has a few hundred bytes. An empty one says as little as none.
  const wkt = (prj && decoderOf(prj).decode(prj.subarray(0, 20_000)).trim()) || null
  const own = wkt === null ? null : gridOfWkt(wkt)
  if (wkt !== null && own === null && named === null)
    return { problem: 'unknown_grid', said: /"([^"]{1,100})"/.exec(wkt)?.[1] ?? 'of an unknown kind' }
  const found = agreed(own, named)
  if ('problem' in found) return found
  const dbf = part('dbf')
  const page = dbf === null ? 'utf-8' : codePageOf(dbf, part('cpg')?.subarray(0, 100).toString('latin1') ?? null)
  const decode = decoderFor(page)
  if (decode === null) return { problem: 'damaged', said: `the code page ${page} of its text is unknown` }
  const table = dbf === null ? null : openTable(dbf, decode)
  if (table !== null && 'problem' in table) return table
  return { grid: found.grid, shp: parts.get(path) ?? new Uint8Array(0), shx: part('shx'), table }
}

/** Says which Shapefile is damaged. */
const within = (name: string, problem: GeoProblem): GeoProblem =>
  problem.problem === 'damaged' ? { ...problem, said: `in ${name}, ${problem.said}` } : problem

/** Returns the names of Shapefiles: those of the files or, if two are the same, with their folders. */
function namesOf(paths: readonly string[]): string[] {
  const plain = paths.map(path => path.slice(0, -'.shp'.length))
  const short = plain.map(path => path.slice(path.lastIndexOf('/') + 1))
  const unique = new Set(short.map(name => name.toLowerCase())).size === short.length
  return (unique ? short : plain).map(name => name.slice(0, 200))
}

/** Returns a feature with the name of its Shapefile, which replaces none of its properties. */
function ofLayer(raw: Raw, name: string): Raw {
  const taken = new Map(Object.keys(raw.properties).map(key => [key, 1]))
  return { ...raw, where: name, properties: { ...raw.properties, [freeName(LAYER, taken)]: name } }
}

const gridSaid = (grid: KnownGrid | null) => (grid === null ? 'in one that it doesn’t say' : `in EPSG:${grid.epsg}`)

/** Reads Shapefiles as one layer. `paths`: of their .shp files, as they are written in the archive. */
export function readShapefiles(
  parts: Parts,
  paths: readonly string[],
  named: KnownGrid | null,
  write: (line: GeoLine) => void,
): Read | GeoProblem {
  const names = namesOf(paths)
  const single = paths.length === 1
  const all: (Opened & { name: string })[] = []
  for (const [i, path] of paths.entries()) {
    const name = names[i] ?? ''
    const file = opened(parts, path.toLowerCase(), named)
    if ('problem' in file) return single ? file : within(name, file)
    all.push({ ...file, name })
  }
  const [first] = all
  const other = all.find(({ grid }) => grid?.epsg !== first?.grid?.epsg)
  if (first !== undefined && other !== undefined)
    return { problem: 'several', said: `${first.name} is ${gridSaid(first.grid)}, and ${other.name} is ${gridSaid(other.grid)}` }
  const gathered = gathering(converter(first?.grid ?? null), write)
  for (const { name, shp, shx, table } of all) {
    const problem = readShapes(shp, shx, table, raw => gathered.take(single ? raw : ofLayer(raw, name)))
    const found = gathered.problem() ?? problem
    if (found !== null) return single ? found : within(name, found)
  }
  return done(gathered, 'shapefile', first?.grid ?? null)
}
