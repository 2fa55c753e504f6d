import { isOneOf } from '../../../../../shared/narrow.ts'
import { SIDE_KINDS, type SideKind } from '../../../../../shared/predicates/entity.ts'
import { DAY, dateOn, type Instant, later, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, isId } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { caughtUp, marksBehind } from '../../../../kernel/events/door.ts'
import { kindNamed } from '../../../../kernel/records/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { siteConflicts } from '../../comparisons/door.ts'
import { type ClashEpisodeRow, episodesOf, unresolvedOf } from '../queries/episodes.ts'
import { clashesOf, permitNumbers, strangeSides } from '../queries/list.ts'
import { siteState } from '../queries/store.ts'
import type { AtTimeFilter, ClashFilter, EpisodesFilter, UnresolvedFilter } from '../schema.ts'
import { HORIZON } from './compute.ts'
import { FOLLOWER } from './follow.ts'
import { readFor, scopeOfCaller, withoutTelling } from './seeing.ts'
import { shownClashes, shownEpisodes } from './show.ts'

const MOST_DAYS = 92
const USUAL_DAYS = 7
const USUAL_HORIZON_DAYS = 14

/** Waits, at most two seconds, until what was changed before this request is computed. Returns the header that says what isn’t. */
export async function upToDate(ctx: Ctx, site_id: Id): Promise<Record<string, string>> {
  if (await caughtUp(ctx.house, [site_id], FOLLOWER)) return {}
  const marks = await marksBehind(ctx.db, site_id, FOLLOWER)
  return marks === 0 ? {} : { 'x-clash-pending': String(marks) }
}

/** Reads the period of a query; `usual`: its length if no end is given, and it starts now if no start is given. */
function periodIn({ from, to }: { from?: Instant; to?: Instant }, now: Instant, usual: number): { from: Instant; to: Instant } {
  const start = from ?? (to === undefined || to > now ? now : later(to, -usual * DAY))
  const end = to ?? later(start, usual * DAY)
  if (end <= start) refuse(invalidField('to', 'must be later than from.'))
  if (ms(end) - ms(start) > MOST_DAYS * DAY)
    refuse(invalidField('to', `is more than ${MOST_DAYS} days after from. Ask for several periods.`))
  return { from: start, to: end }
}

/** Reads sides, `worker:<id>`. Refuses a kind that doesn't exist (422), and a side of another site (404). */
async function sidesIn(ctx: Ctx, site_id: Id, given: readonly string[] | undefined): Promise<Id[] | undefined> {
  if (given === undefined) return undefined
  const sides = given.map((text): { kind: SideKind; id: Id } => {
    const [kind = '', id = ''] = text.split(':')
    return isOneOf(SIDE_KINDS, kind) && isId(id)
      ? { kind, id }
      : refuse(
          invalidField(
            'side',
            `must be a kind and an id, such as worker:01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e. Kinds: ${SIDE_KINDS.join(', ')}.`,
          ),
        )
  })
  if (await strangeSides(ctx.db, site_id, sides)) refuse(notFound())
  // A permit that the caller doesn't see doesn't exist for them.
  const permits = sides.flatMap(({ kind, id }) => (kind === 'permit' ? id : []))
  const seen = permits.length === 0 ? null : await kindNamed('permit')?.sees_many?.(ctx, site_id, permits)
  if (permits.some(id => seen?.get(id) !== true)) refuse(notFound())
  return sides.map(side => side.id)
}

/** Lists clashes of a period. */
export async function listClashes(ctx: Ctx, query: ClashFilter) {
  const { site_id, limit = PAGE, cursor, side, from, to, ...rest } = query
  const period = periodIn({ from, to }, ctx.now, USUAL_DAYS)
  const sides = await sidesIn(ctx, site_id, side)
  const filter = { ...rest, ...period, ...(sides === undefined ? {} : { sides }), now: ctx.now, scope: await scopeOfCaller(ctx) }
  const found = await clashesOf(ctx.db, site_id, filter, { limit: readFor(query, limit), after: readCursor(cursor, 3) })
  const { rows, next } = cut(await withoutTelling(ctx, site_id, found, query), limit, row => [
    row.from_at,
    row.severity === 'red' ? 0 : 1,
    row.id,
  ])
  return { rows: await shownClashes(ctx, site_id, rows), next }
}

/** Lists the clashes that are there at an instant: in the past as they were recorded, in the future as it is planned. */
export async function listAtTime(ctx: Ctx, query: AtTimeFilter) {
  const { site_id, at, side, ...rest } = query
  const horizon = (await siteState(ctx.db, site_id))?.horizon_to ?? later(ctx.now, HORIZON)
  if (at > horizon) refuse(invalidField('at', `is further ahead than clashes are known. They are known until ${horizon}.`))
  const sides = await sidesIn(ctx, site_id, side)
  const filter = { ...rest, at, ...(sides === undefined ? {} : { sides }), now: ctx.now, scope: await scopeOfCaller(ctx) }
  return shownClashes(ctx, site_id, await withoutTelling(ctx, site_id, await clashesOf(ctx.db, site_id, filter, null), query))
}

