// What is decided about one or several clashes: who can be left out, what is sent, and which fault belongs to which clash. Pure.
import type { Flag } from '../../../base/fault.ts'
import type { Episode } from './types.ts'

/** What people can decide. */
export type Kind = NonNullable<Episode['stance']>['kind']
/** What is decided, as the form has it. `owner`: a person, or a contractor behind `contractor:`. */
export type Decision = { reason: string; controls: string; owner: string; due_at: string | null }

/** How many clashes can be decided on at once. */
export const MOST = 500
const DAY_MS = 24 * 3_600_000
const CONTRACTOR = 'contractor:'

/** Names a contractor as the one who resolves a clash. */
export const contractorOwner = (id: string): string => `${CONTRACTOR}${id}`

/** Returns who resolves a clash, as it is sent. */
const ownerIn = (owner: string) =>
  owner.startsWith(CONTRACTOR) ? { owner_contractor_id: owner.slice(CONTRACTOR.length) } : { owner_user_id: owner }

/** Returns a decision about an episode as it is sent, with the version that was shown. */
export function itemOf({ id, version }: Pick<Episode, 'id' | 'version'>, kind: Kind, given: Decision) {
  const { reason, controls, owner, due_at } = given
  const more = kind === 'resolving' ? { ...ownerIn(owner), due_at } : kind === 'accepted' && controls !== '' ? { controls } : {}
  return { episode_id: id, episode_version: version, kind, reason, ...more }
}

/** Returns whether someone can decide this about an episode, and why not. */
export const flagFor = ({ permissions }: Pick<Episode, 'permissions'>, kind: Kind): Flag =>
  kind === 'resolving' ? permissions.resolve : permissions.settle

/** Returns until when all of the clashes have to be resolved at the latest: before they start, or within a day if they are there now. */
export function latestDue(episodes: readonly Pick<Episode, 'next_at'>[], now: number): string | null {
  const ends = episodes.map(({ next_at }) => (next_at === null || Date.parse(next_at) <= now ? now + DAY_MS : Date.parse(next_at)))
  return ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString()
}

/** The faults of a decision: of its fields, where they are the same for every clash, and of single clashes. */
export type Faults = { fields: Map<string, string>; items: Map<string, { field: string; message: string }[]> }

/** Sorts the faults that the service found by what they belong to. `ids`: the clashes in the order in which they were sent. */
export function faultsOf(found: ReadonlyMap<string, string>, ids: readonly string[]): Faults {
  const fields = new Map<string, string>()
  const byField = new Map<string, Map<string, string>>()
  for (const [path, message] of found) {
    const [, index, name] = /^items\[(\d+)\]\.(.+)$/.exec(path) ?? []
    const id = ids[Number(index)]
    if (id === undefined || name === undefined) fields.set(path, message)
    else byField.set(name, (byField.get(name) ?? new Map<string, string>()).set(id, message))
  }
  const items: Faults['items'] = new Map()
  for (const [name, messages] of byField) {
    const [first] = messages.values()
    if (first !== undefined && messages.size === ids.length && new Set(messages.values()).size === 1) fields.set(name, first)
    else for (const [id, message] of messages) items.set(id, [...(items.get(id) ?? []), { field: name, message }])
  }
  return { fields, items }
}

/** Returns whether a clash is still to settle. */
export const isToSettle = ({ status, stance }: Pick<Episode, 'status' | 'stance'>): boolean =>
  status === 'open' && (stance === null || stance.kind === 'resolving')

/** What has happened to a clash since it was shown: its facts have changed, or it is no longer in the list. */
export type Moved = 'changed' | 'gone'

/** Returns which clashes are no longer as they were shown. `now` is the list as it is now. */
export function movedSince(seen: readonly Episode[], now: readonly Episode[]): Map<string, Moved> {
  const current = new Map(now.map(one => [one.id, one.version]))
  return new Map(
    seen.flatMap(({ id, version }): [string, Moved][] => {
      const is = current.get(id)
      if (is === version) return []
      return [[id, is === undefined ? 'gone' : 'changed']]
    }),
  )
}

/** Returns the clashes as they are now, without those that are no longer listed. */
export const asNow = (seen: readonly Episode[], now: readonly Episode[]): Episode[] =>
  seen.flatMap(one => now.find(other => other.id === one.id) ?? [])
