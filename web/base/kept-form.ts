// What a person has typed into a form that isn't sent yet. The device stores every change, so that leaving the page, a reload, a closed dialog or a flat
// battery loses no text. Decision 694. Permit requests are sent while they are typed and have a store of their own (rooms/permits/drafts.ts).
import { useRef, useState } from 'react'
import { fieldsIn } from '../../shared/narrow.ts'
import { subjectNow } from './auth.ts'
import { differences, type Fields, sameField } from './form-changes.ts'
import { storeAll, storeDrop, storePut, storeTidy } from './store.ts'

/** The text of one form, as this device stores it. */
export type KeptForm = {
  who: string
  /** The form and its subject: `step <permit> <step>`. */
  name: string
  /** The fields that were changed. */
  changed: Fields
  /** The values that these fields had before. */
  was: Fields
  at: number
}

declare module './store.ts' {
  interface Drawers {
    forms: KeptForm
  }
}

const KEPT_MS = 30 * 24 * 3_600_000

/** This person's forms. Read once when the app opens, so that a form appears complete and not a moment later. */
const forms = new Map<string, KeptForm>()
const windows = new BroadcastChannel('walkdown.forms')
type Message = { name: string; form: KeptForm | null }

const keyOf = (who: string, name: string): string => `${who} ${name}`

/** Loads what this device has stored of a person's forms. Text that nobody has touched for a month is deleted. */
export async function recallForms(who: string): Promise<void> {
  windows.onmessage = ({ data: { name, form } }: MessageEvent<Message>) => {
    if (form === null) forms.delete(name)
    else if (form.who === subjectNow()) forms.set(name, form)
  }
  await storeTidy('forms', Date.now() - KEPT_MS).catch(() => undefined)
  for (const [, form] of await storeAll('forms').catch(() => [])) if (form.who === who) forms.set(form.name, form)
}

function keep(name: string, form: KeptForm | null): void {
  const who = subjectNow()
  if (who === null || (form === null && !forms.has(name))) return
  if (form === null) forms.delete(name)
  else forms.set(name, form)
  windows.postMessage({ name, form } satisfies Message)
  // On a device that can't store it, the text still outlives a closed dialog.
  void (form === null ? storeDrop('forms', keyOf(who, name)) : storePut('forms', keyOf(who, name), form)).catch(() => undefined)
}

/** A form whose text survives until it is sent. */
export type Form<T> = {
  values: T
  /** When the text was typed that was restored when the form was opened; null if it was opened without any. */
  restored: number | null
  /** True if a restored field has been changed elsewhere in the meantime. */
  outdated: boolean
  change(part: Partial<T>): void
  /** Call this when the text was sent: the device forgets it. */
  sent(): void
  /** Call this when the author doesn't want the text: the form returns to its state before it was typed. */
  discard(): void
  /** Call this when the subject has changed elsewhere: what is typed (by default nothing) counts as changes to its new state. */
  restart(start: T, values?: T): void
}

type Open<T> = { name: string; start: T; values: T; restored: number | null; outdated: boolean }

function opened<T extends object>(name: string, start: T): Open<T> {
  const kept = forms.get(name)
  if (kept === undefined || kept.who !== subjectNow()) return { name, start, values: start, restored: null, outdated: false }
  // What is stored has no field that was or became empty.
  const names = [...new Set([...Object.keys(kept.was), ...Object.keys(kept.changed)])]
  const values: T = { ...start, ...Object.fromEntries(names.map(field => [field, kept.changed[field]])) } // fields of the same form
  const outdated = names.some(field => !sameField(kept.was[field], fieldsIn(start)[field]))
  return { name, start, values, restored: kept.at, outdated }
}

/**
 * Opens a form with the text that was typed into it before. `name` is the form and its subject, unique on this device. Never for passwords, nor for
 * confirmations: those must be given at the time of signing.
 */
export function useKeptForm<T extends object>(name: string, start: T): Form<T> {
  const [open, setOpen] = useState(() => opened(name, start))
  const latest = useRef(open)
  // The same place now shows the form of another subject.
  if (open.name !== name) {
    latest.current = opened(name, start)
    setOpen(latest.current)
  }
  const show = (next: Open<T>) => {
    latest.current = next
    setOpen(next)
  }
  const put = (next: Open<T>) => {
    show(next)
    const { changed, was } = differences(fieldsIn(next.start), fieldsIn(next.values))
    const who = subjectNow() ?? ''
    keep(name, Object.keys(changed).length === 0 ? null : { who, name, changed, was, at: Date.now() })
  }
  return {
    values: latest.current.values,
    restored: latest.current.restored,
    outdated: latest.current.outdated,
    change: part => put({ ...latest.current, values: { ...latest.current.values, ...part } }),
    sent() {
      show({ ...latest.current, restored: null, outdated: false })
      keep(name, null)
    },
    discard() {
      show({ ...latest.current, values: latest.current.start, restored: null, outdated: false })
      keep(name, null)
    },
    restart: (start, values = start) => put({ name, start, values, restored: null, outdated: false }),
  }
}
