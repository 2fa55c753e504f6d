// An open app, as far as its socket goes: it follows one site, connects again whenever the connection ends, and continues from the last event that it has.
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Such an app, and what it has received. */
export type Ear = {
  /** The numbers of the events, in the order in which they arrived. */
  events: number[]
  /** How each connection ended: the close code, and whether the service said so before. */
  ends: { code: number; bye: boolean }[]
  /** Frames that say that events are missing. */
  gaps: unknown[]
  /** Breaks the connection without a close frame, as a phone in a tunnel does. */
  cut(): void
  close(): void
}

/** Opens such an app; resolves once it follows the site. */
export async function openEar(url: string, token: string, site_id: string): Promise<Ear> {
  const ear: Ear = { events: [], ends: [], gaps: [], cut: () => live?.terminate(), close: () => {} }
  let live: WebSocket | null = null
  let closed = false
  let cursor: number | undefined
  let first = () => {}
  const following = new Promise<void>(done => {
    first = done
  })
  const dial = () => {
    if (closed) return
    let bye = false
    const own = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, 'site.v1')
    live = own
    own.on('open', () => {
      own.send(JSON.stringify({ type: 'auth', token }))
      own.send(JSON.stringify({ type: 'subscribe', site_id, ...(cursor === undefined ? {} : { cursor }) }))
    })
    own.on('message', data => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'subscribed') {
        cursor ??= frame.cursor
        first()
      } else if (frame.type === 'event') {
        ear.events.push(frame.cursor)
        cursor = frame.cursor
      } else if (frame.type === 'gap' || frame.type === 'changed') ear.gaps.push(frame)
      else if (frame.type === 'bye') bye = true
    })
    own.on('error', () => {}) // the connection was refused or broke: `close` follows
    own.on('close', code => {
      ear.ends.push({ code, bye })
      void wait(20).then(dial)
    })
  }
  ear.close = () => {
    closed = true
    live?.terminate()
  }
  dial()
  await following
  return ear
}
