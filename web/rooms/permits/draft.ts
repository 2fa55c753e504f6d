// A draft while it is written: on the device at once, with the service as soon as there is a line. Nothing that was typed is lost.
import { useEffect, useRef, useState } from 'react'
import { ask, client, type Schemas } from '../../base/api.ts'
import { asFault, type Fault } from '../../base/fault.ts'
import { queries } from '../../base/query.ts'
import { storeDrop, storeGet, storePut } from '../../base/store.ts'
import { permitsMoved } from './data.ts'
import type { Permit } from './steps.ts'

/** What a draft holds: the fields of the API. */
export type Fields = Omit<Schemas['NewPermit'], 'site_id' | 'rams_document_ids'>

/** Where a draft is: being typed, on this device, with the service, or refused. */
export type Saved = { state: 'fresh' | 'typing' | 'here' | 'service' | 'refused'; at: number | null; fault: Fault | null }

/** Kept on the device for each draft; `id` null: the service has not heard of it yet. */
type Kept = { key: string; id: string | null; site_id: string; fields: Fields; unsent: Fields }

const PAUSE_MS = 900
const AGAIN_MS = 15_000

/** The fields of a permit that is still written. */
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

/** A draft: its fields, how to change them, and where it is. `given` is one that the service has. */
export function useDraft(site_id: string, given: Permit | undefined, start: Fields) {
  const [permit, setPermit] = useState<Permit | undefined>(given)
  const [fields, setFields] = useState<Fields>(() => (given === undefined ? start : fieldsOf(given)))
  const [saved, setSaved] = useState<Saved>({ state: 'fresh', at: null, fault: null })
  const key = useRef(given?.id ?? `new ${site_id}`)
  const first = useRef<string>(crypto.randomUUID())
  const unsent = useRef<Fields>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sending = useRef<Promise<Permit | null> | null>(null)
  const latest = useRef(fields)
  latest.current = fields
  const known = useRef(permit)
  known.current = permit

  const keep = () =>
    storePut('drafts', key.current, {
      key: first.current,
      id: known.current?.id ?? null,
      site_id,
      fields: latest.current,
      unsent: unsent.current,
    } satisfies Kept)

  // What was typed here and never reached the service is laid out again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the draft is opened.
  useEffect(() => {
    void storeGet<Kept>('drafts', key.current).then(kept => {
      if (kept === undefined || Object.keys(kept.unsent).length === 0) return
      first.current = kept.key
      unsent.current = kept.unsent
      setFields(now => ({ ...now, ...kept.fields }))
      setSaved({ state: 'here', at: null, fault: null })
      void send()
    })
    return () => clearTimeout(timer.current)
  }, [])

  async function sendNow(): Promise<Permit | null> {
    const change = unsent.current
    if (Object.keys(change).length === 0 && known.current !== undefined) return known.current
    unsent.current = {}
    try {
      const next =
        known.current === undefined
          ? await ask(
              client.POST('/permits/applications', { body: { ...latest.current, site_id }, headers: { 'Idempotency-Key': first.current } }),
            )
          : await ask(
              client.PATCH('/permits/applications/{permit_id}', { params: { path: { permit_id: known.current.id } }, body: change }),
            )
      const fresh = known.current === undefined
      known.current = next
      setPermit(next)
      queries.setQueryData(['permit', next.id], next)
      if (fresh) {
        await storeDrop('drafts', key.current)
        key.current = next.id
      }
      // Types bring their checks, a person his firm: what nobody has touched yet is shown as the service has it.
      const { pre_checks, contractor_id } = fieldsOf(next)
      setFields(now => ({ contractor_id, ...now, pre_checks, ...unsent.current }))
      setSaved({ state: Object.keys(unsent.current).length === 0 ? 'service' : 'typing', at: Date.now(), fault: null })
      if (Object.keys(unsent.current).length === 0) await storeDrop('drafts', key.current)
      void permitsMoved(next.id, false)
      return next
    } catch (error) {
      unsent.current = { ...change, ...unsent.current }
      const fault = asFault(error)
      await keep()
      setSaved({ state: fault.unreached ? 'here' : 'refused', at: Date.now(), fault: fault.unreached ? null : fault })
      if (fault.unreached) timer.current = setTimeout(() => void send(), AGAIN_MS)
      return null
    }
  }

  /** Sends what is unsent; one at a time, in order. Answers the draft as the service has it, null while it cannot. */
  async function send(): Promise<Permit | null> {
    clearTimeout(timer.current)
    while (sending.current !== null) await sending.current
    sending.current = sendNow()
    try {
      return await sending.current
    } finally {
      sending.current = null
    }
  }

  return {
    permit,
    fields,
    saved,
    change(next: Fields) {
      unsent.current = { ...unsent.current, ...next }
      latest.current = { ...latest.current, ...next }
      setFields(latest.current)
      setSaved(before => ({ ...before, state: 'typing', fault: null }))
      void keep()
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void send(), PAUSE_MS)
    },
    send,
  }
}
