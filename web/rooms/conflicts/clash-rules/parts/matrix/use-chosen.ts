import { useState } from 'react'
import { ANY } from '../../matrix.ts'

/** The pair of types that is chosen in the grid and edited next to it. */
export type Chosen = { x: string; y: string; choose(x: string, y: string): void }

/** Returns the chosen pair; at first that of the first type with itself. */
export function useChosen(codes: readonly string[]): Chosen {
  const [pair, setPair] = useState<{ x: string; y: string } | null>(null)
  const first = codes[0] ?? ANY
  const { x, y } = pair ?? { x: first, y: first }
  return { x, y, choose: (x, y) => setPair({ x, y }) }
}
