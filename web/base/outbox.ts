// People's actions are sent through here, in order, each under its own key, so that each has one effect however often the phone sends it.
// Three states that are never confused: saved on this phone, being sent, accepted. A refused action stays here, with the service’s reason, until the person has read it.
// The store is the source of truth: all windows of a device share it, one of them sends, and a phone that dies in between continues where it was.
import { useSyncExternalStore } from 'react'
import { fieldsIn } from '../../shared/narrow.ts'
import { digestOf } from '../../shared/proof/canonical.ts'
import { againAfter, isBusy, retryAfterOf } from './again.ts'
import { isSignedIn, tokenNow } from './auth.ts'
import { noteLoad } from './busy.ts'
import { asFault, Fault, unreached } from './fault.ts'
import { lineHeld, lineLost, lineNow, onLine } from './line.ts'
import { listeners } from './listeners.ts'
import { storeAll, storeAppend, storeDropAll, storeGet, storePut } from './store.ts'
import { t } from './words.ts'

/** A call to be made. */
export type Item = {
  /** Its idempotency key. */
  id: string
  /** Its position in the store, where it isn’t repeated: after everything that was stored before it. */
  key: string
  /** When it was done, by this device's clock. */
  at: number
  who: string
  site_id: string
  subject: { kind: string; id: string; label: string }
  /** What was done, in words. */
  says: string
  /** The name of the step. */
  step?: string
  /** What was shown on screen when it was signed. */
  seen?: unknown
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  /** A file in the object store `files`, under the item's key. */
  file?: { name: string; slot: string | null; sha256: string; type: string }
  /** When it was first sent. The service remembers its key for one day from then. */
  tried?: number
  /** How often the service responded with a server error. */
  unwell?: number
  state: 'here' | 'refused'
  refusal?: { detail: string; status: number; context: Record<string, unknown> }
}
declare module './store.ts' {
  interface Drawers {
    outbox: Omit<Item, 'key'>
  }
}

/** The result of an action: the service accepted it, or it is saved on this device and will be sent when there is a connection. */
export type Done = { outcome: 'accepted'; data: unknown } | { outcome: 'saved' }

/** What is waiting, which item is being sent now, and why the others are not. */
export type Outbox = { items: readonly Item[]; sending: string | null; held: 'line' | 'sign_in' | 'service' | 'busy' | null }

let box: Outbox = { items: [], sending: null, held: null }
let owner: string | null = null
const heard = listeners()
const answerHeard = listeners()
const asked = new Map<string, { took(data: unknown): void; refused(fault: Fault): void }>()

type Message = { kind: 'moved' } | { kind: 'accepted'; id: string; data: unknown } | { kind: 'refused' }
const windows = new BroadcastChannel('walkdown.outbox')

function show(change: Partial<Outbox>): void {
  box = { ...box, ...change }
  heard.tell()
}

/** Returns what is waiting here, what is being sent, and what was refused. */
export const useOutbox = (): Outbox => useSyncExternalStore(heard.hear, () => box)

/** Returns the outbox, for code outside a component. */
export const outboxNow = (): Outbox => box

/** Calls back when the service has responded to something that was waiting here: it was accepted, or the data on screen is out of date. */
export const onAnswered = (tell: () => void): void => {
  answerHeard.hear(tell)
}

/** Reads this person's items in the store again; returns them in order. */
export async function readOutbox(): Promise<readonly Item[]> {
  const kept = await storeAll('outbox')
  const items = kept.map(([key, item]) => ({ ...item, key })).filter(item => item.who === owner)
  show({ items })
  return items
}

let arrived: (item: Item) => Promise<boolean> = async () => false

/** Asks whether a call made days ago, whose response was lost, had its effect: its key is no longer remembered. */
export const onDoubt = (ask: (item: Item) => Promise<boolean>): void => {
  arrived = ask
}

const AGAIN_MS = 15_000
/** A little less than the time for which the service remembers a key. */
const REMEMBERED_MS = 23 * 3_600_000

/** Loads what this device has stored for this person, and retries whenever there may be a connection. */
export async function openOutbox(who: string): Promise<void> {
  owner = who
  await readOutbox().catch(() => undefined)
  windows.onmessage = ({ data: message }: MessageEvent<Message>) => {
    void readOutbox().catch(() => undefined)
    if (message.kind === 'moved') return
    if (message.kind === 'accepted') asked.get(message.id)?.took(message.data)
    answerHeard.tell()
  }
  onLine(() => {
    if (lineNow().up) void flush()
  })
  setInterval(() => void flush(), AGAIN_MS)
  void flush()
}

async function moved(): Promise<void> {
  await readOutbox()
  windows.postMessage({ kind: 'moved' } satisfies Message)
}

const TURN = 'walkdown.outbox'

/** Removes an item whose refusal was read, or that is no longer wanted; never while it is being sent. */
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
 * Performs an action: stores it on the device first, then sends it. Returns the response, or that it is saved when the service can't be reached. Throws a
 * refusal, and then nothing is left here. On a device that can't store it, it throws and nothing is done.
 */
