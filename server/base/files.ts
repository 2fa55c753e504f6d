import type { Readable } from 'node:stream'

/** A file of a multipart request, on disk until the request ends. */
export type Upload = { field: string; filename: string; path: string; size: number; sha256: string }

/** A download: streamed, with `Range`. */
export type FileAnswer = {
  name: string
  type: string
  size: number
  etag: string
  /** Shown in the browser, or saved. */
  inline?: boolean
  /** Why this is a placeholder and not what was asked for; goes into the header `x-preview-problem`. */
  problem?: string
  /** Never changes under its address. */
  immutable?: boolean
  open(range?: { start: number; end: number }): Promise<Readable>
}
