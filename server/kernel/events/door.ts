/** A kind of event (`messages.md` §0.3, §0.5): a kind that no room registers does not exist. */
export type EventKind = {
  kind: string
  /** One sentence: when it is. */
  says: string
  /** Payload fields beside the envelope, each with what it is. */
  payload: Record<string, string>
  /** Concerns only its maker; no rule may use it. */
  private?: boolean
}

const kinds = new Map<string, EventKind>()

/** Plugs the event kinds of all rooms in, once at start. */
export function plugEvents(all: readonly EventKind[]): void {
  kinds.clear()
  for (const one of all) {
    if (kinds.has(one.kind)) throw new Error(`Two rooms have an event ${one.kind}.`)
    kinds.set(one.kind, one)
  }
}

/** The event kind of this name. */
export const eventKind = (kind: string): EventKind | undefined => kinds.get(kind)
/** Every event kind there is. */
export const allEvents = (): EventKind[] => [...kinds.values()]

/** Kinds of one subject that share their payload: `events('shift', {...}, { created: 'A shift was made' })`. */
export const eventsOf = (subject: string, payload: Record<string, string>, said: Record<string, string>): EventKind[] =>
  Object.entries(said).map(([verb, says]) => ({ kind: `${subject}.${verb}`, says, payload }))
