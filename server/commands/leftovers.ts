import { join } from 'node:path'
import type { House } from '../base/ctx.ts'
import { HALF, sweepBelow } from '../base/leftovers.ts'

const HOUR_MS = 3600 * 1000

/**
 * Deletes what a killed process left behind: temporary files, incomplete emails, keys and stored files. `alone`: no other process uses this data
 * directory, so all such files are old; otherwise only those that have not changed for an hour.
 */
export async function sweepLeftovers(house: Pick<House, 'data_dir' | 'storage' | 'log'>, alone: boolean): Promise<number> {
  const before = Date.now() - (alone ? 0 : HOUR_MS)
  const { data_dir, storage } = house
  const swept =
    (await sweepBelow(join(data_dir, 'tmp'), 0, () => true, before)) +
    (await sweepBelow(join(data_dir, 'outbox'), 0, name => name.endsWith(HALF), before)) +
    (await sweepBelow(join(data_dir, 'keys'), 0, name => /^seal\.key\./.test(name), before)) +
    (await storage.sweep(before))
  if (swept > 0) house.log.info({ files: swept }, 'half-written and temporary files deleted')
  return swept
}
