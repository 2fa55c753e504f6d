// The processes that read plans: one for what a request waits for, which is quick, and one for the work of jobs, so that an upload never waits for tiles.
import type { Box } from '../../../../../shared/geometry/plane.ts'
import { programOf } from '../../../../base/built.ts'
import { type ChildHow, openChild, type Report } from '../../../../base/child/open.ts'
import type { DrawingReport } from '../domain/dxf-report.ts'
import type { Measured, Picture, PlanAnswer, PlanOrder, Source, Unpacked, Vectors } from '../domain/orders.ts'
import type { Laid, TilePlan } from '../domain/pyramid.ts'
import type { Tracing } from '../domain/trace.ts'

/** What is said of a file whose process took too long, or ended. */
export const ENDED = {
  late: 'This file took too long to read. Send a smaller or simpler file.',
  gone: 'This file couldn’t be read. It may be damaged, or need too much memory. Send a smaller or simpler file.',
}

const USUAL: ChildHow = {
  entry: programOf(new URL('./child.ts', import.meta.url)),
  silence_ms: 20_000,
  orders: 100,
  memory_mb: 400,
  memory_at_most_mb: 1000,
  waiting: 100,
  says: { ...ENDED, busy: 'Too many plans are being read at the moment. Try again in a moment.' },
}

/** Opens a process that reads plans; tests give it other limits. */
export function openPlans(given: Partial<ChildHow> = {}) {
  const child = openChild<PlanOrder, PlanAnswer>({ ...USUAL, ...given })
  const wrong = () => new Error('The process that reads plans answered something else.')
  const made = async (order: PlanOrder): Promise<Buffer> => {
    const said = await child.ask(order)
    if (!('bytes' in said)) throw wrong()
    return Buffer.from(said.bytes)
  }
  return {
    /** Measures the picture of a file from its header. */
    async measure(source: Source, most_pixels: number): Promise<Measured> {
      const said = await child.ask({ task: 'measure', source, most_pixels })
      if (!('measured' in said)) throw wrong()
      return said.measured
    },
    /** Writes the picture of a zip archive to `out`. */
    async unpack(path: string, out: string): Promise<Unpacked> {
      const said = await child.ask({ task: 'unpack', path, out })
      if (!('unpacked' in said)) throw wrong()
      return said.unpacked
    },
    /** Writes a smaller WebP picture to `out`. Returns its size. */
    async preview(picture: Picture, side: number, out: string, report?: Report): Promise<{ width: number; height: number }> {
      const said = await child.ask({ task: 'preview', picture, side, out }, report)
      if (!('width' in said)) throw wrong()
      return said
    },
    /** Writes a tile set to `out`. */
    async tiles(picture: Picture, laid: Laid, plan: TilePlan, out: string, report?: Report) {
      const said = await child.ask({ task: 'tiles', picture, laid, plan, out }, report)
      if (!('sha256' in said)) throw wrong()
      return said
    },
    /** Writes the line work of a PDF page to `out`. */
    async pdfLines(picture: Picture, out: string): Promise<Vectors> {
      const said = await child.ask({ task: 'pdf_lines', picture, out })
      if (!('vectors' in said)) throw wrong()
      return said.vectors
    },
    /** Traces a picture, and writes its lines to `out`. */
    async trace(picture: Picture, how: Tracing, out: string): Promise<Vectors> {
      const said = await child.ask({ task: 'trace', picture, how, out })
      if (!('vectors' in said)) throw wrong()
      return said.vectors
    },
    /** Reads what a drawing contains. */
    async inspect(path: string): Promise<DrawingReport> {
      const said = await child.ask({ task: 'inspect', path })
      if (!('report' in said)) throw wrong()
      return said.report
    },
    /** Writes the lines of a drawing to `out`, and its picture to `picture_out`. */
    async drawing(
      order: { path: string; layers: readonly string[] | null; metres: number; out: string; picture_out: string },
      report?: Report,
    ) {
      const said = await child.ask({ task: 'drawing', ...order }, report)
      if (!('view' in said)) throw wrong()
      return said
    },
    /** Converts a tile of a tile set. */
    recode: (bytes: Uint8Array, as: 'png' | 'jpeg') => made({ task: 'recode', bytes, as }),
    /** Draws the card of a site (WebP). */
    card: (picture: { path: string; laid: Laid } | null, box: Box, lines: string) => made({ task: 'card', picture, box, lines }),
    starts: child.starts,
    close: child.close,
  }
}

/** For what a request waits for: sizes, single tiles, cards. */
export const quick = openPlans()
/** For drawings that people inspect: they can be large, and reading them must not delay anything else. */
export const drawings = openPlans({ silence_ms: 60_000, orders: 20, memory_at_most_mb: 2500, waiting: 5 })
/** For jobs: previews and tile sets. A step that neither ends nor reports progress for two minutes is stopped. */
export const heavy = openPlans({ silence_ms: 120_000, orders: 20, memory_at_most_mb: 2000 })
