// Plans in the storage: their files on disk for a process to read, previews, and single tiles of their tile sets.
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { House } from '../../../../base/ctx.ts'
import { ids } from '../../../../base/ids.ts'
import { readIndex, type TileSet, tileName } from '../domain/tileset.ts'

/** Gives some work paths for temporary files, and deletes these afterwards. */
export async function withScratch<T>(house: House, work: (path: () => string) => Promise<T>): Promise<T> {
  const folder = join(house.data_dir, 'tmp')
  await mkdir(folder, { recursive: true })
  const paths: string[] = []
  try {
    return await work(() => {
      const path = join(folder, ids.next())
      paths.push(path)
      return path
    })
  } finally {
    for (const path of paths) await rm(path, { force: true })
  }
}

/** Copies a stored file to disk. */
export async function fetchTo(house: House, key: string, path: string): Promise<void> {
  await pipeline(await house.storage.open(key), createWriteStream(path))
}

/** Returns the bytes of a stored file, or a range of them (both ends included). */
export async function bytesAt(house: House, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await house.storage.open(key, range)) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

type Index = ReturnType<typeof readIndex>
const INDEXES_AT_MOST = 40
const indexes = new WeakMap<House, Map<string, Promise<Index>>>()

/** Returns the index of a tile set; a process remembers those that were used last. */
function indexOf(house: House, set: TileSet): Promise<Index> {
  const known = indexes.get(house) ?? new Map<string, Promise<Index>>()
  indexes.set(house, known)
  const found = known.get(set.sha256) ?? bytesAt(house, set.sha256, { start: set.index_at, end: set.size - 1 }).then(readIndex)
  known.delete(set.sha256)
  known.set(set.sha256, found)
  found.catch(() => known.delete(set.sha256))
  for (const oldest of known.keys()) {
    if (known.size <= INDEXES_AT_MOST) break
    known.delete(oldest)
  }
  return found
}

/** Returns a tile (WebP); null if nothing of the picture is in it. */
export async function tileOf(house: House, set: TileSet, z: number, x: number, y: number): Promise<Buffer | null> {
  if (set.tiles === 0) return null
  const place = (await indexOf(house, set)).get(tileName(z, x, y))
  return place === undefined ? null : bytesAt(house, set.sha256, place)
}
