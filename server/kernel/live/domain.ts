// The messages to open apps (`site-and-people.md` §12), as far as they can be decided without a socket: topics, and what happens to frames when an app
// reads too slowly.
import type { Instant } from '../../../shared/time.ts'
import type { Topic } from '../../../shared/topics.ts'
import type { Id } from '../../base/ids.ts'

export type { Topic } from '../../../shared/topics.ts'

/** Returns whether an event concerns one person: it is sent on `me`, never to a site. */
export const isPersonal = (kind: string): boolean => /^(task|notification|user)\./.test(kind)

/** A frame that reports a change on a site. */
export type EventFrame = {
  type: 'event'
  site_id: Id
  cursor: number
  topic: Topic
  kind: string
  entity_type: string
  ids: Id[]
  more: boolean
  layers?: string[]
  revision?: number
  at: Instant
  actor_id: Id | null
  request_id: string
}
/** Several events in one, or events whose ids the listener can't see: the app reloads that list. */
export type ChangedFrame = { type: 'changed'; site_id: Id; cursor: number; topic: Topic; count: number }
/** Any frame from the service. */
export type Frame = EventFrame | ChangedFrame | { type: string; [more: string]: unknown }

const texts = new WeakMap<Frame, string>()
/** Returns a frame as it is sent. A frame that goes to thousands of apps is written once. */
export function textOf(frame: Frame): string {
  const text = texts.get(frame) ?? JSON.stringify(frame)
  texts.set(frame, text)
  return text
}

/** Frames and bytes that can wait for one socket. */
export const MOST_FRAMES = 256
export const MOST_BYTES = 512 * 1024
/** How long a socket can stay full before it is closed. */
export const FULL_MS = 10_000

const isOf = (frame: Frame): frame is EventFrame | ChangedFrame => frame.type === 'event' || frame.type === 'changed'

/** Merges the waiting events of each site and topic into one `changed`, in the order of their cursors; other frames stay unchanged. */
export function merged(frames: readonly Frame[]): Frame[] {
  const kept: Frame[] = []
  const sums = new Map<string, ChangedFrame>()
  for (const frame of frames) {
    if (!isOf(frame)) {
      kept.push(frame)
      continue
    }
    const key = `${frame.site_id} ${frame.topic}`
    const count = frame.type === 'changed' ? frame.count : 1
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { type: 'changed', site_id: frame.site_id, cursor: frame.cursor, topic: frame.topic, count })
    else {
      sum.count += count
      sum.cursor = Math.max(sum.cursor, frame.cursor)
    }
  }
  return [...kept, ...[...sums.values()].sort((a, b) => a.cursor - b.cursor)]
}

/** How many events, and how old, can be replayed to an app that reconnects. */
export const REPLAY_EVENTS = 10_000
export const REPLAY_MS = 15 * 60_000

/** Returns whether everything after a cursor can be replayed; otherwise there is a gap. */
export const replayable = (cursor: number, head: number, oldest_kept: number): boolean =>
  cursor >= head || (cursor + 1 >= oldest_kept && head - cursor <= REPLAY_EVENTS)

/** Limits of a client: frames in a second, sockets and sites. */
export const CLIENT_FRAMES_A_SECOND = 20
export const SOCKETS_A_USER = 10
export const SITES_A_SOCKET = 20
