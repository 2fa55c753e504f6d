// Rooms plug in when what they have on a site changes, so that the time slider knows where to stop (`site-and-people.md` §17).
import type { Ctx } from '../../base/ctx.ts'
import type { Id } from '../../base/ids.ts'
import type { Condition } from '../predicates/door.ts'
import type { ChangeKind, Changes, WantedChanges } from './domain.ts'

export { countChanges } from './queries.ts'

/** The members of a smart group: its subject, and its condition on the relation `m` of that subject. It is the same at all times. */
export type Selected = { subject: string; condition: Condition }

/** What changes of one kind. */
export type ChangeSource = {
  kind: ChangeKind
  /** The subject whose smart groups select these records; without one, none does. */
  subject?: 'entity' | 'permit'
  /** Waits until what was changed before this request is computed; for what is computed after a change. It can't be done inside the transaction of the read. */
  caughtUp?(ctx: Ctx, site_id: Id): Promise<unknown>
  /** Returns what the caller sees at the start of a period, and what changes in it. What a filter doesn't fit to isn't counted. */
  read(ctx: Ctx, site_id: Id, wanted: WantedChanges, selected?: Selected): Promise<Changes>
}

const plugged = new Map<ChangeKind, ChangeSource>()

/** Registers the sources of all rooms, once, at startup. */
export function plugChanges(sources: readonly ChangeSource[]): void {
  plugged.clear()
  for (const one of sources) {
    if (plugged.has(one.kind)) throw new Error(`Two rooms say when ${one.kind} changes.`)
    plugged.set(one.kind, one)
  }
}

/** Returns the source of a kind. */
export function changeSource(kind: ChangeKind): ChangeSource {
  const found = plugged.get(kind)
  if (found === undefined) throw new Error(`No room says when ${kind} changes.`)
  return found
}
