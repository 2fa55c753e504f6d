// Floor plans: what can be done with one, and which is active when (`map.md` §8). Pure.
import type { Matrix } from '../../../../../shared/calibration/algebra.ts'
import { fieldsIn } from '../../../../../shared/narrow.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type FieldFault, type Verdict, wrongStep } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { DrawingReport, Extents } from '../../kit/domain/dxf-report.ts'
import { keyOf } from '../../kit/domain/dxf-shapes.ts'
import type { LineClass } from '../../kit/domain/lines.ts'
import { PDF_TYPE, PICTURE_TYPES, type SheetView } from '../../kit/domain/orders.ts'
import type { Laid } from '../../kit/domain/pyramid.ts'
import type { TileSet } from '../../kit/domain/tileset.ts'

export const STATUSES = ['processing', 'needs_placement', 'ready', 'failed'] as const
export type Status = (typeof STATUSES)[number]
export const SOURCE_KINDS = ['image', 'pdf', 'dxf'] as const
export const VECTOR_STATUSES = ['pending', 'ready', 'failed'] as const

const MB = 1024 * 1024
export const PICTURES = { types: PICTURE_TYPES, said: 'a PNG, JPEG, WebP or TIFF picture', pixels: 200_000_000 }
export const PDFS = { types: [PDF_TYPE], said: 'a PDF file', pixels: 200_000_000 }
export const BYTES_AT_MOST = { plan: 100 * MB, drawing: 200 * MB }
export const PREVIEW_SIDE = 2048
/** How long an inspected drawing can be imported. */
export const SESSION_HOURS = 24

/** How lines are found in a picture. */
export type VectorSettings = {
  threshold: number | 'auto'
  min_length_m: number
  simplify_m: number
  straighten: boolean
  layers: string[] | null
}
export const USUAL_SETTINGS: VectorSettings = { threshold: 'auto', min_length_m: 0.3, simplify_m: 0.02, straighten: true, layers: null }

/** Reads settings from the input of a job. */
export function settingsIn(value: unknown): VectorSettings {
  const { threshold, min_length_m, simplify_m, straighten, layers } = fieldsIn(value)
  return {
    threshold: typeof threshold === 'number' ? threshold : 'auto',
    min_length_m: Number(min_length_m),
    simplify_m: Number(simplify_m),
    straighten: straighten === true,
    layers: Array.isArray(layers) ? layers.map(String) : null,
  }
}

/** The line work of a plan. */
export type PlanVector = {
  status: (typeof VECTOR_STATUSES)[number]
  /** Why its lines couldn’t be found. */
  reason?: string
  source: 'picture' | 'pdf' | 'dxf'
  settings: VectorSettings
  features: number
  counts: Partial<Record<LineClass, number>>
  sha256: string | null
  size: number
}

/** How a DXF drawing is read. `view`: how it lies in its rendering, which is also the picture that control points are checked by. */
export type Sheet = { units: number; metres: number; layers: string[] | null; extents: Extents; view: SheetView }

/** The tiles that are served, and the placement that they were drawn by. */
export type Served = TileSet & { placed_times: number; laid: Laid }

/** A drawing that was inspected. */
export type Report = DrawingReport

/** Returns what is wrong with the layers that are wanted of a drawing; `report` is null for a picture or a PDF. */
export function layerFaults(report: Pick<Report, 'layers'> | null, layers: readonly string[] | null | undefined): FieldFault[] {
  if (layers == null) return []
  if (report === null)
    return [{ path: 'layers', message: 'can only be sent for a DXF drawing: a picture or a PDF has no layers to choose.' }]
  if (layers.length === 0) return [{ path: 'layers', message: 'must have at least one layer.' }]
  const known = new Set(report.layers.map(({ name }) => keyOf(name)))
  return layers.flatMap((layer, i) =>
    known.has(keyOf(layer)) ? [] : [{ path: `layers[${i}]`, message: `is “${layer}”, which isn’t a layer of the drawing.` }],
  )
}

const STATE_WORDS: Record<Status, string> = {
  processing: 'it is still being read. Try again in a moment.',
  needs_placement: 'it isn’t placed yet. Place it first.',
  ready: 'it is ready.',
  failed: 'it couldn’t be read. Upload it again.',
}

/** Returns why a plan can't be placed, or traced again, in this state. */
export const changeVerdict = (status: Status, doing: string): Verdict =>
  status === 'ready' || status === 'needs_placement'
    ? null
    : wrongStep(status, [], `You can’t ${doing} this floor plan, because ${STATE_WORDS[status]}`)

