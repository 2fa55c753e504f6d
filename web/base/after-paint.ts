import { startTransition, useEffect, useState } from 'react'

/** Runs `work` once the effect of a tap is visible, and draws the consequences piece by piece. Returns a function that cancels it. */
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

/** Returns the value, once the screen has shown the tap that changed it. */
export function useAfterPaint<T extends string>(value: T): T {
  const [late, setLate] = useState(value)
  useEffect(() => afterPaint(() => setLate(value)), [value])
  return late
}
