import type { Readable } from 'node:stream'

/** A file of a multipart request as it was received, on disk until the request ends. */
export type Received = { field: string; filename: string; path: string; size: number; sha256: string }

/** The mark of a scanned file. */
export const SCANNED: unique symbol = Symbol('scanned')

/** A received file that can be used. Only `scannedFiles` makes one, so that no room can see a file before the malware scanner does. */
export type Upload = Received & { readonly [SCANNED]: true }

/** Returns the only file of an upload. */
export function onlyFile([file]: readonly Upload[]): Upload {
  if (file === undefined) throw new Error('The edge refuses an upload without its file.')
  return file
}

/** A download that is written while it is sent, so that its length isn't known beforehand. It is opened once the request is audited and committed. */
export type StreamAnswer = { name: string; type: string; open(): Readable }

/** A download: streamed, with `Range`. */
export type FileAnswer = {
  name: string
  type: string
  /** Null if it is written while it is sent; it then has no ranges. */
  size: number | null
  etag: string
  /** Shown in the browser, rather than saved. */
  inline?: boolean
  /** Why this is a placeholder and not the requested picture; sent in the header `x-preview-problem`. */
  problem?: string
  /** The content at this URL never changes and isn't personal, so browsers can store it: the logo of a contractor. */
  immutable?: boolean
  open(range?: { start: number; end: number }): Promise<Readable>
}