/** Lists episodes. */
export async function listEpisodes(ctx: Ctx, query: EpisodesFilter) {
  const { site_id, limit = PAGE, cursor, side, include = [], ...rest } = query
  if (rest.from !== undefined && rest.to !== undefined) periodIn(rest, ctx.now, USUAL_DAYS)
  const sides = await sidesIn(ctx, site_id, side)
  const filter = { ...rest, ...(sides === undefined ? {} : { sides }) }
  const scope = await scopeOfCaller(ctx)
  const blocker_scope = ctx.actor.can('blocker_view_any') ? null : [...(await myScope(ctx))]
  const page = { limit: readFor(query, limit), after: readCursor(cursor, 2) }
  const found = await episodesOf(ctx.db, site_id, { ...filter, scope, blocker_scope }, page)
  const { rows, next } = cut(await withoutTelling(ctx, site_id, found, query), limit, row => [row.opened_at, row.id])
  return { rows: await shownEpisodes(ctx, site_id, rows, include), next }
}

async function unresolvedIn(ctx: Ctx, { site_id, horizon_days = USUAL_HORIZON_DAYS, ...rest }: UnresolvedFilter) {
  const until = later(ctx.now, horizon_days * DAY)
  const rows = await unresolvedOf(ctx.db, site_id, { ...rest, until, scope: await scopeOfCaller(ctx) })
  return withoutTelling(ctx, site_id, rows, rest)
}

/** Lists what has to be settled. */
export const listUnresolved = async (ctx: Ctx, query: UnresolvedFilter) => shownEpisodes(ctx, query.site_id, await unresolvedIn(ctx, query))

/** Counts by a key, red and amber. */
function countedBy<K, Row extends Pick<ClashEpisodeRow, 'severity'>>(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly K[],
): { key: K; red: number; amber: number }[] {
  const counts = new Map<K, { red: number; amber: number }>()
  for (const row of rows)
    for (const key of keysOf(row)) {
      const count = counts.get(key) ?? { red: 0, amber: 0 }
      count[row.severity] += 1
      counts.set(key, count)
    }
  return [...counts].map(([key, count]) => ({ key, ...count }))
}

/** Sums up what has to be settled: the sums are those of the list. */
export async function summarize(ctx: Ctx, query: UnresolvedFilter) {
  const { site_id } = query
  const rows = await unresolvedIn(ctx, query)
  const { timezone } = await siteOf(ctx, site_id)
  const shown = await shownEpisodes(ctx, site_id, rows)
  const names = new Map(rows.map(row => [row.rule_id, row.rule_name]))
  // As the sides are shown: a permit that the caller doesn't see has no contractor.
  const contractors = ({ a, b }: (typeof shown)[number]) => [...new Set([a.contractor_id, b.contractor_id])].flatMap(id => id ?? [])
  const dayOf = ({ next_at }: ClashEpisodeRow) => dateOn(timezone, next_at === null || next_at < ctx.now ? ctx.now : next_at)
  return {
    red: rows.filter(row => row.severity === 'red').length,
    amber: rows.filter(row => row.severity === 'amber').length,
    in_hand: shown.filter(row => row.in_hand).length,
    overdue: shown.filter(row => row.overdue).length,
    current: rows.filter(row => row.next_at !== null && row.next_at <= ctx.now).length,
    by_rule: countedBy(rows, row => [row.rule_id]).map(({ key, ...count }) => ({
      rule_id: key,
      rule_name: names.get(key) ?? '',
      ...count,
    })),
    by_contractor: countedBy(shown, contractors).map(({ key, ...count }) => ({ contractor_id: key, ...count })),
    by_day: countedBy(rows, row => [dayOf(row)])
      .map(({ key, ...count }) => ({ date: key, ...count }))
      .sort((a, b) => (a.date < b.date ? -1 : 1)),
    oldest_opened_at: rows.reduce<Instant | null>(
      (oldest, row) => (oldest === null || row.opened_at < oldest ? row.opened_at : oldest),
      null,
    ),
    unplaced_permits: await unplacedPermits(ctx, site_id),
  }
}

const MOST_UNPLACED = 500

/** Lists the permits that count and have no place, so that nothing can be said about their conflicts. */
async function unplacedPermits(ctx: Ctx, site_id: Id) {
  const conflicts = await siteConflicts(ctx, site_id)
  const unplaced = conflicts.ids.filter(id => conflicts.of(id)?.placed === false)
  const seen = unplaced.length === 0 ? null : await kindNamed('permit')?.sees_many?.(ctx, site_id, unplaced)
  const shown = unplaced.filter(id => seen?.get(id) === true).slice(0, MOST_UNPLACED)
  const numbers = await permitNumbers(ctx.db, site_id, shown)
  return shown.map(id => ({ permit_id: id, permit_number: numbers.get(id) ?? null }))
}
