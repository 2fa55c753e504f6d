// Permit requests while they are being written. The device stores every change before anything is sent; unsent changes are sent from any
// page, whenever there is a connection. A request is removed from the device only when the service has all of it, or when its author deletes it.
import { fieldsIn } from '../../../../shared/narrow.ts'
import { ask, client, type Schemas } from '../../../base/api.ts'
import { isSignedIn, subjectNow } from '../../../base/auth.ts'
import { asFault, type Fault } from '../../../base/fault.ts'
import { toast } from '../../../base/kit/note.tsx'
import { lineNow, onLine } from '../../../base/line.ts'
import { listeners } from '../../../base/listeners.ts'
import { queries } from '../../../base/query.ts'
import { storeAll, storeChange, storeDrop } from '../../../base/store.ts'
import { t } from '../../../base/words.ts'
import { permitsMoved } from './data.ts'
import type { Permit } from './steps.ts'

/** A draft's content: the fields of the API. */
export type Fields = Omit<Schemas['NewPermit'], 'site_id' | 'rams_document_ids'>

/** A request as this device stores it. */
export type KeptDraft = {
  /** Its name in URLs: `new-…`, or the id of a permit that was opened for editing. */
  name: string
  who: string
  site_id: string
  /** The permit, once the service has created it. */
  id: string | null
  /** All fields, as they were last on screen. */
  fields: Fields
  /** The fields in it that the service doesn't have yet. */
  unsent: Fields
  /** The first body that was sent, so that the call can be repeated under the same key after a lost response. */
  made: { key: string; body: Fields } | null
  /** When it was last changed here. */
  at: number
  /** Why the service refused it; null while it hasn't. */
  refused: string | null
}

const AGAIN_MS = 15_000
/** How long the device remembers which permit a local draft became. */
const REMEMBERED_MS = 7 * 24 * 3_600_000

const heard = listeners()
const windows = new BroadcastChannel('walkdown.drafts')
/** Drafts that are open: their own page sends them. */
const edited = new Set<string>()
let opened = false

/** Marks a draft as open until the returned function is called. */
export function editDraft(name: string): () => void {
  edited.add(name)
  return () => {
    edited.delete(name)
    void flushDrafts()
  }
}

const moved = () => {
  heard.tell()
  windows.postMessage('moved')
}

/** Calls back when drafts on this device are added, changed or removed. */
export const onDrafts = heard.hear

/** Returns whether a draft has changes that the service doesn't have. */
export const isUnsent = (draft: KeptDraft): boolean => Object.keys(draft.unsent).length > 0

/** Returns a name for a draft that the service doesn't know yet. */
export const freshName = (): string => `new-${crypto.randomUUID()}`

/** Returns whether a draft of this name was created on a device. */
export const isFresh = (name: string): boolean => name.startsWith('new-')

/** A draft as earlier versions of the app stored it: one per site, under the site's id or the permit's id. */
type Older = { key: string; id: string | null; site_id: string; fields: Fields; unsent: Fields }

declare module '../../../base/store.ts' {
  interface Drawers {
    drafts: KeptDraft | Older
  }
}

const isPresent = (draft: KeptDraft | Older): draft is KeptDraft => !('key' in draft)

/** Changes a draft on this device. One that an earlier version stored has been replaced when the drafts were read. */
const changeKept = async (name: string, change: (now: KeptDraft | undefined) => KeptDraft | undefined): Promise<KeptDraft | undefined> => {
  const next = await storeChange('drafts', name, now => change(now !== undefined && isPresent(now) ? now : undefined))
  return next !== undefined && isPresent(next) ? next : undefined
}

async function ownDrafts(): Promise<KeptDraft[]> {
  const all = await storeAll('drafts').catch(() => [])
  const drafts = await Promise.all(
    all.map(async ([name, one]) => {
      if (isPresent(one)) return one
      const draft: KeptDraft = {
        name: one.id ?? `new-${one.key}`,
        who: subjectNow() ?? '',
        site_id: one.site_id,
        id: one.id,
        fields: one.fields,
        unsent: one.unsent,
        made: null,
        at: Date.now(),
        refused: null,
      }
      await changeKept(draft.name, () => draft)
      if (draft.name !== name) await storeDrop('drafts', name)
      return draft
    }),
  )
  return drafts.filter(draft => draft.who === subjectNow())
}

/** Returns the draft stored on this device under a name, or for a permit. */
export const keptDraft = async (name: string): Promise<KeptDraft | undefined> => {
  const own = await ownDrafts()
  return own.find(draft => draft.name === name) ?? own.find(draft => draft.id === name)
}

