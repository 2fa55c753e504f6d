// What people do goes out through here, in order, each under a key of its own, so that it has one effect however often the phone sends it.
// Three marks that are never mixed up: saved on this phone, sent, accepted. What the service refuses stays, in its words, until it was read.
import { useSyncExternalStore } from 'react'
import { tokenNow } from './auth.ts'
import { asFault, Fault } from './fault.ts'
import { storeAll, storeDrop, storeGet, storePut } from './store.ts'

/** A call that is to be made. */
export type Item = {
  /** Also its idempotency key. */
  id: string
  /** When it was done, by this device. */
  at: number
  who: string
  site_id: string
  subject: { kind: string; id: string; label: string }
  /** What was done, in words. */
  says: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  /** A file that lies in the drawer `files` under the item's id. */
  file?: { name: string; slot: string | null }
  state: 'here' | 'sending' | 'refused'
  refusal?: { detail: string; status: number; context: Record<string, unknown> }
}

/** What became of something that was done: the service took it, or it is saved on this device and goes when there is a line. */
export type Done = { outcome: 'accepted'; data: unknown } | { outcome: 'saved' }

let items: readonly Item[] = []
let owner: string | null = null
const heard = new Set<() => void>()
const sentHeard = new Set<(item: Item, data: unknown) => void>()

function show(next: readonly Item[]): void {
  items = next
  for (const tell of heard) tell()
}

/** What waits here, and what was refused. */
export const useOutbox = (): readonly Item[] =>
  useSyncExternalStore(
    tell => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => items,
  )

/** Hears of what the service took that had waited here. */
export const onAccepted = (hear: (item: Item, data: unknown) => void): void => {
  sentHeard.add(hear)
}

/** Takes up what this device has kept for this person, and tries again whenever there may be a line. */
export async function openOutbox(who: string): Promise<void> {
  owner = who
  const kept = (await storeAll<Item>('outbox').catch(() => [])).map(([, item]) => item)
  show(kept.filter(item => item.who === who).sort((a, b) => a.at - b.at))
  addEventListener('online', () => void flush())
  setInterval(() => void flush(), 15_000)
  void flush()
}

async function change(item: Item, to: Partial<Item>): Promise<void> {
  const next = { ...item, ...to }
  await storePut('outbox', item.id, next)
  show(items.map(one => (one.id === item.id ? next : one)))
}

/** Takes an item away: it was accepted, or its refusal was read. */
export async function dismiss(id: string): Promise<void> {
  await storeDrop('outbox', id)
  await storeDrop('files', id)
  show(items.filter(one => one.id !== id))
}

type New = Omit<Item, 'id' | 'at' | 'who' | 'state' | 'file'> & { file?: { blob: Blob; name: string; slot: string | null } }

/**
 * Does something: written down on the device first, then sent. Answers what the service said; that it is saved, where it cannot be reached;
 * throws its refusal, and then nothing is left here.
 */
export async function perform(given: New): Promise<Done> {
  const { file, ...rest } = given
  const item: Item = {
    ...rest,
    id: crypto.randomUUID(),
    at: Date.now(),
    who: owner ?? '',
    state: 'here',
    ...(file === undefined ? {} : { file: { name: file.name, slot: file.slot } }),
  }
  if (file !== undefined) await storePut('files', item.id, file.blob)
  await storePut('outbox', item.id, item)
  show([...items, item])
  // What waits before it goes before it: a step follows the one it was taken after.
  if (items.some(one => one.id !== item.id && one.state === 'here')) {
    void flush()
    return { outcome: 'saved' }
  }
  try {
    const data = await send(item)
    await dismiss(item.id)
    return { outcome: 'accepted', data }
  } catch (error) {
    const fault = asFault(error)
    if (!later(fault)) {
      await dismiss(item.id)
      throw fault
    }
    return { outcome: 'saved' }
  }
}

/** Whether it may go well another time: no line, no token, or a service that is not well. */
const later = (fault: Fault): boolean => fault.unreached || fault.status === 401 || fault.status === 429 || fault.status >= 500

const TRY_MS = 30_000

async function send(item: Item): Promise<unknown> {
  const token = await tokenNow()
  const headers: Record<string, string> = { 'Idempotency-Key': item.id, ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
  let body: BodyInit | undefined
  if (item.file !== undefined) {
    const blob = await storeGet<Blob>('files', item.id)
    if (blob === undefined) throw new Fault(410, { code: 'gone', detail: 'The file is no longer on this device.' }, null)
    const form = new FormData()
    form.append('file', blob, item.file.name)
    if (item.file.slot !== null) form.append('slot', item.file.slot)
    body = form
  } else if (item.body !== undefined) {
    body = JSON.stringify(item.body)
    headers['content-type'] = 'application/json'
  }
  let answer: Response
  try {
    answer = await fetch(`/api${item.path}`, {
      method: item.method,
      headers,
      signal: AbortSignal.timeout(TRY_MS),
      ...(body === undefined ? {} : { body }),
    })
  } catch {
    throw new Fault(0, { code: 'unreached' }, null)
  }
  const said = answer.status === 204 ? undefined : await answer.json().catch(() => undefined)
  if (answer.ok) return said
  throw new Fault(answer.status, (said as { error?: Record<string, unknown> } | undefined)?.error ?? {}, answer.headers.get('x-request-id'))
}

let flushing: Promise<void> | null = null

/** Sends what waits, in order, until there is no line. Only one window does it. */
export function flush(): Promise<void> {
  flushing ??= navigator.locks
    .request('walkdown.outbox', { ifAvailable: true }, async lock => {
      if (lock === null) return
      for (;;) {
        const next = items.find(item => item.state === 'here')
        if (next === undefined) return
        try {
          const data = await send(next)
          await dismiss(next.id)
          for (const hear of sentHeard) hear(next, data)
        } catch (error) {
          const fault = asFault(error)
          if (later(fault)) return
          await change(next, { state: 'refused', refusal: { detail: fault.message, status: fault.status, context: fault.context } })
        }
      }
    })
    .catch(() => undefined)
    .finally(() => {
      flushing = null
    })
  return flushing
}