/** Returns whether the map shows tiles from before a plan was last placed. */
export const isOutdated = ({ served, placed_times }: { served: Served | null; placed_times: number }): boolean =>
  served !== null && served.placed_times !== placed_times

/** Returns why the tiles of a plan can't be made again: only those whose work was stopped are. */
export function redrawVerdict(plan: {
  status: Status
  status_reason: string | null
  placement: unknown
  served: Served | null
  placed_times: number
}): Verdict {
  const stopped = plan.status_reason !== null && plan.placement !== null
  if (stopped && (plan.status === 'needs_placement' || (plan.status === 'ready' && isOutdated(plan)))) return null
  const why = plan.status === 'ready' ? (isOutdated(plan) ? 'they are being made.' : 'they are up to date.') : STATE_WORDS[plan.status]
  return wrongStep(plan.status, [], `You can’t make the tiles of this floor plan again, because ${why}`)
}

/** When a plan is active. */
export type Term = { id: Id; start_at: Instant; end_at: Instant | null }

/** What a new plan changes: the one that it ends, those that it replaces from their start, its own end, and later plans that it would overlap. */
export type Turn = { ends: Term | null; replaces: Term | null; end_at: Instant | null; overlaps: Term[] }

/** Finds the place of a new plan among those of its level. Without an end of its own, it ends when the next one starts. */
export function turnOf(all: readonly Term[], start_at: Instant, end_at: Instant | null): Turn {
  const before = all.find(one => one.start_at <= start_at && (one.end_at === null || one.end_at > start_at)) ?? null
  const later = all.filter(one => one.start_at > start_at).sort((a, b) => (a.start_at < b.start_at ? -1 : 1))
  const overlaps = end_at === null ? [] : later.filter(one => one.start_at < end_at)
  const replaces = before?.start_at === start_at ? before : null
  return { ends: replaces === null ? before : null, replaces, end_at: end_at ?? later[0]?.start_at ?? null, overlaps }
}

/** Returns whether two sheets have the same size, so that the placement of one fits the other. */
export function sameSheet(
  a: { width_px: number | null; height_px: number | null; sheet: Sheet | null },
  b: { width_px: number | null; height_px: number | null; sheet: Sheet | null },
): boolean {
  if (a.sheet === null || b.sheet === null) return a.sheet === b.sheet && a.width_px === b.width_px && a.height_px === b.height_px
  const [one, other] = [a.sheet, b.sheet]
  const size = Math.max(one.extents[2] - one.extents[0], one.extents[3] - one.extents[1])
  return one.metres === other.metres && one.extents.every((value, i) => Math.abs(value - (other.extents[i] ?? Number.NaN)) <= size / 1000)
}

/** Returns how a sheet becomes pixels of its picture: a DXF drawing by its view, anything else is its own picture. */
export const pixelsOf = (sheet: Pick<Sheet, 'view'> | null): Matrix =>
  sheet === null
    ? [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]
    : [
        [sheet.view.scale, 0, -sheet.view.left * sheet.view.scale],
        [0, -sheet.view.scale, sheet.view.top * sheet.view.scale],
        [0, 0, 1],
      ]

/** The steps of an import, by how far its job is. */
const STEPS = [
  [0.25, 'parsing'],
  [0.6, 'flattening'],
  [0.7, 'placing'],
  [1.1, 'rendering'],
] as const
export const IMPORT_STATES = [
  'inspected',
  'queued',
  'parsing',
  'flattening',
  'placing',
  'rendering',
  'done',
  'failed',
  'cancelled',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** Returns how far an import is. Without a job, the drawing was only inspected; what the plan says counts more than its job. */
export function importState(
  run: { state: string; progress: number } | null,
  plan: Status | null,
): { state: ImportState; progress: number } {
  if (plan === 'failed') return { state: 'failed', progress: run?.progress ?? 1 }
  if (plan === 'ready' || plan === 'needs_placement') return { state: 'done', progress: 1 }
  if (run === null) return { state: 'inspected', progress: 0 }
  if (run.state === 'failed') return { state: 'failed', progress: run.progress }
  if (run.state === 'cancelled') return { state: 'cancelled', progress: run.progress }
  if (run.state === 'queued') return { state: 'queued', progress: run.progress }
  return { state: STEPS.find(([most]) => run.progress < most)?.[1] ?? 'rendering', progress: Math.min(run.progress, 0.99) }
}
