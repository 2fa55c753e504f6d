import { textOrNull } from '../../../../../shared/narrow.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { type FieldFault, invalidField, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { kindNamed } from '../../../../kernel/records/door.ts'
import { type ActivityKind, type Ground, isIn, OPEN, type Period, type Source } from '../domain.ts'
import { concernedNow, type HistoryRow, historyOf, notifiedOf, openFromSource, weatherStopsDuring } from '../queries.ts'
import { alerts } from './alerts.ts'
import { type Alert, type GivenGround, grounded } from './ground.ts'

/** Counts what is in the place of an alert now. Permits that the caller can’t see don’t count: an alert can be raised anywhere, to find out where they are. */
async function affectedBy(ctx: Ctx, row: Alert): Promise<Record<string, number>> {
  const building_id = row.place?.building_id ?? null
  const found = await concernedNow(ctx.db, row.site_id, ctx.now, row.area, building_id)
  const within = found.filter(thing => isIn({ area: row.area, building_id, levels: row.levels }, thing))
  const of = (kind: string) => within.filter(thing => thing.kind === kind)
  const workers = of('worker')
  const headcount = workers.reduce((sum, { headcount }) => sum + headcount, 0)
  const permits = of('permit').map(({ id }) => id)
  const seen = permits.length === 0 ? undefined : await kindNamed('permit')?.sees_many?.(ctx, row.site_id, permits)
  return { workers: workers.length, headcount, plant: of('plant').length, permits: permits.filter(id => seen?.get(id) === true).length }
}

const IN_FORCE: readonly string[] = ['active', 'overdue']

/** Returns alerts as they are shown, with what they affect if that is asked for. */
async function shown(ctx: Ctx, rows: readonly Alert[], include: unknown): Promise<Record<string, unknown>[]> {
  const all = await alerts.showAll(ctx, rows)
  if (!Array.isArray(include) || !include.includes('affected')) return all
  const none = { workers: 0, headcount: 0, plant: 0, permits: 0 }
  return Promise.all(
    all.map(async (one, i) => {
      const row = rows[i]
      return { ...one, affected: row === undefined || !IN_FORCE.includes(row.state) ? none : await affectedBy(ctx, row) }
    }),
  )
}

/** Lists alerts: those that aren’t over, unless a state or a time is asked for. */
export async function listAlerts(ctx: Ctx, site_id: Id, query: Record<string, unknown>) {
  const [from, to, at] = [textOrNull(query.from), textOrNull(query.to), textOrNull(query.at)]
  if ((from === null) !== (to === null))
    refuse(invalidField(from === null ? 'from' : 'to', 'is required, because from and to belong together.'))
  if (from !== null && to !== null && to <= from) refuse(invalidField('to', 'must be later than from.'))
  const timed = from !== null || at !== null || query.id !== undefined || query.updated_since !== undefined
  const { to: _to, ...asked } = query
  const period = from === null ? {} : { from: [from, to] } // one condition
  const open = query.state === undefined && !timed ? { state: [...OPEN] } : {}
  const { rows, ...rest } = await alerts.list.page(ctx, site_id, { ...asked, ...period, ...open })
  return { ...rest, rows: await shown(ctx, rows, query.include) }
}

/** Returns one alert. */
export const showAlert = async (ctx: Ctx, row: Alert, include: unknown): Promise<Record<string, unknown>> =>
  (await shown(ctx, [row], include))[0] ?? {}

/** Returns what an entry of the audit log says about an alert. */
function kindOf({ action, changes }: HistoryRow): ActivityKind {
  if (action === 'create') return 'raised'
  if (action === 'delete') return 'deleted'
  const after = changes?.find(change => change.path === 'state')
  if (after === undefined || action === 'update') return 'changed'
  if (after.after === 'resolved' || after.after === 'lapsed') return after.after
  if (after.before === 'resolved' || after.before === 'lapsed') return 'unresolved'
  return after.after === 'overdue' ? 'overdue' : 'started'
}

/** Returns everything that happened to an alert, oldest first. */
export async function activityOf(ctx: Ctx, { site_id, id }: Alert): Promise<Record<string, unknown>[]> {
  const [history, notified] = await Promise.all([historyOf(ctx.db, site_id, id), notifiedOf(ctx.db, site_id, id)])
  const entries = history.map(row => {
    const kind = kindOf(row)
    const changes = kind === 'changed' ? { changes: row.changes ?? [] } : {}
    return { at: row.at, kind, actor: { id: row.actor_id, name: row.actor_name }, ...changes, note: row.reason }
  })
  const told = notified.map(({ at, recipients }) => ({ at, kind: 'notified', actor: null, recipients }))
  return [...entries, ...told].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** A declared weather stop: an alert, and a time in which it stopped work. */
export type WeatherStop = {
  alert_id: Id
  title: string
  from: Instant
  to: Instant | null
  activities: string[]
  place: Period['place']
  levels: number[]
}

/** Returns the weather stops of a period, by start: each period in which an alert of the category `weather` stopped work. */
export async function weatherStops(ctx: Ctx, site_id: Id, from: Instant, to: Instant): Promise<WeatherStop[]> {
  const rows = await weatherStopsDuring(ctx.db, site_id, from, to)
  return rows
    .flatMap(row =>
      row.periods
        .filter(period => period.effect === 'stops' && period.from < to && (period.to === null || period.to > from))
        .map(({ from, to, activities, place, levels }) => ({ alert_id: row.id, title: row.title, from, to, activities, place, levels })),
    )
    .sort((a, b) => (a.from < b.from ? -1 : 1))
}

/**
 * Resolves the alerts of a source, because what raised them is over. Danger stays until a person has lifted it.
 * @public for areas that raise alerts
 */
export async function resolveFrom(ctx: Ctx, site_id: Id, source: Source, note: string): Promise<void> {
  for (const row of await openFromSource(ctx.db, site_id, source))
    if (row.severity !== 'danger') await alerts.step(ctx, row, 'resolve', { note })
}

/** Resolves the alerts of a source by the word of the caller, danger too: they looked at the place. */
export async function liftFrom(ctx: Ctx, site_id: Id, source: Source, note: string): Promise<void> {
  for (const row of await openFromSource(ctx.db, site_id, source)) await alerts.step(ctx, row, 'resolve', { note })
}

/** Returns the ground that an alert at this place would cover, or what is wrong with it. */
export async function groundAt(ctx: Ctx, given: GivenGround): Promise<{ ground: Ground | null; faults: FieldFault[] }> {
  const { set, faults } = await grounded(ctx, given)
  if (faults.length > 0) return { ground: null, faults }
  return { ground: { area: set.area ?? null, building_id: set.place?.building_id ?? null, levels: set.levels ?? [] }, faults }
}
