import { startTransition, useEffect, useState } from 'react'

/** Does this once what a finger did is to be seen, and draws what follows from it piece by piece; answers how to leave it. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(() => startTransition(work), 0)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** The value, once the screen has answered the finger that changed it. */
export function useAfterPaint<T extends string>(value: T): T {
  const [late, setLate] = useState(value)
  useEffect(() => afterPaint(() => setLate(value)), [value])
  return late
}
