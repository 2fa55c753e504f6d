import { isOneOf } from '../../../../../shared/narrow.ts'
import { SIDE_KINDS, type SideKind } from '../../../../../shared/predicates/entity.ts'
import { DAY, type Instant, isLonger, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, isId } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { kindNamed } from '../../../../kernel/records/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { unplacedPermits } from '../../comparisons/door.ts'
import { upToDate } from '../../kit/actions/caught-up.ts'
import { episodesOf } from '../queries/episodes.ts'
import { clashesOf, strangeSides } from '../queries/list.ts'
import { siteState } from '../queries/store.ts'
import { permitTitles } from '../queries/titles.ts'
import { CURSOR_LENGTH, cursorOf, permitsToSettle, sumsToSettle, unresolvedOf } from '../queries/unresolved.ts'
import type { AtTimeFilter, ClashFilter, EpisodesFilter, UnresolvedFilter, UnresolvedList } from '../schema.ts'
import { HORIZON } from './compute.ts'
import { readFor, scopeOfCaller, unseenAmong, withoutTelling } from './seeing.ts'
import { shownClashes, shownEpisodes } from './show.ts'

const MOST_DAYS = 92
const USUAL_DAYS = 7
const USUAL_HORIZON_DAYS = 14

/** Reads the period of a query; without an end it has the usual length, and without a start it starts now. */
async function periodIn(ctx: Ctx, site_id: Id, { from, to }: { from?: Instant; to?: Instant }): Promise<{ from: Instant; to: Instant }> {
  const start = from ?? (to === undefined || to > ctx.now ? ctx.now : later(to, -USUAL_DAYS * DAY))
  const end = to ?? later(start, USUAL_DAYS * DAY)
  if (end <= start) refuse(invalidField('to', 'must be later than from.'))
  if (isLonger((await siteOf(ctx, site_id)).timezone, start, end, MOST_DAYS))
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
  const period = await periodIn(ctx, site_id, { from, to })
  const sides = await sidesIn(ctx, site_id, side)
  const filter = { ...rest, ...period, ...(sides === undefined ? {} : { sides }), now: ctx.now, scope: await scopeOfCaller(ctx) }
  const after = readCursor(cursor, 3)
  // Not before everything that can be refused: while it waits, it may compute what others have changed.
  const headers = await upToDate(ctx, site_id)
  const found = await clashesOf(ctx.db, site_id, filter, { limit: readFor(query, limit), after })
  const { rows, next } = cut(await withoutTelling(ctx, site_id, found, query), limit, row => [
    row.from_at,
    row.severity === 'red' ? 0 : 1,
    row.id,
  ])
  return { rows: await shownClashes(ctx, site_id, rows), next, headers }
}

/** Lists the clashes that are there at an instant: in the past as they were recorded, in the future as it is planned. */
export async function listAtTime(ctx: Ctx, query: AtTimeFilter) {
  const { site_id, at, side, ...rest } = query
  const horizon = (await siteState(ctx.db, site_id))?.horizon_to ?? later(ctx.now, HORIZON)
  if (at > horizon) refuse(invalidField('at', `is further ahead than clashes are known. They are known until ${horizon}.`))
  const sides = await sidesIn(ctx, site_id, side)
  const filter = { ...rest, at, ...(sides === undefined ? {} : { sides }), now: ctx.now, scope: await scopeOfCaller(ctx) }
  const headers = await upToDate(ctx, site_id)
  const found = await withoutTelling(ctx, site_id, await clashesOf(ctx.db, site_id, filter, null), query)
  return { rows: await shownClashes(ctx, site_id, found), headers }
}

/** Lists episodes. */
export async function listEpisodes(ctx: Ctx, query: EpisodesFilter) {
  const { site_id, limit = PAGE, cursor, side, include = [], ...rest } = query
  if (rest.from !== undefined && rest.to !== undefined) await periodIn(ctx, site_id, rest)
  const sides = await sidesIn(ctx, site_id, side)
  const filter = { ...rest, ...(sides === undefined ? {} : { sides }) }
  const scope = await scopeOfCaller(ctx)
  const blocker_scope = ctx.actor.can('blocker_view_any') ? null : [...(await myScope(ctx))]
  const page = { limit: readFor(query, limit), after: readCursor(cursor, 2) }
  const headers = await upToDate(ctx, site_id)
  const found = await episodesOf(ctx.db, site_id, { ...filter, scope, blocker_scope }, page)
  const { rows, next } = cut(await withoutTelling(ctx, site_id, found, query), limit, row => [row.opened_at, row.id])
  return { rows: await shownEpisodes(ctx, site_id, rows, include), next, headers }
}

/** Rows of the list to settle without `limit`: like lists of permits, all of them (conventions §1, Lists). */
const WHOLE = 5000

const toSettle = async (ctx: Ctx, { horizon_days = USUAL_HORIZON_DAYS, ...filter }: UnresolvedFilter) => ({
  ...{ until: later(ctx.now, horizon_days * DAY), id: filter.id, severity: filter.severity, rule_id: filter.rule_id },
  contractor_id: filter.contractor_id,
  scope: await scopeOfCaller(ctx),
})

/** Lists what has to be settled. `total` is null where only counting everything would tell. */
export async function listUnresolved(ctx: Ctx, query: UnresolvedList) {
  const { site_id, limit = WHOLE, cursor, contractor_id } = query
  const after = readCursor(cursor, CURSOR_LENGTH)
  const headers = await upToDate(ctx, site_id)
  const found = await unresolvedOf(ctx.db, site_id, await toSettle(ctx, query), { limit: readFor(query, limit) - 1, after })
  const told = await withoutTelling(ctx, site_id, found.rows, query)
  const { rows, next } = cut(told, limit, cursorOf)
  const total = contractor_id === undefined ? found.total : after === null ? told.length : null
  return { rows: await shownEpisodes(ctx, site_id, rows), next, total, headers }
}

/** Sums up what has to be settled: the sums are those of the list. */
export async function summarize(ctx: Ctx, query: UnresolvedFilter) {
  const { site_id } = query
  const filter = await toSettle(ctx, query)
  const [{ timezone }, unseen] = await Promise.all([
    siteOf(ctx, site_id),
    unseenAmong(ctx, site_id, () => permitsToSettle(ctx.db, site_id, filter)),
  ])
  const [sums, unplaced] = await Promise.all([
    sumsToSettle(ctx.db, site_id, filter, { unseen, now: ctx.now, timezone }),
    shownUnplaced(ctx, site_id),
  ])
  return { ...sums, unplaced_permits: unplaced }
}

const MOST_UNPLACED = 500

/** Lists the permits that count and have no place, so that nothing can be said about their conflicts. */
async function shownUnplaced(ctx: Ctx, site_id: Id) {
  const unplaced = await unplacedPermits(ctx, site_id)
  const hidden = new Set(await unseenAmong(ctx, site_id, async () => unplaced.map(one => one.permit_id)))
  const seen = unplaced.filter(one => !hidden.has(one.permit_id)).slice(0, MOST_UNPLACED)
  const titles = await permitTitles(
    ctx.db,
    site_id,
    seen.map(one => one.permit_id),
  )
  return seen.map(one => ({ ...one, title: titles.get(one.permit_id) ?? null }))
}
