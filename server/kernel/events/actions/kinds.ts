import type { EventField, EventKind } from '../domain.ts'

const kinds = new Map<string, EventKind>()

/** Registers the event kinds of all rooms, once, at startup. */
export function plugEvents(all: readonly EventKind[]): void {
  kinds.clear()
  for (const one of all) {
    if (kinds.has(one.kind)) throw new Error(`Two rooms have an event ${one.kind}.`)
    kinds.set(one.kind, one)
  }
}

/** Returns the event kind with this name. */
export const eventKind = (kind: string): EventKind | undefined => kinds.get(kind)
/** Returns every event kind. */
export const allEvents = (): EventKind[] => [...kinds.values()]

/** Makes event kinds of one subject that share their payload: `eventsOf('shift', {...}, { created: 'A shift was made' })`. `more` is what else they share. */
export const eventsOf = (
  subject: string,
  payload: Record<string, string | EventField>,
  said: Record<string, string>,
  more: Partial<Omit<EventKind, 'kind' | 'says' | 'payload'>> = {},
): EventKind[] => Object.entries(said).map(([verb, says]) => ({ kind: `${subject}.${verb}`, says, payload, ...more }))
