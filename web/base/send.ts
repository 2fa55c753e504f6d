import { useState } from 'react'

/** One call of a form: whether it is under way, and what refused it. */
export type Sending = {
  busy: boolean
  fault: unknown
  /** Does the work; true once it is done, false when it was refused, which `fault` then tells. */
  send(work: () => Promise<unknown>): Promise<boolean>
  clear(): void
}

/** For forms of the office, which call the service straight: no second call while one is under way, and its refusal in place. */
export function useSend(): Sending {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  return {
    busy,
    fault,
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
