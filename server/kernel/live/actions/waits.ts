import type { Ctx } from '../../../base/ctx.ts'

/** Counts of what is waiting for the caller, by name. */
export type Waits = Record<string, (ctx: Ctx) => Promise<number>>

const known = new Map<string, Waits[string]>()

/** Registers what can be waiting for a person, once, at startup. */
export function plugWaits(all: readonly [string, Waits[string]][]): void {
  known.clear()
  for (const [name, count] of all) known.set(name, count)
}

/** Returns what is waiting for the caller now. */
export async function waitingFor(ctx: Ctx): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, count] of known) counts[name] = await count(ctx)
  return counts
}
