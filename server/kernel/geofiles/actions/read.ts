import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { fieldsIn, isRecord } from '../../../../shared/narrow.ts'
import { programOf } from '../../../base/built.ts'
import { type ChildHow, ChildProblem, openChild } from '../../../base/child/open.ts'
import { Refused, refuse } from '../../../base/errors.ts'
import { linesIn } from '../../../base/text-lines.ts'
import { type GeoProblem, type GeoSummary, LIMITS, refusalOf } from '../domain/files.ts'
import type { GeoAnswer, GeoOrder } from '../domain/orders.ts'

const LATE = 'This layer took too long to read.'
const GONE = 'This layer couldn’t be read.'

const HOW: ChildHow = {
  entry: programOf(new URL('./child.ts', import.meta.url)),
  silence_ms: 90_000,
  orders: 50,
  memory_mb: 400,
  memory_at_most_mb: 2500,
  waiting: 20,
  says: { late: LATE, gone: GONE, busy: 'Too many layers are being read at the moment. Try again in a minute.' },
}

const reading = openChild<GeoOrder, GeoAnswer>(HOW)

/** A file to read: its path, its name, and the grid that a person named for it. */
export type GeoFile = { path: string; filename: string; crs?: string | undefined }

/**
 * Reads a layer in a process of its own. Refuses (413, 415, 422, with `problem` in the context) a file that is too large, isn't a layer or isn't what its name says, is
 * damaged, or is in a grid that can't be converted. The features are lines in the file `out`, which the caller deletes; see `featuresIn`.
 */
export async function readGeoFile({ path, filename, crs }: GeoFile, out: string): Promise<GeoSummary> {
  const no = (problem: GeoProblem): never => refuse(refusalOf(problem, filename))
  try {
    if ((await stat(path)).size > LIMITS.bytes) no({ problem: 'too_large' })
    const answer = await reading.ask({ path, filename, crs: crs ?? null, out })
    return 'problem' in answer ? no(answer) : answer
  } catch (error) {
    await rm(out, { force: true })
    if (error instanceof ChildProblem) no({ problem: 'damaged', said: 'it can’t be read' })
    if (error instanceof Refused && error.refusal.detail === LATE) no({ problem: 'too_slow' })
    if (error instanceof Refused && error.refusal.detail === GONE) no({ problem: 'reader_died' })
    throw error
  }
}

/** How much text of features is handled at once. */
const BATCH = { lines: 1000, bytes: 4 * 1024 * 1024 }

/** Yields the lines of a file of features in batches, each as one JSON list. */
export async function* batchesIn(out: string): AsyncGenerator<string> {
  let lines: string[] = []
  let bytes = 0
  for await (const line of linesIn(createReadStream(out))) {
    lines.push(line)
    bytes += line.length
    if (lines.length < BATCH.lines && bytes < BATCH.bytes) continue
    yield `[${lines.join(',')}]`
    lines = []
    bytes = 0
  }
  if (lines.length > 0) yield `[${lines.join(',')}]`
}

/** Yields the features of a file one by one: position in the file, geometry, properties. */
export async function* featuresIn(out: string): AsyncGenerator<{ index: number; geometry: unknown; properties: Record<string, unknown> }> {
  for await (const line of linesIn(createReadStream(out))) {
    const value: unknown = JSON.parse(line)
    const { n, g, p } = fieldsIn(value)
    yield { index: Number(n), geometry: g, properties: isRecord(p) ? p : {} }
  }
}
