import { isLonger, wallOf } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { invalidField, refuse } from '../../../base/errors.ts'
import { type ChangeKind, type Changes, NO_CHANGES, type WantedChanges } from '../../../kernel/changes/domain.ts'
import { changeSource } from '../../../kernel/changes/door.ts'
import { coverage } from '../../../kernel/covers/door.ts'
import { readBox } from '../../../kernel/geometry/door.ts'
import { workDateOf } from '../../../kernel/site/domain.ts'
import { calendarOf, revisionOf } from '../../../kernel/site/door.ts'
import { selectionOf } from '../../site/smart-groups/door.ts'
import { zoneOf } from '../kit/actions/occurrences.ts'
import { bucketsOf, peakOf, pointsOf, seriesOf, thinned } from './domain.ts'
import { BUCKET_MINUTES, type ChangesAsked, USUAL_KINDS } from './schema.ts'

const MOST_DAYS = 92
const only = <T>(one: T | undefined): T[] | undefined => (one === undefined ? undefined : [one])

/** Refuses a period or a length of buckets that can't be answered. */
function check(zone: string, { from, to, series }: ChangesAsked): void {
  if (to <= from) refuse(invalidField('to', 'must be later than from.'))
  if (isLonger(zone, from, to, MOST_DAYS)) refuse(invalidField('to', `is more than ${MOST_DAYS} days after from. Ask for several periods.`))
  if (series !== undefined && !BUCKET_MINUTES.includes(series.bucket_minutes))
    refuse(invalidField('series.bucket_minutes', `must be one of ${BUCKET_MINUTES.join(', ')}.`))
}

/** Waits until the kinds that were asked for are up to date: clashes are computed after what they follow from has changed. */
export async function waitForChanges(ctx: Ctx, asked: ChangesAsked): Promise<void> {
  const { site_id, kinds = USUAL_KINDS } = asked
  for (const kind of kinds) await changeSource(kind).caughtUp?.(ctx, site_id)
}

/** Returns when a site changes, and how full it was. It changes nothing. */
export async function showChanges(ctx: Ctx, asked: ChangesAsked): Promise<Record<string, unknown>> {
  check(zoneOf(ctx), asked)
  const { site_id, from, to, kinds = USUAL_KINDS, max_points = 1000, series, bbox } = asked
  const [contractor_id, building_id, zone_id] = [only(asked.contractor_id), only(asked.building_id), only(asked.zone_id)]
  const level_index = only(asked.level_index)
  const by = { contractor_id, building_id, level_index, zone_id, bbox }
  const wanted: WantedChanges = { from, to, by, box: bbox === undefined ? undefined : readBox(bbox) }
  const found = new Map<ChangeKind, Changes>()
  const selected = asked.group_id === undefined ? undefined : await selectionOf(ctx, site_id, asked.group_id, 'group_id')
  for (const kind of kinds) {
    const source = changeSource(kind)
    const fits = selected === undefined || source.subject === selected.subject
    found.set(kind, fits ? await source.read(ctx, site_id, wanted, selected) : NO_CHANGES)
  }
  const [calendar, { revision }, required] = [
    await calendarOf(ctx.db, site_id),
    await revisionOf(ctx.db, site_id),
    await coverage().required(ctx, site_id),
  ]
  const zone = calendar.timezone
  const all = pointsOf(found, from)
  const points = thinned(all, max_points, zone)
  return {
    from,
    to,
    revision,
    thinned: points.length < all.length,
    total_points: all.length,
    points: points.map(({ uncovered: _uncovered, ...point }) => ({
      ...point,
      work_date: workDateOf(calendar, point.at),
      local_time: wallOf(zone, point.at).time,
    })),
    ...(series === undefined
      ? {}
      : {
          series: seriesOf(all, bucketsOf(from, to, series.bucket_minutes, zone)).map(bucket => ({
            ...bucket,
            no_permit_peak: required ? bucket.no_permit_peak : null,
          })),
        }),
    peaks: { headcount: peakOf(all, alive => alive.headcount), plant: peakOf(all, alive => alive.plant ?? 0) },
  }
}
