// What reading a document returns, and the grid that it is in.
import type { Format, GeoProblem } from '../domain/files.ts'
import type { gathering } from '../domain/gather.ts'
import { gridOfCode, type KnownGrid } from '../domain/grids.ts'

/** What collects the features of a document. */
export type Gathering = ReturnType<typeof gathering>

/** The features of a document, or why it can't be read. */
export type Read = ReturnType<Gathering['all']> & Pick<KnownGrid, 'accuracy_m'> & { format: Format; crs: string }

/** Degrees of longitude and latitude. */
export const WGS84 = gridOfCode(4326)

/** Returns the grid of a file: its own, otherwise the one that a person named; both if they are the same. */
export function agreed(own: KnownGrid | null, named: KnownGrid | null): { grid: KnownGrid | null } | GeoProblem {
  if (own !== null && named !== null && own.epsg !== named.epsg) return { problem: 'other_grid', said: `EPSG:${own.epsg}, ${own.name}` }
  return { grid: own ?? named }
}

/** Returns what was collected, or why it can't be used. */
export function done(gathered: Gathering, format: Format, grid: KnownGrid | null): Read | GeoProblem {
  const problem = gathered.problem()
  if (problem !== null) return problem
  return { ...gathered.all(), format, crs: `EPSG:${grid?.epsg ?? WGS84?.epsg}`, accuracy_m: grid?.accuracy_m ?? null }
}
