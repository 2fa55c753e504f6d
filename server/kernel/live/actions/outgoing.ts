// The frames on their way to one app: they leave at once while it keeps up; otherwise they wait, and are merged if there are too many.
import type { Duplex } from 'node:stream'
import { bytesOf, type Frame, FULL_MS, MOST_BYTES, MOST_FRAMES, merged } from '../domain.ts'
import type { Counts } from './hub.ts'

/** The part of a WebSocket that is used here. */
export type Wire = {
  close(code: number, reason?: string): void
  ping(): void
  terminate(): void
  readonly bufferedAmount: number
  readonly readyState: number
}

/** The frames on their way to one app. */
export type Outgoing = {
  hand(frames: readonly Frame[]): void
  /** Sends what it can; returns whether the app has been too slow for too long. */
  isStuck(): boolean
  waiting(): number
}

const FRAMES_A_WRITE = 64
/** State of a wire that hasn’t begun to close. */
const OPEN = 1

/** Opens the way out to an app. `line`: what the wire writes to. */
export function openOutgoing(wire: Wire, line: Pick<Duplex, 'write'>, counts: Counts): Outgoing {
  let fullSince: number | null = null
  let waiting: Frame[] = []
  const keepsUp = () => wire.bufferedAmount < MOST_BYTES / 2
  /** Several frames leave in one write, because a write costs more than a frame. What is written after the wire has begun to close is lost, as the app knows. */
  const write = (frames: readonly Frame[]) => {
    if (wire.readyState === OPEN) line.write(bytesOf(frames))
  }
  const drain = () => {
    while (waiting.length > 0 && keepsUp()) write(waiting.splice(0, FRAMES_A_WRITE))
    const full = waiting.length > MOST_FRAMES || wire.bufferedAmount > MOST_BYTES
    if (full) {
      const before = waiting.length
      waiting = merged(waiting)
      counts.merged += before - waiting.length
    }
    fullSince = waiting.length > 0 ? (fullSince ?? performance.now()) : null
  }
  return {
    hand(frames) {
      if (waiting.length === 0 && frames.length <= FRAMES_A_WRITE && keepsUp()) return write(frames)
      waiting.push(...frames)
      drain()
    },
    isStuck() {
      drain()
      return fullSince !== null && performance.now() - fullSince > FULL_MS
    },
    waiting: () => waiting.length,
  }
}
