// Permits as they were at an instant, for the map's time slider (`permits-decisions.md` §4.4), and when they change (`site-and-people.md` §17).
import { fieldsIn, mapValues } from '../../../../../shared/narrow.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { explain, invalidField, refuse, wrongStep } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { cut, readCursor } from '../../../../base/paging.ts'
import type { ChangeSource } from '../../../../kernel/changes/door.ts'
import { siteFacts } from '../../kit/actions/facts.ts'
import { permitChanges, type Replay, type StateThen, seesThen } from '../domain.ts'
import { type CardFound, cardPage } from '../queries/pages.ts'
import { statesDuring } from '../queries/replay.ts'
import { permitIds } from '../queries/subject.ts'
import type { CardFilter } from '../schema/filters.ts'
import { cards } from './cards.ts'
import { filterOf, listerOn, type Page, WHOLE } from './lists.ts'

type Then = { id: Id; state: StateThen }

/** The latest start first, those without a window before all others, then by id: the order of every list. */
const inOrder = (a: Then, b: Then): number => {
  const [one, other] = [a.state.start_at ?? '~', b.state.start_at ?? '~']
  return one === other ? (a.id < b.id ? 1 : -1) : one < other ? 1 : -1
}

const isIn = ({ state }: Then, { status, from, to, awaiting_countersign }: Omit<CardFilter, 'at'>): boolean =>
  (status === undefined || status.includes(state.status)) &&
  (from === undefined || state.end_at === null || state.end_at > from) &&
  (to === undefined || state.start_at === null || state.start_at < to) &&
  (awaiting_countersign === undefined || state.awaiting_countersign === awaiting_countersign)

/** Returns an instant if it had come by then. */
const by = (at: Instant, instant: Instant | null): Instant | null => (instant !== null && instant <= at ? instant : null)

/** Returns the states of permits at an instant that the caller could see then. */
const statesAt = (found: readonly Replay[], at: Instant, me: Id | null): Then[] =>
  found.flatMap(replay =>
    replay.states.filter(state => state.since <= at && seesThen(replay, state, me)).map(state => ({ id: replay.id, state })),
  )

/** Returns how some permits were at an instant; those that didn’t exist then are left out. */
export async function permitsThen(ctx: Ctx, site_id: Id, at: Instant, ids: readonly Id[]): Promise<ReadonlyMap<Id, StateThen>> {
  const viewer = await listerOn(ctx, site_id)
  const found = await statesDuring(ctx.db, site_id, viewer, { ids }, { from: at, to: at, current: false })
  return new Map(statesAt(found, at, viewer.id).map(({ id, state }) => [id, state]))
}

/** Lists permits as they were at an instant: status, window and signatures are those of then, by the event log; what else a permit says is as it is now. */
export async function listThen(ctx: Ctx, at: Instant, { reasons = true, ...filter }: CardFilter): Promise<Page> {
  for (const name of ['soon', 'handed_back', 'stopped', 'updated_since'] as const)
    if (filter[name] !== undefined) refuse(invalidField(name, 'can’t be sent together with at.'))
  const { site_id, status: _status, from: _from, to: _to, awaiting_countersign: _awaiting, ...lasting } = filter
  const [viewer, { close_out_gate_enabled }] = await Promise.all([listerOn(ctx, site_id), siteFacts(ctx, site_id)])
  const found = await statesDuring(ctx.db, site_id, viewer, await filterOf(ctx, { ...lasting, site_id }), {
    from: at,
    to: at,
    current: false,
  })
  const all = statesAt(found, at, viewer.id)
    .filter(one => isIn(one, filter))
    .sort(inOrder)
  const limit = filter.limit ?? WHOLE
  const after = readCursor(filter.cursor, 2)
  const rest =
    after === null
      ? all
      : all.filter(
          one => inOrder(one, { id: String(after[1]), state: { ...one.state, start_at: after[0] === null ? null : String(after[0]) } }) > 0,
        )
  const { rows, next } = cut(rest.slice(0, limit + 1), limit, ({ id, state }) => [state.start_at, id])
  const ids = rows.map(({ id }) => id)
  const { rows: read } = await cardPage(
    ctx.db,
    site_id,
    viewer,
    { ids },
    { limit: Math.max(1, ids.length), after: null },
    close_out_gate_enabled,
  )
  const then = new Map(rows.map(({ id, state }) => [id, state]))
  const past = read.flatMap(row => {
    const state = then.get(row.id)
    return state === undefined ? [] : [asThen(row, state, at)]
  })
  const shown = new Map((await cards({ ...ctx, now: at }, site_id, past, false)).map(card => [card.id, card]))
  return { rows: ids.flatMap(id => shownThen(shown.get(id), reasons)), next, total: all.length }
}

/** Returns a permit as it was. */
const asThen = (row: CardFound, { since, status, start_at, end_at, awaiting_countersign }: StateThen, at: Instant): CardFound => ({
  ...row,
  ...{ status, start_at, end_at },
  // The permit doesn't keep a signature that a failed walk-down voided.
  issue_signed_at: awaiting_countersign
    ? (by(at, row.issue_signed_at) ?? since)
    : status === 'approved'
      ? null
      : by(at, row.issue_signed_at),
  submitted_at: by(at, row.submitted_at),
  approved_at: by(at, row.approved_at),
  issued_at: by(at, row.issued_at),
  closed_at: by(at, row.closed_at),
  handed_back_at: status === 'issued' || status === 'expired' ? by(at, row.handed_back_at) : null,
})

const { because } = explain([
  wrongStep('', [], 'This is how the permit was at the time that you asked for. Open it to see what you can do now.'),
])

/** Returns a card of the past, on which nothing can be done. */
function shownThen(card: Record<string, unknown> | undefined, reasons: boolean): Record<string, unknown>[] {
  if (card === undefined) return []
  const flags = fieldsIn(card.permissions)
  const permissions = mapValues(flags, flag => (typeof flag === 'boolean' ? false : { allowed: false, because: reasons ? because : [] }))
  return [{ ...card, permissions }]
}

/** When the permits that the caller sees change. */
export const permitChangeSource: ChangeSource = {
  kind: 'permit',
  subject: 'permit',
  async read(ctx, site_id, { from, to, by: { bbox: _as_text, ...by }, box: bbox }, selected) {
    const viewer = await listerOn(ctx, site_id)
    const ids = selected === undefined ? undefined : await permitIds(ctx.db, site_id, viewer, selected.condition)
    const filter = { ...by, ids, bbox }
    return permitChanges(await statesDuring(ctx.db, site_id, viewer, filter, { from, to, current: true }), from, to, viewer.id)
  },
}
