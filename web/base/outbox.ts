// What people do goes out through here, in order, each under a key of its own, so that it has one effect however often the phone sends it.
// Three marks that are never mixed up: saved on this phone, being sent, accepted. What the service refuses stays, in its words, until it was read.
// The store is the truth: windows of one device share it, one of them sends, and a phone that dies in between goes on where it was.
import { useSyncExternalStore } from 'react'
import { digestOf } from '../../shared/proof/canonical.ts'
import { isSignedIn, tokenNow } from './auth.ts'
import { asFault, Fault, unreached } from './fault.ts'
import { lineHeld, lineLost, lineNow, onLine } from './line.ts'
import { storeAll, storeAppend, storeDropAll, storeGet, storePut } from './store.ts'
import { t } from './words.ts'

/** A call that is to be made. */
export type Item = {
  /** Its idempotency key. */
  id: string
  /** Where it lies in the store: behind all that were there before it. */
  key: string
  /** When it was done, by this device. */
  at: number
  who: string
  site_id: string
  subject: { kind: string; id: string; label: string }
  /** What was done, in words. */
  says: string
  /** Which step, by its name. */
  step?: string
  /** What was on the screen when it was signed. */
  seen?: unknown
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  /** A file that lies in the drawer `files` under the item's key. */
  file?: { name: string; slot: string | null; sha256: string; type: string }
  /** When it was first sent. The service remembers its key for a day from then on, and no longer. */
  tried?: number
  /** How often the service answered that it is not well. */
  unwell?: number
  state: 'here' | 'refused'
  refusal?: { detail: string; status: number; context: Record<string, unknown> }
}

/** What became of something that was done: the service took it, or it is saved on this device and goes when there is a line. */
export type Done = { outcome: 'accepted'; data: unknown } | { outcome: 'saved' }

/** What waits, what of it is being sent at this moment, and why the rest is not. */
export type Outbox = { items: readonly Item[]; sending: string | null; held: 'line' | 'sign_in' | 'service' | null }

let box: Outbox = { items: [], sending: null, held: null }
let owner: string | null = null
const heard = new Set<() => void>()
const answerHeard = new Set<() => void>()
const asked = new Map<string, { took(data: unknown): void; refused(fault: Fault): void }>()

type Told = { kind: 'moved' } | { kind: 'accepted'; id: string; data: unknown } | { kind: 'refused' }
const windows = new BroadcastChannel('walkdown.outbox')

function show(change: Partial<Outbox>): void {
  box = { ...box, ...change }
  for (const tell of heard) tell()
}

const hear = (tell: () => void) => {
  heard.add(tell)
  return () => heard.delete(tell)
}

/** What waits here, what is being sent, and what was refused. */
export const useOutbox = (): Outbox => useSyncExternalStore(hear, () => box)

/** The same outside of a screen. */
export const outboxNow = (): Outbox => box

/** Hears that the service answered what had waited here: it took it, or what is on the screen is older than what it knows. */
export const onAnswered = (tell: () => void): void => {
  answerHeard.add(tell)
}

/** What lies in the store for this person, in order. */
async function look(): Promise<readonly Item[]> {
  const kept = await storeAll<Item>('outbox')
  const items = kept.map(([key, item]) => ({ ...item, key })).filter(item => item.who === owner)
  show({ items })
  return items
}

let arrived: (item: Item) => Promise<boolean> = async () => false

/** Asks whether a call of days ago, whose answer was lost, has had its effect: its key alone cannot tell any more. */
export const onDoubt = (ask: (item: Item) => Promise<boolean>): void => {
  arrived = ask
}

const AGAIN_MS = 15_000
/** A little less than what the service remembers. */
const REMEMBERED_MS = 23 * 3_600_000

/** Takes up what this device has kept for this person, and tries again whenever there may be a line. */
export async function openOutbox(who: string): Promise<void> {
  owner = who
  await look().catch(() => undefined)
  windows.onmessage = ({ data: told }: MessageEvent<Told>) => {
    void look().catch(() => undefined)
    if (told.kind === 'moved') return
    if (told.kind === 'accepted') asked.get(told.id)?.took(told.data)
    for (const tell of answerHeard) tell()
  }
  onLine(() => {
    if (lineNow().up) void flush()
  })
  setInterval(() => void flush(), AGAIN_MS)
  void flush()
}

async function moved(): Promise<void> {
  await look()
  windows.postMessage({ kind: 'moved' } satisfies Told)
}

const TURN = 'walkdown.outbox'

/** Takes an item away whose refusal was read, or that is not wanted any more; never while it is on its way. */
export async function dismiss(key: string): Promise<void> {
  await navigator.locks.request(TURN, () => drop(key))
}

async function drop(key: string): Promise<void> {
  await storeDropAll(['outbox', 'files'], key)
  await moved()
}

type Given = Omit<Item, 'id' | 'key' | 'at' | 'who' | 'state' | 'file' | 'tried' | 'unwell' | 'refusal'> & {
  file?: { blob: Blob; name: string; slot: string | null }
}

/** How long a button shows that it is busy before the app says that the action is saved and will be sent automatically. */
const PATIENCE_MS = 8000

/**
 * Does something: written down on the device first, then sent. Answers what the service said; that it is saved, where it cannot be reached;
 * throws its refusal, and then nothing is left here. A device that cannot write it down says so, and then nothing was done.
 */