export async function perform({ file, ...given }: Given): Promise<Done> {
  const id = crypto.randomUUID()
  let key: string
  try {
    const item: Omit<Item, 'key'> = { ...given, id, at: Date.now(), who: owner ?? '', state: 'here' }
    if (file === undefined) key = await storeAppend('outbox', id, item)
    else {
      // The bytes are stored, not the file, because a phone can delete a picture that an app only refers to.
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
  // The item was tried and is still here, so it is sent later.
  const tried = flush().then<Done>(() => (box.items.some(item => item.key === key) ? { outcome: 'saved' } : answer))
  try {
    return await Promise.race([answer, tried])
  } finally {
    asked.delete(id)
  }
}

/** Returns whether a retry can succeed: no connection, no token, or a server error. */
const later = (fault: Fault): boolean => fault.unreached || [401, 408, 425, 429].includes(fault.status) || fault.status >= 500

const TRY_MS = 30_000
/** A call that makes the service fail this often will fail tomorrow too; the items after it must not wait forever. */
const GIVE_UP_AFTER = 6

async function send(item: Item, renewed = false): Promise<unknown> {
  const token = await tokenNow(renewed)
  const headers: Record<string, string> = { 'Idempotency-Key': item.id, ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
  let body: BodyInit | undefined
  if (item.file !== undefined) {
    const blob = await storeGet('files', item.key)
    if (blob === undefined) throw new Fault(410, { code: 'gone', detail: t('outbox.file_gone') }, null)
    const form = new FormData()
    form.append('file', blob, item.file.name)
    if (item.file.slot !== null) form.append('slot', item.file.slot)
    if (item.body !== undefined) form.append('data', JSON.stringify(item.body))
    body = form
  } else if (item.body !== undefined) {
    body = JSON.stringify(item.body)
    headers['content-type'] = 'application/json'
  }
  if (item.tried === undefined) await storePut('outbox', item.key, { ...item, tried: Date.now() })
  let answer: Response
  let said: unknown
  try {
    answer = await fetch(`/api${item.path}`, {
      method: item.method,
      headers,
      signal: AbortSignal.timeout(TRY_MS),
      ...(body === undefined ? {} : { body }),
    })
    // A response that is cut off doesn't count: the result of the call is unknown, and the key makes it safe to send again.
    said = answer.status === 204 ? undefined : await answer.json()
  } catch {
    lineLost()
    throw unreached()
  }
  lineHeld()
  noteLoad(answer)
  if (answer.ok) return said
  if (answer.status === 401 && !renewed) return send(item, true)
  throw new Fault(answer.status, fieldsIn(fieldsIn(said).error), answer.headers.get('x-request-id'), retryAfterOf(answer.headers))
}

let waiting: Promise<void> | null = null

/** Sends the waiting items in order, as long as there is a connection. One window of the device sends at a time; the next one checks what is left. */
export function flush(): Promise<void> {
  if (waiting !== null) return waiting
  const turn = navigator.locks.request(TURN, async () => {
    // A request from here on needs a run of its own, because the current run may have checked already.
    waiting = null
    for (;;) {
      const next = (await readOutbox()).find(item => item.state === 'here')
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

/** How often in a row the service was too busy. */
let turnedAway = 0

async function accept(item: Item, data: unknown): Promise<void> {
  turnedAway = 0
  await storeDropAll(['outbox', 'files'], item.key)
  windows.postMessage({ kind: 'accepted', id: item.id, data } satisfies Message)
  await readOutbox()
  const one = asked.get(item.id)
  if (one !== undefined) one.took(data)
  else answerHeard.tell()
}

/** Handles an item that could not be sent: returns whether all the others have to wait. */
async function putAside(item: Item, fault: Fault): Promise<boolean> {
  const broken = fault.status === 500 ? (item.unwell ?? 0) + 1 : 0
  if (later(fault) && broken < GIVE_UP_AFTER) {
    if (broken > 0) await storePut('outbox', item.key, { ...item, tried: item.tried ?? Date.now(), unwell: broken })
    show({ held: fault.unreached ? 'line' : fault.status === 401 || !isSignedIn() ? 'sign_in' : isBusy(fault) ? 'busy' : 'service' })
    // Nothing was done with it, and its key makes it safe to send again as soon as the service asked for it.
    if (isBusy(fault)) setTimeout(() => void flush(), againAfter(turnedAway++, fault, Math.random()))
    return true
  }
  const one = asked.get(item.id)
  if (one !== undefined) {
    await drop(item.key)
    one.refused(fault)
    return false
  }
  const refusal = { detail: fault.message, status: fault.status, context: fault.context }
  await storePut('outbox', item.key, { ...item, state: 'refused', refusal })
  windows.postMessage({ kind: 'refused' } satisfies Message)
  await readOutbox()
  answerHeard.tell()
  return false
}
