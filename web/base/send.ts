import { useState } from 'react'
import { useBusy } from './busy.ts'
import { serviceBusy } from './fault.ts'

/** The state of a form's call: whether it is pending, and its refusal. */
export type Sending = {
  busy: boolean
  /** The refusal; or, while the call is repeated for a service that is too busy, a message that says so. */
  fault: unknown
  /** Does the work. Returns true once it is done, and false when it was refused; `fault` then has the refusal. */
  send(work: () => Promise<unknown>): Promise<boolean>
  clear(): void
}

/** For office forms, which call the service directly: no second call while one is pending, and its refusal shown in place. */
export function useSend(): Sending {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const waiting = useBusy() && busy
  return {
    busy,
    fault: waiting ? serviceBusy() : fault,
    clear: () => setFault(null),
    async send(work) {
      if (busy) return false
      setBusy(true)
      setFault(null)
      try {
        await work()
        return true
      } catch (error) {
        setFault(error)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