/** Lists this person's drafts on a site that the service doesn't have in full, newest first. */
export const waitingDrafts = async (site_id: string): Promise<KeptDraft[]> =>
  (await ownDrafts()).filter(draft => draft.site_id === site_id && isUnsent(draft)).sort((a, b) => b.at - a.at)

/** Stores a change of a draft on this device; resolves once it would survive a flat battery. */
export async function changeDraft(
  { name, site_id, id, fields }: Pick<KeptDraft, 'name' | 'site_id' | 'id' | 'fields'>,
  change: Fields,
): Promise<void> {
  const at = Date.now()
  await changeKept(name, now =>
    now === undefined
      ? { name, who: subjectNow() ?? '', site_id, id, fields, unsent: id === null ? fields : change, made: null, at, refused: null }
      : { ...now, fields, unsent: { ...now.unsent, ...change }, at, refused: null },
  )
  moved()
}

/** Deletes a draft from this device. */
export async function dropDraft(name: string): Promise<void> {
  await storeDrop('drafts', name)
  moved()
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns the fields of `unsent` that were not in what has just been sent, or have changed since. */
export const leftOf = (unsent: Fields, sent: Fields): Fields =>
  Object.fromEntries(Object.entries(unsent).filter(([name, value]) => !same(value, fieldsIn(sent)[name])))

async function deliver(draft: KeptDraft): Promise<{ permit: Permit; sent: Fields }> {
  if (draft.id !== null) {
    const params = { path: { permit_id: draft.id } }
    return { permit: await ask(client.PATCH('/permits/applications/{permit_id}', { params, body: draft.unsent })), sent: draft.unsent }
  }
  const made = draft.made ?? { key: crypto.randomUUID(), body: draft.fields }
  await changeKept(draft.name, now => now && { ...now, made })
  const headers = { 'Idempotency-Key': made.key }
  return {
    permit: await ask(client.POST('/permits/applications', { body: { ...made.body, site_id: draft.site_id }, headers })),
    sent: made.body,
  }
}

/** Returns whether a retry can succeed. */
const isPassing = (fault: Fault): boolean => fault.unreached || [401, 408, 425, 429].includes(fault.status) || fault.status >= 500

/** The result of sending a draft: what the service has now, what it still lacks, and why. */
export type Sent = { permit: Permit | null; draft: KeptDraft | undefined; fault: Fault | null }

/** Sends a draft's unsent fields. Only one window on the device sends at a time. */
export const sendDraft = (name: string): Promise<Sent> =>
  navigator.locks.request(`walkdown.draft ${name}`, async (): Promise<Sent> => {
    const draft = await keptDraft(name)
    if (draft === undefined || !isUnsent(draft)) return { permit: null, draft, fault: null }
    const put = (change: (now: KeptDraft) => KeptDraft) => changeKept(name, now => now && change(now))
    try {
      const { permit, sent } = await deliver(draft)
      const next = await put(now => ({ ...now, id: permit.id, made: null, refused: null, unsent: leftOf(now.unsent, sent) }))
      queries.setQueryData(['permit', permit.id], permit)
      void permitsMoved(permit.id, false)
      moved()
      return { permit, draft: next, fault: null }
    } catch (error) {
      const fault = asFault(error)
      // A refused body was never accepted: the next attempt is a new one.
      const next = await put(now => (isPassing(fault) ? now : { ...now, refused: fault.message, made: null })).catch(() => draft)
      moved()
      return { permit: null, draft: next, fault: isPassing(fault) ? null : fault }
    }
  })

let busy = false

/** Sends everything that is waiting on this device; refused drafts wait for their author. */
export async function flushDrafts(): Promise<void> {
  if (busy || !isSignedIn() || !lineNow().up) return
  busy = true
  try {
    for (const draft of await ownDrafts()) {
      if (!isUnsent(draft)) {
        if (Date.now() - draft.at > REMEMBERED_MS) await storeDrop('drafts', draft.name)
      } else if (draft.refused === null && !edited.has(draft.name)) {
        const { permit } = await sendDraft(draft.name)
        if (permit !== null) toast(t('request.sent_later', { title: permit.title ?? t('permit.untitled') }))
        if (!lineNow().up) return
      }
    }
  } finally {
    busy = false
  }
}

/** Sends this person's unsent drafts on this device, now and whenever there is a connection. */
export function openDrafts(): void {
  if (!opened) {
    opened = true
    windows.onmessage = heard.tell
    onLine(() => void flushDrafts())
    setInterval(() => void flushDrafts(), AGAIN_MS)
  }
  heard.tell()
  void flushDrafts()
}
