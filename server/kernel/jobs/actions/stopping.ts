// How background work learns that its process is about to end, and how it reports that it left work for another process.
import type { House } from '../../../base/ctx.ts'

const stopping = new WeakSet<House>()

/** Asks the background work to stop at its next opportunity, or (`false`) allows it to run again. */
export function askToStop(house: House, stop: boolean): void {
  if (stop) stopping.add(house)
  else stopping.delete(house)
}

/** Returns whether background work should stop at its next opportunity because the process is about to end. */
export const isStopping = (house: House): boolean => house.process.draining || stopping.has(house)

/** Thrown by background work that stopped early: another process takes it immediately, and the attempt doesn't count. */
export class HandedBack extends Error {
  constructor() {
    super('This process is stopping; another process will continue the job.')
    this.name = 'HandedBack'
  }
}
