// One open draft: stored on the device with every change, and sent to the service after each pause.
import { useEffect, useRef, useState } from 'react'
import type { Fault } from '../../../base/fault.ts'
import { lineNow, onLine } from '../../../base/line.ts'
import { changeDraft, editDraft, type Fields, freshName, isUnsent, type KeptDraft, leftOf, sendDraft } from './drafts.ts'
import type { Permit } from './steps.ts'

export type { Fields } from './drafts.ts'

/** Where a draft is: being typed, saved on this device, saved by the service, or refused; `unkept` if this device can't store it. */
export type Saved = { state: 'fresh' | 'typing' | 'here' | 'service' | 'refused' | 'unkept'; at: number | null; fault: Fault | null }

const PAUSE_MS = 900
const AGAIN_MS = 15_000

/** The fields of a permit that is being written. */
export const fieldsOf = (permit: Permit): Fields => ({
  categories: permit.categories,
  contractor_id: permit.contractor_id,
  receiver_id: permit.receiver_id,
  parent_id: permit.parent_id,
  title: permit.title,
  description: permit.description,
  controls: permit.controls,
  location: permit.location,
  place: permit.place,
  start_at: permit.start_at,
  end_at: permit.end_at,
  hazards: permit.hazards,
  ppe: permit.ppe,
  limitations: permit.limitations,
  pre_checks: permit.pre_checks.map(({ code, answer, comment }) => ({ code, answer, comment })),
})

/** What a draft is opened with. */
export type Opening = {
  site_id: string
  /** The permit, if the service has it. */
  given?: Permit | undefined
  /** The draft stored on this device. */
  kept?: KeptDraft | undefined
  /** The initial values of a new draft. */
  start: Fields
  /** Called with the name under which the draft can be found again, and whenever it changes. */
  onName(name: string): void
}

function opened({ given, kept, start }: Opening): Fields {
  if (given === undefined) return kept?.fields ?? start
  // Text that was typed here and has not reached the service is newer than the service's version.
  return { ...fieldsOf(given), ...kept?.unsent }
}

/** A draft: its fields, how to change them, and where it is. */
export function useDraft(opening: Opening) {
  const { site_id, given, kept, onName } = opening
  const [permit, setPermit] = useState<Permit | undefined>(given)
  const [fields, setFields] = useState<Fields>(() => opened(opening))
  const [saved, setSaved] = useState<Saved>({ state: kept !== undefined && isUnsent(kept) ? 'here' : 'fresh', at: null, fault: null })
  const [name] = useState(() => kept?.name ?? given?.id ?? freshName())
  const latest = useRef(fields)
  const known = useRef(given)
  const named = useRef(kept !== undefined || given !== undefined)
  const keeping = useRef<Promise<boolean>>(Promise.resolve(true))
  /** Changes that the device hasn't stored: the next change is stored with them, and nothing is submitted without them. */
  const unkept = useRef<Fields>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = useRef(true)
  const show = (next: Saved) => {
    if (shown.current) setSaved(next)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the draft is opened.
  useEffect(() => {
    shown.current = true
    const leave = editDraft(name)
    const unhear = onLine(() => {
      if (lineNow().up) void send()
    })
    if (kept !== undefined && isUnsent(kept)) void send()
    return () => {
      shown.current = false
      clearTimeout(timer.current)
      unhear()
      leave()
    }
  }, [])

  /** Sends the unsent fields. Returns the permit once the service has all of them; null while it hasn't. */
  async function send(): Promise<Permit | null> {
    clearTimeout(timer.current)
    await keeping.current
    if (Object.keys(unkept.current).length > 0) return null
    const { permit: taken, draft, fault } = await sendDraft(name)
    if (taken !== null) took(taken, draft?.unsent ?? {})
    const rest = draft !== undefined && isUnsent(draft)
    if (!rest) {
      if (taken !== null) show({ state: 'service', at: Date.now(), fault: null })
      return known.current ?? null
    }
    if (taken !== null) return send()
    show({ state: fault === null ? 'here' : 'refused', at: Date.now(), fault })
    if (fault === null && shown.current) timer.current = setTimeout(() => void send(), AGAIN_MS)
    return null
  }

  /** The service has another version of the draft: fields that were not edited here are updated from it. */
  function took(taken: Permit, unsent: Fields) {
    const first = known.current === undefined
    known.current = taken
    const { contractor_id, end_at } = fieldsOf(taken)
    const was = latest.current
    latest.current = {
      ...was,
      contractor_id: was.contractor_id === undefined ? contractor_id : was.contractor_id,
      end_at: was.end_at ?? end_at,
      ...unsent,
    }
    if (!shown.current) return
    setFields(latest.current)
    setPermit(taken)
    if (first) onName(taken.id)
  }

  return {
    permit,
    fields,
    saved,
    change(next: Fields) {
      latest.current = { ...latest.current, ...next }
      setFields(latest.current)
      show({ ...saved, state: 'typing', fault: null })
      const changed = { ...unkept.current, ...next }
      unkept.current = changed
      keeping.current = changeDraft({ name, site_id, id: known.current?.id ?? kept?.id ?? null, fields: latest.current }, changed).then(
        () => {
          unkept.current = leftOf(unkept.current, changed)
          return true
        },
        () => {
          show({ state: 'unkept', at: null, fault: null })
          return false
        },
      )
      if (!named.current) onName(name)
      named.current = true
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void send(), PAUSE_MS)
    },
    send,
  }
}
