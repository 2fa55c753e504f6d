// Who sees what of a clash (`conflict-and-planning.md` §0.2, §4.6): members see those with a side of their own contractor, and of a permit that they don't see
// only what keeps them safe.
import type { Reason } from '../../../../../shared/conflicts/clashes.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { contractorScope, oversightOn, ownContractor } from '../../../../kernel/access/door.ts'
import { kindNamed } from '../../../../kernel/records/door.ts'
import type { StoredSide } from '../../kit/domain/stored.ts'
import { permitTitles } from '../queries/titles.ts'

/** Whose clashes someone sees: those of these contractors, where null is what has no contractor; or null for those of all. */
export type Scope = readonly (Id | null)[] | null

/** Returns whose clashes a person of this contractor sees: what has no contractor belongs to the main contractor (`site-and-people.md` §6). */
export async function scopeFor(ctx: Ctx, site_id: Id, contractor_id: Id | null): Promise<readonly (Id | null)[]> {
  const scope = await contractorScope(ctx, site_id, contractor_id)
  const { main_contractor_id: main } = await oversightOn(ctx, site_id)
  return main !== null && scope.has(main) ? [...scope, null] : [...scope]
}

/** Returns whose clashes the caller sees. */
export async function scopeOfCaller(ctx: Ctx): Promise<Scope> {
  const { standing } = ctx.actor
  if (ctx.actor.can('clash_view_any')) return null
  return standing === null ? [] : scopeFor(ctx, standing.site_id, await ownContractor(ctx, standing))
}

/** Returns whether someone who sees the clashes of these contractors sees an episode. */
export const seesBoth = (scope: Scope, { contractor_a, contractor_b }: { contractor_a: Id | null; contractor_b: Id | null }): boolean =>
  scope === null || scope.includes(contractor_a) || scope.includes(contractor_b)

/** Two sides that are shown, with what is between them. */
export type Pair = { a: StoredSide; b: StoredSide }

const permitsAmong = (pairs: readonly Pair[]): Id[] => [
  ...new Set(pairs.flatMap(({ a, b }) => [a, b].flatMap(side => (side.kind === 'permit' ? side.id : [])))),
]

/** Returns which permits among these sides the caller doesn't see. */
export async function unseenPermits(ctx: Ctx, site_id: Id, pairs: readonly Pair[]): Promise<Set<Id>> {
  return new Set(await unseenOf(ctx, site_id, permitsAmong(pairs)))
}

async function unseenOf(ctx: Ctx, site_id: Id, permits: readonly Id[]): Promise<Id[]> {
  const seen = permits.length === 0 ? undefined : await kindNamed('permit')?.sees_many?.(ctx, site_id, permits)
  return permits.filter(id => seen?.get(id) !== true)
}

/** Returns which of these permits the caller doesn’t see. They are only asked for if the caller doesn’t see all permits that can be in a clash. */
export async function unseenAmong(ctx: Ctx, site_id: Id, permits: () => Promise<readonly Id[]>): Promise<Id[]> {
  return (await kindNamed('permit')?.sees_all?.(ctx, site_id)) === true ? [] : unseenOf(ctx, site_id, await permits())
}

/** What is done under the permits among some sides. */
export type Titles = ReadonlyMap<Id, string>

/** Returns what is done under the permits among these sides that the caller sees: people know the work, and rarely a number. */
export const titlesAmong = (ctx: Ctx, site_id: Id, pairs: readonly Pair[], unseen: ReadonlySet<Id>): Promise<Titles> =>
  permitTitles(
    ctx.db,
    site_id,
    permitsAmong(pairs).filter(id => !unseen.has(id)),
  )

/** A filter by what a hidden side doesn’t show. */
type Telling = { contractor_id?: readonly Id[]; building_id?: readonly Id[]; level_index?: readonly number[]; zone_id?: readonly Id[] }

const asksPlace = ({ building_id, level_index, zone_id }: Telling): boolean =>
  [building_id, level_index, zone_id].some(value => value !== undefined)
const tells = (filter: Telling): boolean => filter.contractor_id !== undefined || asksPlace(filter)

const MOST = 10_000
/** How many rows are read for a page: with a filter that could tell of hidden sides, everything that follows, so that the next page doesn’t tell either. */
export const readFor = (filter: Telling, limit: number): number => (tells(filter) ? MOST : limit + 1)

/**
 * Leaves out what a filter by place or contractor could have found through a permit that the caller doesn’t see: someone who tries each value would learn where
 * that permit is, or whose it is (CL-8).
 */
export async function withoutTelling<T extends Pair>(ctx: Ctx, site_id: Id, rows: readonly T[], filter: Telling): Promise<T[]> {
  if (!tells(filter)) return [...rows]
  const unseen = await unseenPermits(ctx, site_id, rows)
  return rows.filter(({ a, b }) => {
    const seen = [a, b].filter(side => !unseen.has(side.id))
    return seen.length === 2 || (!asksPlace(filter) && seen.some(side => filter.contractor_id?.some(id => id === side.contractor_id)))
  })
}

const ROUNDED_M = 5

const HIDDEN = { id: null, label: null, title: null, contractor_id: null, lineage_id: null, basis: null, hidden: true }

/** Returns a side as the caller sees it. */
export const shownSide = (
  { kind, id, label, contractor_id, lineage_id, basis, types }: StoredSide,
  unseen: ReadonlySet<Id>,
  titles: Titles,
) =>
  unseen.has(id)
    ? { ...HIDDEN, kind, types: [...types] }
    : { kind, id, label, title: titles.get(id) ?? null, contractor_id, lineage_id, basis, types: [...types], hidden: false }

/**
 * Returns both sides as the caller sees them. Which of the two came later into the plan decides who gives way, so it is shown of a hidden one too; ids are in the order in which
 * they were made.
 */
export const shownSides = ({ a, b }: Pair, unseen: ReadonlySet<Id>, titles: Titles) => ({
  a: { ...shownSide(a, unseen, titles), planned_later: a.lineage_id > b.lineage_id },
  b: { ...shownSide(b, unseen, titles), planned_later: b.lineage_id > a.lineage_id },
})

/** Returns a distance as the caller sees it: rounded up to 5 m if one of the sides is hidden. */
export const shownDistance = (distance_m: number, hidden: boolean): number =>
  hidden ? Math.ceil(distance_m / ROUNDED_M) * ROUNDED_M : distance_m

/** Returns a reason as the caller sees it. `sentence`: the rule in words, which is the reason if no cell of a matrix decided. */
export const shownReason = ({ severity, distance_m, types, cell, within_m }: Reason, hidden: boolean, sentence: string | null) => ({
  ...{ severity, cell, within_m, sentence: types === null ? sentence : null },
  distance_m: shownDistance(distance_m, hidden),
  types: types === null ? null : [...types],
})
