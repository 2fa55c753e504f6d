// The place where files are stored: a directory, or an S3 bucket. Keys are derived from SHA-256, so that a file is stored once, however many people
// upload it.
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { codeIn } from '../../shared/narrow.ts'
import { refuse, storageAway } from './errors.ts'
import { ids } from './ids.ts'
import { HALF, sweepBelow } from './leftovers.ts'
import { s3Storage } from './s3.ts'
import type { Settings } from './settings.ts'

/** A storage of bytes by key. */
export type Storage = {
  /** Stores the file of this path under the key. Storing the same file again changes nothing. */
  keep(key: string, path: string, type: string): Promise<void>
  /** Opens the bytes, or a range of them (both ends included). Throws if there is nothing under the key. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>
  has(key: string): Promise<boolean>
  drop(key: string): Promise<void>
  /** Deletes incomplete files that a killed process wrote before this time. Returns how many there were. */
  sweep(before: number): Promise<number>
}

/** Opens the storage that is configured; in the data directory by default. */
export function openStorage(settings: Settings, data_dir: string): Storage {
  const url = settings.storage_url
  if (url === null) return fileStorage(join(data_dir, 'files'))
  if (url.startsWith('s3:')) return s3Storage(new URL(url), settings.storage_key ?? '', settings.storage_secret ?? '')
  return fileStorage(url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length))
}

/** Errors of a file system that can't be reached for now: a network drive that is unavailable, a disk that fails, a mount that is read-only. */
const AWAY = ['EIO', 'ESTALE', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOTCONN', 'ETIMEDOUT', 'EHOSTDOWN', 'ENODEV', 'ENXIO', 'EREMOTEIO']

/** Stores files in a directory, two levels deep by their first letters. */
function fileStorage(root: string): Storage {
  const place = (key: string) => join(root, key.slice(0, 2), key.slice(2, 4), key)
  // Once there, a directory that is missing is a drive that was unmounted: a new one in its place would hide files from both.
  let seen = existsSync(root)
  const gone = () => {
    const missing = !existsSync(root)
    if (!missing) seen = true
    return seen && missing
  }
  const reached = async <T>(work: () => Promise<T>): Promise<T> => {
    if (gone()) refuse(storageAway())
    return work().catch(error => {
      if (AWAY.includes(codeIn(error))) refuse(storageAway())
      throw error
    })
  }
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      error => {
        if (error.code === 'ENOENT') return false
        throw error
      },
    )
  return {
    keep: (key, path) =>
      reached(async () => {
        const to = place(key)
        if (await isThere(to)) return
        await mkdir(dirname(to), { recursive: true, mode: 0o700 })
        seen = true
        // The file is written under another name and then renamed, so that a file under its key is always complete.
        const half = `${to}.${ids.next()}${HALF}`
        try {
          await copyFile(path, half)
          await rename(half, to)
        } catch (error) {
          await rm(half, { force: true }).catch(() => {}) // what failed first is reported
          throw error
        }
      }),
    open: (key, range) =>
      reached(async () => {
        await stat(place(key))
        return createReadStream(place(key), range)
      }),
    has: key => reached(() => isThere(place(key))),
    drop: key => reached(() => rm(place(key), { force: true })),
    sweep: before => sweepBelow(root, 2, name => name.endsWith(HALF), before),
  }
}
