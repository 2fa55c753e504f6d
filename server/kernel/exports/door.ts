// Rooms plug in their layers of the map, so that files for other programs can contain them (`map.md` §12).
import type { Ctx } from '../../base/ctx.ts'
import type { Id } from '../../base/ids.ts'
import type { ExportFeature, ExportLayerName, Wanted } from './domain.ts'

/** A layer: its features in the order of their ids, in batches, so that a file of any length needs little memory. */
export type ExportLayer = {
  layer: ExportLayerName
  features(ctx: Ctx, site_id: Id, wanted: Wanted): AsyncIterable<readonly ExportFeature[]>
}

const plugged = new Map<ExportLayerName, ExportLayer>()

/** Registers the layers of all rooms, once, at startup. */
export function plugExports(layers: readonly ExportLayer[]): void {
  plugged.clear()
  for (const one of layers) {
    if (plugged.has(one.layer)) throw new Error(`Two rooms export ${one.layer}.`)
    plugged.set(one.layer, one)
  }
}

/** Returns a layer; null if no room has it. */
export const exportLayer = (layer: ExportLayerName): ExportLayer | null => plugged.get(layer) ?? null

/** Number of features that are read at once. */
const BATCH = 500

/** Reads batches until one isn’t full; `read` returns the features after the one with this position, and `positionOf` returns the position of one. */
export async function* inBatches<Row, At>(
  read: (after: At | null, limit: number) => Promise<readonly Row[]>,
  positionOf: (row: Row) => At,
  featureOf: (rows: readonly Row[]) => Promise<readonly ExportFeature[]> | readonly ExportFeature[],
): AsyncGenerator<readonly ExportFeature[]> {
  for (let after: At | null = null; ; ) {
    const rows: readonly Row[] = (await read(after, BATCH)).slice(0, BATCH)
    const last = rows.at(-1)
    if (last === undefined) return
    yield await featureOf(rows)
    if (rows.length < BATCH) return
    after = positionOf(last)
  }
}
