// Files that a killed process leaves behind: temporary and incomplete ones.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The suffix of a file that is not complete yet. */
export const HALF = '.half'

/** Deletes the files below a directory, to this depth, whose names match and that have not been changed since. Returns how many there were. */
export async function sweepBelow(folder: string, levels: number, fits: (name: string) => boolean, before: number): Promise<number> {
  let swept = 0
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []) // the directory doesn't exist yet
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (levels > 0) swept += await sweepBelow(path, levels - 1, fits, before)
      continue
    }
    if (!fits(entry.name)) continue
    const info = await stat(path).catch(() => null)
    if (info === null || info.mtimeMs >= before) continue
    await rm(path, { force: true })
    swept++
  }
  return swept
}
