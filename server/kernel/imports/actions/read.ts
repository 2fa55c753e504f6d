import { open, stat } from 'node:fs/promises'
import { Refused, refuse, unavailable } from '../../../base/errors.ts'
import { LIMITS, type Notice, type SheetHead, type Workbook } from '../domain/cells.ts'
import { type Extension, type Problem, refusalOf, sniffed } from '../domain/refusals.ts'
import { decoding, type Piece } from '../domain/wire.ts'
import { linesFrom, readingOf } from './process.ts'

/** A workbook to read: its path, its name, and the types that the caller accepts. */
export type BookFile = {
  path: string
  filename: string
  extensions?: readonly Extension[]
  /** Only the bytes decide its type, whatever its name. */
  by_bytes?: boolean
  /** Cancels the reading: the process is stopped, and the reading throws the signal's reason. */
  signal?: AbortSignal
  /** How long reading can take until the first rows arrive, and between rows; default 20 s. */
  patience_ms?: number
  /** Receives the error output of a reading process that failed. */
  complain?: (said: string) => void
}

/** A piece of a workbook: first the list of its sheets; then, for each sheet, its rows in order and its notices. */
export type BookPiece = Exclude<Piece, { kind: 'problem' }>

const ALL: readonly Extension[] = ['xlsx', 'xlsm', 'xls']

/**
 * Reads a workbook piece by piece, in a process of its own. Refuses (413, 415, 422, with `problem` in the context) a file that is too large, isn't a
 * workbook, isn't the type that its name says, or is encrypted or damaged. Pieces are small, so that handling one blocks nothing. A refusal can follow
 * after some rows have arrived.
 */
export async function* piecesOf(file: BookFile): AsyncGenerator<BookPiece> {
  const extensions = file.extensions ?? ALL
  const no = (problem: Problem): never => refuse(refusalOf(problem, file.filename, extensions))
  const { size } = await stat(file.path)
  if (size > LIMITS.bytes) no({ problem: 'too_large' })
  const found = sniffed(file.filename, await headOf(file.path), extensions, file.by_bytes)
  if ('problem' in found) return no(found)
  const leave = await turn(file.signal)
  try {
    const pieceOf = decoding()
    const reading = readingOf(file.path, found.container, found.promised, file.patience_ms ?? LIMITS.silence_ms)
    for await (const line of linesFrom(reading, file.signal, file.complain ?? (() => {}))) {
      const piece = pieceOf(line)
      if (piece === null) continue
      if (piece.kind === 'problem') no(piece.problem)
      else yield piece
    }
  } finally {
    leave()
  }
}

/** Reads a whole workbook: for small ones, and for tests. */
export async function readWorkbook(file: BookFile): Promise<Workbook> {
  let sheets: Workbook['sheets'] = []
  const notices: Notice[] = []
  for await (const piece of piecesOf(file)) {
    if (piece.kind === 'book') sheets = piece.sheets.map((head: SheetHead) => ({ ...head, rows: [] }))
    else if (piece.kind === 'sheet_end') notices.push(...piece.notices)
    else if (piece.kind === 'rows') for (const row of piece.rows) sheets[piece.sheet]?.rows.push(row)
  }
  return { sheets, notices }
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

// Reading uses a processor: two at once, so that a workbook of one page does not wait for the largest one. A few wait, and more are refused.
const AT_ONCE = 2
const WAITING_AT_MOST = 50
let under_way = 0
const waiting: (() => void)[] = []

/** Waits for a turn to read; returns a function that ends the turn. */
async function turn(signal: AbortSignal | undefined): Promise<() => void> {
  if (under_way >= AT_ONCE) {
    if (waiting.length >= WAITING_AT_MOST) refuse(unavailable('Too many files are being read. Try again in a minute.'))
    await new Promise<void>((go, stop) => {
      const away = () => {
        const at = waiting.indexOf(mine)
        if (at >= 0) waiting.splice(at, 1)
        stop(signal?.reason)
      }
      const mine = () => {
        signal?.removeEventListener('abort', away)
        go()
      }
      signal?.addEventListener('abort', away, { once: true })
      waiting.push(mine)
    })
  }
  under_way++
  return () => {
    under_way--
    waiting.shift()?.()
  }
}

/** Returns the problem for which a workbook was refused; null for any other error. */
export const problemOf = (error: unknown): string | null => {
  const problem = error instanceof Refused ? error.refusal.context?.problem : null
  return typeof problem === 'string' ? problem : null
}
