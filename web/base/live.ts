// The socket that says *that* something changed; the change itself is read with the person's own rights. Without the socket nothing is lost: queries are
// just refetched later, by themselves.
import { useSyncExternalStore } from 'react'
import { fieldsIn, textIn } from '../../shared/narrow.ts'
import { tokenNow } from './auth.ts'
import { config } from './config.ts'
import { onRead, readFrom } from './heard.ts'
import { lineHeld } from './line.ts'
import { listeners } from './listeners.ts'
import { refetch } from './query.ts'
import { pauseBefore } from './redial.ts'
import { noteServiceTime } from './service-time.ts'
import type { Happened, StaleBy } from './stale.ts'

/** The state of the socket: live, catching up with missed events, or disconnected since a time. */
export type Line = { state: 'live' | 'catching_up' | 'offline'; since: number | null }

type Frame = {
  type: string
  site_id?: string
  cursor?: number
  /** Where a gap ends. */
  to?: number
  topic?: string
  kind?: string
  entity_type?: string
  ids?: string[]
  more?: boolean
  retry_after_ms?: number
  server_time?: string
}

const wordIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Reads a message of the service. */
function frameIn(said: unknown): Frame {
  const { type, site_id, cursor, to, topic, kind, entity_type, ids, more, retry_after_ms, server_time } = fieldsIn(said)
  return {
    type: textIn(type),
    site_id: wordIn(site_id),
    cursor: numberIn(cursor),
    to: numberIn(to),
    topic: wordIn(topic),
    kind: wordIn(kind),
    entity_type: wordIn(entity_type),
    ids: Array.isArray(ids) ? ids.map(String) : undefined,
    more: typeof more === 'boolean' ? more : undefined,
    retry_after_ms: numberIn(retry_after_ms),
    server_time: wordIn(server_time),
  }
}

let socket: WebSocket | null = null
/** What the rooms say about their queries. */
let stale_by: StaleBy = { by: () => [], everything: [] }
let wanted: string | null = null
let cursor: number | undefined
/** From this event of the site on, the socket reports everything; undefined while it doesn't yet. */
let from: number | undefined
let tries = 0
/** How long the service that ended asks this app to wait. */
let told_ms: number | null = null
/** Whether the last token was refused: its session may have ended on another device, which only a new token shows. */
let refused = false
let again: ReturnType<typeof setTimeout> | undefined
let alive: ReturnType<typeof setInterval> | undefined
let heardAt = 0
let line: Line = { state: 'catching_up', since: null }
const heard = listeners()

function show(next: Line['state']): void {
  if (line.state === next) return
  line = { state: next, since: next === 'offline' ? Date.now() : null }
  heard.tell()
}

/** Returns the state of the socket. */
export const useLine = (): Line => useSyncExternalStore(heard.hear, () => line)

const RARELY_MS = 600_000
const OFTEN_MS = 60_000
/** Returns how long to wait until something is read again that the socket reports: without the socket, nothing else would notice. */
export const untilReread = (): number => (line.state === 'live' ? RARELY_MS : OFTEN_MS)

const GATHER_MS = 120
let stale = new Map<string, Set<string> | null>()
let gathering: ReturnType<typeof setTimeout> | undefined

/** Refetches these queries, or only these records of them if `ids` is given: what is shown now at once, the rest when it is next shown. Changes close together share one request. */
function refresh(names: readonly string[], ids: readonly string[] | null = null): void {
  for (const name of names) {
    const known = stale.get(name)
    stale.set(name, ids === null || known === null ? null : new Set([...(known ?? []), ...ids]))
  }
  if (gathering !== undefined) return
  gathering = setTimeout(() => {
    const now = stale
    stale = new Map()
    gathering = undefined
    void refetch(now)
  }, GATHER_MS)
}

/** Data that was read before the socket began to report may lack changes made in between, so it is read again. */
function catchUp(site_id: string | undefined, event_no: number | undefined): void {
  if (site_id !== wanted || from === undefined || event_no === undefined || event_no >= from) return
  from = event_no
  refresh(stale_by.everything)
}

