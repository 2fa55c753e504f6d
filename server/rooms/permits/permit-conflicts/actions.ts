import type { Side } from '../../../../shared/conflicts/sides.ts'
import { cleanWindows } from '../../../../shared/conflicts/windows.ts'
import { DAY, ms } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { type FieldFault, invalid, notFound, refuse } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { isWorkingDay } from '../../../kernel/site/domain.ts'
import { calendarOf } from '../../../kernel/site/door.ts'
import {
  comparedWith,
  comparesPermits,
  conflictCounts,
  conflictsIn,
  freshConflicts,
  permitSideRows,
  type Subject,
} from '../../conflicts/comparisons/door.ts'
import { othersIn } from '../kit/actions/conflicts.ts'
import { seesAmong, viewerOn } from '../kit/actions/facts.ts'
import { addedTo, shownConflicts } from '../kit/domain/conflicts.ts'
import { counterparts } from '../kit/queries/counterparts.ts'
import { visibleTo } from '../kit/queries/visible.ts'
import { NOWHERE, placeColumns } from '../permits/door.ts'
import type { ConflictQuestionBody } from './schema.ts'

/** Lists how many other permits each permit conflicts with: those that the caller sees and that count now or later, without those that have none (§4.6). */
export async function clashBadges(ctx: Ctx, site_id: Id): Promise<Record<string, unknown>[]> {
  const counts = await conflictCounts(ctx, site_id, visibleTo(await viewerOn(ctx, site_id)))
  return counts.map(badge => ({ ...badge, worst: badge.red > 0 ? 'red' : 'amber' }))
}

/** How far around a window others are read, because a clean window can be that far away; and around a place that someone is moving. */
const AROUND = { time: 8 * DAY, metres: 0 }
const MOVING = { ...AROUND, metres: 250 }

/** Says what would conflict with a permit as someone might make it, and which windows near it would be clean (`permits-decisions.md` §4.3). Stores nothing. */
export async function answerQuestion(ctx: Ctx, body: ConflictQuestionBody): Promise<Record<string, unknown>> {
  const { site_id, permit_id } = body
  const saved = permit_id == null ? null : ((await savedPermit(ctx, site_id, permit_id)) ?? refuse(notFound()))
  const asked = await askedPermit(ctx, body, saved)
  const [before, compared] = await Promise.all([
    saved === null ? null : freshConflicts(ctx, site_id, [saved.id]),
    comparedWith(ctx, site_id, [asked], body.include?.includes('nearby') === true ? MOVING : AROUND),
  ])
  const [side] = compared.subjects
  if (side === undefined) return refuse(notFound())
  const ruled = comparesPermits(compared.in_force)
  const after = hasWindow(asked) ? conflictsIn(compared, side, ctx.now) : null
  const [had, has] = [(saved === null ? undefined : before?.of.get(saved.id))?.conflicts ?? [], after?.conflicts ?? []]
  const others = await othersIn(ctx, site_id, [...had, ...has])
  const shownOf = (conflicts: typeof has) => shownConflicts({ placed: true, conflicts }, ruled, others).conflicts
  const windows = saved === null || EDITABLE.includes(saved.status) ? await windowsFor(ctx, site_id, asked, compared.index, side, has) : []
  return {
    ...shownConflicts(after, ruled, others),
    added: saved === null ? [] : shownOf(addedTo(had, has)),
    removed: saved === null ? [] : shownOf(addedTo(has, had)),
    clean_windows: windows,
    ...(body.include?.includes('nearby') === true ? { nearby: await nearbyFor(ctx, site_id, compared, side) } : {}),
  }
}

/** States in which another window can still be proposed: until the review is over. */
const EDITABLE = ['draft', 'corrections_requested', 'requested', 'endorsed']

const hasWindow = ({ start_at, end_at }: Subject): boolean => start_at !== null && end_at !== null && start_at < end_at

