// What the process that reads plans is asked, and what it answers. Pure.
import type { Matrix } from '../../../../../shared/calibration/algebra.ts'
import type { Box, LonLat } from '../../../../../shared/geometry/plane.ts'
import type { DrawingReport, Extents } from './dxf-report.ts'
import type { LineClass } from './lines.ts'
import type { Laid, TilePlan } from './pyramid.ts'
import type { Tracing } from './trace.ts'

/** A file with a picture: for a PDF one of its pages, counted from 1. */
export type Source = { path: string; type: string; page: number }

/** A picture in a file, at the size at which it is drawn. */
export type Picture = Source & { width: number; height: number }

/** Types of files that contain a picture of the ground. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/tiff']
export const PDF_TYPE = 'application/pdf'
export const TIFF_TYPE = 'image/tiff'
export const ARCHIVE_TYPE = 'application/zip'

/** The ground under a picture, as its own tags say. `system` is the name of its reference system. */
export type Tagged = { system: string; matrix: Matrix; origin: LonLat; rmse_m: number }

/** What a file contains. `pages` are those of a PDF; of anything else, more than one means that it is animated. */
export type Measured = { width: number; height: number; pages: number; tagged: Tagged | null }

/** A picture that was in an archive, and the ground under it as its world file says. */
export type Unpacked = { filename: string; sha256: string; size: number; ground: Tagged | null }

/** Line work in a file: one line of JSON for each line (see `lines.ts`). */
export type Vectors = { sha256: string; size: number; features: number; counts: Partial<Record<LineClass, number>> }

/** How a drawing lies in its picture: pixels are (x - left) · scale from the left, (top - y) · scale from the top. */
export type SheetView = { left: number; top: number; scale: number; width: number; height: number }

/** Orders to the process. */
export type PlanOrder =
  | { task: 'measure'; source: Source; most_pixels: number }
  | { task: 'unpack'; path: string; out: string }
  | { task: 'preview'; picture: Picture; side: number; out: string }
  | { task: 'tiles'; picture: Picture; laid: Laid; plan: TilePlan; out: string }
  | { task: 'recode'; bytes: Uint8Array; as: 'png' | 'jpeg' }
  | { task: 'pdf_lines'; picture: Picture; out: string }
  | { task: 'trace'; picture: Picture; how: Tracing; out: string }
  | { task: 'inspect'; path: string }
  | { task: 'drawing'; path: string; layers: readonly string[] | null; metres: number; out: string; picture_out: string }
  | { task: 'card'; picture: { path: string; laid: Laid } | null; box: Box; lines: string }

/** Its answers, in the same order. */
export type PlanAnswer =
  | { measured: Measured }
  | { unpacked: Unpacked }
  | { width: number; height: number }
  | { sha256: string; size: number; index_at: number; tiles: number; opaque: boolean }
  | { bytes: Uint8Array }
  | { vectors: Vectors }
  | { report: DrawingReport }
  | { vectors: Vectors; view: SheetView; extents: Extents; picture: { sha256: string; size: number } }

/** What problems contain if a file can't be read because of what it is. */
export const PROBLEMS = {
  encrypted: 'encrypted',
  no_page: 'no such page',
  large_block: 'a block is too large',
  no_values: 'no valid values',
  /** What follows it says why, in words. */
  unread: 'a kind that isn’t read',
} as const