function hear(happened: Happened): void {
  for (const { names, ids } of stale_by.by(happened)) refresh(names, ids)
}

function take(frame: Frame): void {
  heardAt = Date.now()
  if (frame.cursor !== undefined && (frame.site_id === wanted || frame.type === 'subscribed')) cursor = Math.max(cursor ?? 0, frame.cursor)
  if (frame.type === 'subscribed') {
    tries = 0
    from ??= frame.cursor
    catchUp(frame.site_id, readFrom(frame.site_id ?? ''))
    lineHeld()
    show('live')
  } else if (frame.type === 'ready') noteServiceTime(frame.server_time ?? '')
  else if (frame.type === 'event' || frame.type === 'changed') hear(frame)
  else if (frame.type === 'gap') {
    // After a backup was restored, the service counts on from a lower number.
    if (frame.site_id === wanted) cursor = frame.to
    refresh(stale_by.everything)
  }
  // What concerns this person alone: a notification, a task, how much is waiting, a membership. The rooms say which of their queries show it.
  else if (frame.type === 'me') hear({ kind: frame.kind })
  else if (frame.type === 'reauth') void sign()
  else if (frame.type === 'bye') {
    tries = 0
    told_ms = frame.retry_after_ms ?? null
  }
}

async function sign(): Promise<void> {
  const token = await tokenNow()
  if (token !== null && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'auth', token }))
}

const SILENT_MS = 70_000
/** The code of a socket whose token isn’t accepted, or whose session has ended. */
const NOT_ACCEPTED = 4401
const LOOK_MS = 10_000

async function dial(): Promise<void> {
  clearTimeout(again)
  const site_id = wanted
  if (site_id === null || socket !== null) return
  const token = await tokenNow(refused)
  refused = false
  if (token === null || socket !== null) return retry()
  const own = new WebSocket(config().ws_url, 'site.v1')
  socket = own
  own.onopen = () => {
    heardAt = Date.now()
    own.send(JSON.stringify({ type: 'auth', token }))
    cursor ??= readFrom(site_id)
    from ??= cursor
    own.send(JSON.stringify({ type: 'subscribe', site_id, ...(cursor === undefined ? {} : { cursor }) }))
  }
  own.onmessage = event => take(frameIn(JSON.parse(String(event.data))))
  own.onclose = ({ code }) => {
    if (socket === own) socket = null
    refused = code === NOT_ACCEPTED
    retry()
  }
}

/** Closes a socket. One that is still connecting is closed once it is open, because browsers log an error otherwise. */
function hangUp(own: WebSocket | null): void {
  if (own?.readyState === WebSocket.CONNECTING) own.onopen = () => own.close()
  else own?.close()
}

function retry(): void {
  if (wanted === null) return
  show(navigator.onLine && tries < 2 ? 'catching_up' : 'offline')
  const pause = pauseBefore(tries++, Math.random(), told_ms)
  told_ms = null
  clearTimeout(again)
  again = setTimeout(() => void dial(), pause)
}

/** Listens to the events of a site from now on, and refetches what they make stale. */
export function listenTo(site_id: string, stale: StaleBy): void {
  stale_by = stale
  if (wanted === site_id) return
  const first = wanted === null
  wanted = site_id
  cursor = from = undefined
  if (!first) {
    const old = socket
    socket = null
    hangUp(old)
  } else {
    onRead(catchUp)
    addEventListener('online', () => {
      tries = 0
      void dial()
    })
    addEventListener('offline', () => {
      show('offline')
      hangUp(socket)
    })
    alive = setInterval(() => {
      if (socket?.readyState !== WebSocket.OPEN) return
      if (Date.now() - heardAt > SILENT_MS) socket.close()
      else socket.send(JSON.stringify({ type: 'ping', t: Date.now() }))
    }, LOOK_MS * 3)
    addEventListener('pagehide', () => clearInterval(alive))
  }
  void dial()
}