/** Returns a permit as it is saved; null if the caller can’t see it. */
async function savedPermit(ctx: Ctx, site_id: Id, id: Id): Promise<Subject | null> {
  const [seen, [row]] = await Promise.all([seesAmong(ctx, site_id, [id]), permitSideRows(ctx.db, site_id, [id])])
  return seen.get(id) === true ? (row ?? null) : null
}

const BLANK: Omit<Subject, 'id'> = {
  ...{
    permit_number: null,
    title: null,
    status: 'draft',
    source: 'requested',
    categories: [],
    contractor_id: null,
    start_at: null,
    end_at: null,
  },
  ...NOWHERE,
  ...{ fire_watch_until: null, handed_back_complete_at: null, reissued_from_id: null, ancestor_ids: [] },
}

/** Returns the permit that is asked about: what is saved, with what the body has. */
async function askedPermit(ctx: Ctx, body: ConflictQuestionBody, saved: Subject | null): Promise<Subject> {
  const faults: FieldFault[] = []
  const asked: Subject = { ...BLANK, id: ids.next(), ...saved }
  const { categories, start_at, end_at, place, parent_id } = body
  if (categories !== undefined) asked.categories = [...categories].sort()
  if (start_at !== undefined) asked.start_at = start_at
  if (end_at !== undefined) asked.end_at = end_at
  if (hasWindow(asked) === false && asked.start_at !== null && asked.end_at !== null)
    faults.push({ path: 'end_at', message: 'must be later than the start of the window.' })
  if (parent_id != null) asked.ancestor_ids = await lineOf(ctx, body.site_id, parent_id, faults)
  if (place !== undefined) Object.assign(asked, await placeColumns(ctx, body.site_id, place, NOWHERE, asked.start_at, faults))
  return faults.length > 0 ? refuse(invalid(faults)) : asked
}

async function lineOf(ctx: Ctx, site_id: Id, parent_id: Id, faults: FieldFault[]): Promise<Id[]> {
  const parent = await savedPermit(ctx, site_id, parent_id)
  if (parent !== null) return [parent_id, ...parent.ancestor_ids]
  faults.push({ path: 'parent_id', message: 'isn’t a permit on this site that you can see.' })
  return []
}

type Compared = Awaited<ReturnType<typeof comparedWith>>

/** Returns the clean windows near a window that has a red conflict. */
async function windowsFor(
  ctx: Ctx,
  site_id: Id,
  { start_at, end_at }: Subject,
  index: Compared['index'],
  side: Side,
  conflicts: readonly { severity: 'red' | 'amber' }[],
) {
  if (start_at === null || end_at === null || !conflicts.some(one => one.severity === 'red')) return []
  const calendar = await calendarOf(ctx.db, site_id)
  return cleanWindows({ index, side, start_at, end_at, now: ms(ctx.now), isWorkingDay: date => isWorkingDay(calendar, date) })
}

/** Returns what the app needs to find conflicts itself: the rules between permits, and the permits nearby that the caller can see. */
async function nearbyFor(ctx: Ctx, site_id: Id, { index, in_force }: Compared, own: Side) {
  const others = [...index.sides.values()].map(prepared => prepared.side).filter(side => side.id !== own.id)
  const permits = new Map(
    [
      ...(await counterparts(
        ctx.db,
        site_id,
        await viewerOn(ctx, site_id),
        others.map(side => side.id),
      )),
    ].filter(([, one]) => one.seen),
  )
  const visible = others.filter(side => permits.has(side.id))
  const { timezone, centre, oversees } = index.site
  return {
    site: { timezone, centre, oversees: Object.fromEntries(oversees) },
    rules: in_force.rules.filter(({ a, b }) => a.kinds.includes('permit') && b.kinds.includes('permit')),
    own: written(own),
    others: visible.map(written),
    permits: [...permits.values()].map(({ seen: _, ...permit }) => permit),
  }
}

/** Returns a side as JSON has it: an open end is null. */
const written = (side: Side) => ({
  ...side,
  footprint: side.footprint.map(stretch => ({ ...stretch, to: Number.isFinite(stretch.to) ? stretch.to : null })),
})
