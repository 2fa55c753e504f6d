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

/** Ids in a frame; with more, an app reads the whole list again. */
export const MOST_IDS = 100

/** Returns the frame that says which of their own things are new or different for a person. */
export const meFrame = (thing: string, site_id: Id, ids: readonly Id[], more = ids.length > MOST_IDS): Frame => ({
  type: 'me',
  kind: thing,
  site_id,
  ids: ids.slice(0, MOST_IDS),
  more,
})

/** Returns the frame that says that a person has become a member of a site, or is no longer one. */
export const membershipFrame = (site_id: Id, ended: boolean): Frame => ({ type: 'me', kind: 'membership', site_id, ended })

const FINAL_TEXT = 0x81
/** Returns a text as the one WebSocket frame in which a server sends it, which isn’t masked (RFC 6455 §5.2). */
export function framed(text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65_536 ? 4 : 10)
  head[0] = FINAL_TEXT
  head[1] = head.length === 2 ? body.length : head.length === 4 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(body.length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(body.length), 2)
  return Buffer.concat([head, body])
}

const bytes = new WeakMap<object, Buffer>()
const kept = <T extends object>(of: T, make: (of: T) => Buffer): Buffer => {
  const made = bytes.get(of) ?? make(of)
  bytes.set(of, made)
  return made
}
const bytesOfOne = (frame: Frame) => kept(frame, one => framed(JSON.stringify(one)))
/** Returns frames as they are sent. A frame, or a list of them, that goes to thousands of apps is written once. */
export const bytesOf = (frames: readonly Frame[]): Buffer => kept(frames, all => Buffer.concat(all.map(bytesOfOne)))

/** Frames and bytes that can wait for one socket. */
export const MOST_FRAMES = 256
export const MOST_BYTES = 512 * 1024
/** How long a socket can stay full before it is closed. */
export const FULL_MS = 10_000

const isOf = (frame: Frame): frame is EventFrame | ChangedFrame => frame.type === 'event' || frame.type === 'changed'

/**
 * Merges the waiting events of each site and topic into one `changed`; other frames stay unchanged. A connection can break after any of them, and the app then continues from its cursor: each one
 * has the cursor of its first event, in that order, so that nothing is skipped that a later one reports. The last one of a site reports the rest, and has the cursor of the last event.
 */
export function merged(frames: readonly Frame[]): Frame[] {
  const kept: Frame[] = []
  const sums = new Map<string, ChangedFrame>()
  const ends = new Map<Id, number>()
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
      sum.cursor = Math.min(sum.cursor, frame.cursor)
    }
    ends.set(frame.site_id, Math.max(ends.get(frame.site_id) ?? 0, frame.cursor))
  }
  const all = [...sums.values()].sort((a, b) => a.cursor - b.cursor)
  for (const [site_id, cursor] of ends) {
    const last = all.findLast(sum => sum.site_id === site_id)
    if (last !== undefined) last.cursor = cursor
  }
  return [...kept, ...all]
}

/** How many events, and how old, can be replayed to an app that reconnects. */
export const REPLAY_EVENTS = 10_000
export const REPLAY_MS = 15 * 60_000

/**
 * Returns whether everything after a cursor can be replayed; otherwise there is a gap. A cursor beyond the last event is one from before the installation was restored from a backup: what the app
 * shows may no longer be true.
 */
export const replayable = (cursor: number, head: number, oldest_kept: number): boolean =>
  cursor === head || (cursor < head && cursor + 1 >= oldest_kept && head - cursor <= REPLAY_EVENTS)

/** Limits of a client: frames in a second, sockets and sites. */
export const CLIENT_FRAMES_A_SECOND = 20
export const SOCKETS_A_USER = 10
export const SITES_A_SOCKET = 20