export async function perform({ file, ...given }: Given): Promise<Done> {
  const id = crypto.randomUUID()
  let key: string
  try {
    const item: Omit<Item, 'key'> = { ...given, id, at: Date.now(), who: owner ?? '', state: 'here' }
    if (file === undefined) key = await storeAppend('outbox', id, item)
    else {
      // Its bytes, not the file: a phone may take a picture away that an app only points at.
      const bytes = await file.blob.arrayBuffer()
      const sha256 = await digestOf(new Uint8Array(bytes))
      const kept = { name: file.name, slot: file.slot, sha256, type: file.blob.type }
      key = await storeAppend('outbox', id, { ...item, file: kept }, new Blob([bytes], { type: file.blob.type }))
    }
  } catch {
    throw new Fault(507, { code: 'not_saved', detail: t('outbox.full') }, null)
  }
  void navigator.storage?.persist?.()
  const answer = new Promise<Done>((done, failed) => {
    asked.set(id, {
      took: data => done({ outcome: 'accepted', data: data ?? {} }),
      refused: failed,
    })
    setTimeout(() => done({ outcome: 'saved' }), PATIENCE_MS)
  })
  await moved()
  if (!lineNow().up) {
    asked.delete(id)
    show({ held: 'line' })
    return { outcome: 'saved' }
  }
  // Tried, and still here: it goes later.
  const tried = flush().then<Done>(() => (box.items.some(item => item.key === key) ? { outcome: 'saved' } : answer))
  try {
    return await Promise.race([answer, tried])
  } finally {
    asked.delete(id)
  }
}

/** Whether it may go well another time: no line, no token, or a service that is not well. */
const later = (fault: Fault): boolean => fault.unreached || [401, 408, 425, 429].includes(fault.status) || fault.status >= 500

const TRY_MS = 30_000
/** A service that breaks on one thing so often will not take it tomorrow either; what waits behind it must not wait for ever. */
const GIVE_UP_AFTER = 6

async function send(item: Item, renewed = false): Promise<unknown> {
  const token = await tokenNow(renewed)
  const headers: Record<string, string> = { 'Idempotency-Key': item.id, ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
  let body: BodyInit | undefined
  if (item.file !== undefined) {
    const blob = await storeGet<Blob>('files', item.key)
    if (blob === undefined) throw new Fault(410, { code: 'gone', detail: t('outbox.file_gone') }, null)
    const form = new FormData()
    form.append('file', blob, item.file.name)
    if (item.file.slot !== null) form.append('slot', item.file.slot)
    body = form
  } else if (item.body !== undefined) {
    body = JSON.stringify(item.body)
    headers['content-type'] = 'application/json'
  }
  if (item.tried === undefined) await storePut('outbox', item.key, { ...item, tried: Date.now() } satisfies Item)
  let answer: Response
  let said: unknown
  try {
    answer = await fetch(`/api${item.path}`, {
      method: item.method,
      headers,
      signal: AbortSignal.timeout(TRY_MS),
      ...(body === undefined ? {} : { body }),
    })
    // An answer that breaks off is none: what became of the call is not known, and the key makes it safe to ask again.
    said = answer.status === 204 ? undefined : await answer.json()
  } catch {
    lineLost()
    throw unreached()
  }
  lineHeld()
  if (answer.ok) return said
  if (answer.status === 401 && !renewed) return send(item, true)
  throw new Fault(answer.status, (said as { error?: Record<string, unknown> } | undefined)?.error ?? {}, answer.headers.get('x-request-id'))
}

let waiting: Promise<void> | null = null

/** Sends what waits, in order, until there is no line. One window of the device does it at a time; the next one looks what is left. */
export function flush(): Promise<void> {
  if (waiting !== null) return waiting
  const turn = navigator.locks.request(TURN, async () => {
    // Whoever comes from here on asks for a turn of his own: this one may have looked already.
    waiting = null
    for (;;) {
      const next = (await look()).find(item => item.state === 'here')
      if (next === undefined) return show({ held: null })
      if (!lineNow().up && !navigator.onLine) return show({ held: 'line' })
      show({ sending: next.key })
      try {
        const doubtful = next.tried !== undefined && Date.now() - next.tried > REMEMBERED_MS
        await accept(next, doubtful && (await arrived(next)) ? undefined : await send(next))
      } catch (error) {
        if (await putAside(next, asFault(error))) return
      } finally {
        show({ sending: null })
      }
    }
  })
  waiting = turn.catch(() => {
    waiting = null
  })
  return waiting
}

async function accept(item: Item, data: unknown): Promise<void> {
  await storeDropAll(['outbox', 'files'], item.key)
  windows.postMessage({ kind: 'accepted', id: item.id, data } satisfies Told)
  await look()
  const one = asked.get(item.id)
  if (one !== undefined) one.took(data)
  else for (const tell of answerHeard) tell()
}

/** What could not be sent: whether all of it has to wait. */
async function putAside(item: Item, fault: Fault): Promise<boolean> {
  const broken = fault.status === 500 ? (item.unwell ?? 0) + 1 : 0
  if (later(fault) && broken < GIVE_UP_AFTER) {
    if (broken > 0) await storePut('outbox', item.key, { ...item, tried: item.tried ?? Date.now(), unwell: broken } satisfies Item)
    show({ held: fault.unreached ? 'line' : fault.status === 401 || !isSignedIn() ? 'sign_in' : 'service' })
    return true
  }
  const one = asked.get(item.id)
  if (one !== undefined) {
    await drop(item.key)
    one.refused(fault)
    return false
  }
  const refusal = { detail: fault.message, status: fault.status, context: fault.context }
  await storePut('outbox', item.key, { ...item, state: 'refused', refusal } satisfies Item)
  windows.postMessage({ kind: 'refused' } satisfies Told)
  await look()
  for (const tell of answerHeard) tell()
  return false
}
