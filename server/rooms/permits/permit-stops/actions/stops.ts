import { canonicalJson } from '../../../../../shared/proof/canonical.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, explain, invalid, invalidField, notFound, refuse, type Verdict, wrongStep } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import type { Ground } from '../../../messages/alerts/domain.ts'
import { groundAt, liftFrom, raise } from '../../../messages/alerts/door.ts'
import { viewerOn } from '../../kit/actions/facts.ts'
import { isUnderWay } from '../../kit/domain/stops.ts'
import { insertStop, type StopRow, stoppedIn, stopsOn } from '../queries.ts'
import type { NewAreaStop } from '../schema.ts'
import { livePermits, named, sorted, stopPermits } from './permits.ts'

type Given = Omit<NewAreaStop, 'reason'>

/** Returns the ground of a stop, or refuses its place. */
async function groundOf(ctx: Ctx, { site_id, place, radius_m = null, levels = [] }: Given): Promise<Ground> {
  const { ground, faults } = await groundAt(ctx, { site_id, place, radius_m, levels })
  if (faults.length > 0) refuse(invalid(faults))
  if (ground === null || ground.area === null)
    return refuse(invalidField('place', 'Choose where work stops: a point or an area on the map, a building or a zone.'))
  return ground
}

const TITLE = 'Work stopped: '
const LONGEST = 120
/** Returns the title of the alert of a stop. */
export const titleOf = (reason: string): string => {
  const [line = ''] = reason.split('\n')
  const title = `${TITLE}${line}`
  return title.length <= LONGEST ? title : `${title.slice(0, LONGEST - 1).trimEnd()}…`
}

const GOES_ON = 'Work under each permit can go on after the permit has been revalidated.'
/** Returns the message of the alert of a stop: the reason is in it only if the title hasn’t room for all of it. */
const messageOf = (reason: string): string => (titleOf(reason) === `${TITLE}${reason}` ? GOES_ON : `${reason}\n${GOES_ON}`)

/** Returns what a stop would stop; changes nothing. */
export async function previewStop(ctx: Ctx, given: Given): Promise<Record<string, unknown>> {
  const ground = await groundOf(ctx, given)
  const { inside, unknown } = sorted(ground, await livePermits(ctx, given.site_id))
  const [permits, unchecked] = await Promise.all([named(ctx, given.site_id, inside), named(ctx, given.site_id, unknown)])
  return { area: ground.area, permits, unchecked }
}

/**
 * Stops work in an area: raises one alert over it, and stops every live permit inside. The site is locked against other writes meanwhile, so that no permit goes
 * live unnoticed and two people can’t stop the same area twice.
 */
export async function stopWork(ctx: Ctx, { reason, ...given }: NewAreaStop): Promise<Record<string, unknown>> {
  const { site_id, place, radius_m = null, levels = [] } = given
  const ground = await groundOf(ctx, given)
  const key = ({ area, levels }: Pick<Ground, 'area' | 'levels'>) => canonicalJson({ area, levels })
  const active = await stopsOn(ctx.db, site_id, { state: ['active'], limit: PAGE, after: null })
  const same = active.find(stop => key(stop) === key(ground))
  if (same !== undefined)
    refuse(
      conflict(
        'key_taken',
        `${same.created_by_name ?? 'Someone'} has already stopped work in this area: ${same.reason}. Lift that stop first if you have another reason.`,
        {
          existing_id: same.id,
        },
      ),
    )
  const id = ids.next()
  const alert_id = await raise(ctx, site_id, {
    title: titleOf(reason),
    message: messageOf(reason),
    severity: 'danger',
    category: 'other',
    effect: 'stops',
    activities: ['all'],
    place,
    radius_m,
    levels,
    source: { kind: 'area_stop', id },
  })
  await insertStop(ctx.db, { site_id, id, alert_id, reason })
  await stopPermits(ctx, site_id, { id, reason }, sorted(ground, await livePermits(ctx, site_id)).inside, 'stop')
  return showStop(ctx, site_id, id)
}

const lifting = (ctx: Ctx, { active }: Pick<StopRow, 'active'>): Verdict[] => [
  active ? null : wrongStep('lifted', [], 'This area stop has already been lifted.'),
  ctx.actor.lacks('alert_stop'),
]

/** Returns stops as the API shows them. */
async function shown(ctx: Ctx, site_id: Id, rows: readonly StopRow[]): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return []
  const viewer = await viewerOn(ctx, site_id)
  const permits = Map.groupBy(
    await stoppedIn(
      ctx.db,
      site_id,
      viewer,
      rows.map(({ id }) => id),
    ),
    row => row.stop_id,
  )
  const live = rows.some(row => row.active) ? await livePermits(ctx, site_id) : null
  return Promise.all(
    rows.map(async row => {
      const { active, building_id, levels, area, ...rest } = row
      const own = (permits.get(row.id) ?? []).map(({ stop_id: _stop, handed_back_at, ...permit }) => ({
        ...permit,
        waiting: permit.revalidated_at === null && isUnderWay({ status: permit.status, handed_back_at }),
      }))
      const unknown = active && live !== null ? sorted({ area, building_id, levels }, live).unknown : []
      return {
        ...rest,
        levels,
        area,
        state: active ? 'active' : 'lifted',
        permits: own,
        waiting: own.filter(permit => permit.waiting).length,
        unchecked: await named(
          ctx,
          site_id,
          unknown.filter(({ id }) => own.every(permit => permit.id !== id)),
        ),
        permissions: flagsFor(ctx.actor, { lift: explain(lifting(ctx, row)) }),
      }
    }),
  )
}

/** Returns one stop as the API shows it. */
async function showStop(ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown>> {
  const rows = await stopsOn(ctx.db, site_id, { ids: [id], limit: 1, after: null })
  const [stop] = await shown(ctx, site_id, rows)
  return stop ?? refuse(notFound())
}

/** Lists area stops, the newest first. */
export async function listStops(
  ctx: Ctx,
  site_id: Id,
  query: { id?: readonly Id[]; state?: readonly ('active' | 'lifted')[]; limit?: number; cursor?: string },
): Promise<{ rows: Record<string, unknown>[]; next: string | null }> {
  const limit = query.limit ?? PAGE
  const found = await stopsOn(ctx.db, site_id, { ids: query.id, state: query.state, limit, after: readCursor(query.cursor, 2) })
  const { rows, next } = cut(found, limit, row => [row.created_at, row.id])
  return { rows: await shown(ctx, site_id, rows), next }
}

/** Lifts a stop: its alert is resolved. Permits that haven’t been revalidated stay stopped. */
export async function liftStop(ctx: Ctx, { site_id, id }: { site_id: Id; id: Id }, note: string): Promise<Record<string, unknown>> {
  const [row] = await stopsOn(ctx.db, site_id, { ids: [id], limit: 1, after: null })
  if (row === undefined) return refuse(notFound())
  enforce(lifting(ctx, row))
  await liftFrom(ctx, site_id, { kind: 'area_stop', id }, note)
  return showStop(ctx, site_id, id)
}
