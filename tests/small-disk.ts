// A disk that can be filled: a real file system of a few megabytes.
import { execFileSync } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A small file system over a directory. */
export type SmallDisk = {
  /** Fills the disk, except for this many bytes. */
  fill(leave?: number): Promise<void>
  /** Deletes what `fill` wrote. */
  free(): Promise<void>
  leave(): void
}

/** Mounts a small file system over a directory; returns null when this account isn’t allowed to. */
export function mounted(folder: string, options: string): SmallDisk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const filler = join(folder, 'filler')
  return {
    async fill(leave = 0) {
      const { bavail, bsize } = await statfs(folder)
      // If no bytes are to stay free, more is written than there is room for, and the part that fits stays.
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - leave + (leave === 0 ? 1 : 0)))).catch(() => {})
    },
    free: () => rm(filler, { force: true }),
    leave: () => execFileSync('umount', [folder], { stdio: 'ignore' }),
  }
}
