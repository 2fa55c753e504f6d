import type { GeoProblem, GeoSummary } from './files.ts'

/** What the reading process gets: the file, its name, the grid that a person named, and where to write the features. */
export type GeoOrder = { path: string; filename: string; crs: string | null; out: string }
/** What it returns. */
export type GeoAnswer = GeoSummary | GeoProblem
