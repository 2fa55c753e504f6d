// How background work learns that its process is about to end, and how it says that it left something for another process.
import type { House } from '../../../base/ctx.ts'

const stopping = new WeakSet<House>()

/** Tells the background work of a house to stop at its next opportunity, or (`false`) that it may run again. */
export function askToStop(house: House, stop: boolean): void {
  if (stop) stopping.add(house)
  else stopping.delete(house)
}

/** Whether background work should stop at its next opportunity because the process is about to end. */
export const isStopping = (house: House): boolean => house.process.draining || stopping.has(house)

/** Thrown by background work that stopped before its end: another process takes it at once, and the attempt is not counted. */
export class HandedBack extends Error {
  constructor() {
    super('The process is stopping; another one continues.')
    this.name = 'HandedBack'
  }
}
