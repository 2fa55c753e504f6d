// The reanalysis of past hours: fetched when someone reads hours that aren't kept, and kept next to what was recorded.
import { DAY, HOUR, hourOf, type Instant, instant, later, ms } from '../../../../../shared/time.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { hoursIn } from '../domain/hours.ts'
import { countCall, keepHours, keptHours, type SiteRow, usage } from '../queries.ts'
import { cellOf, NEAR } from './cells.ts'

/** The archive is this late. */
const LATE = 5 * DAY
/** A day that the archive didn't have whole is asked for again after this time. */
const AGAIN = HOUR
/** Days that are remembered before those that can be asked for again are forgotten. */
const REMEMBERED = 10_000

/** When the archive was last asked for a day of a site. */
const asked = new WeakMap<House, Map<string, Instant>>()

/** Returns the days of a period, UTC, with hours that aren't kept, and that the archive wasn't asked for lately; marks them as asked for. */
function daysToAsk(house: House, site_id: string, has: ReadonlySet<Instant>, from: Instant, end: Instant, now: Instant): string[] {
  const memo = asked.get(house) ?? new Map<string, Instant>()
  asked.set(house, memo)
  if (memo.size > REMEMBERED) for (const [key, at] of memo) if (later(at, AGAIN) <= now) memo.delete(key)
  const days = new Set<string>()
  for (let at = ms(hourOf(from)); at < ms(end); at += HOUR) {
    const hour = instant(at)
    if (hour >= from && !has.has(hour)) days.add(hour.slice(0, 10))
  }
  const due = [...days].filter(day => {
    const before = memo.get(`${site_id} ${day}`)
    return before === undefined || later(before, AGAIN) <= now
  })
  for (const day of due) memo.set(`${site_id} ${day}`, now)
  return due
}

/**
 * Fetches and keeps the reanalysis of a period, if hours of it are missing: hours that aren't kept at all, or, with `reanalysis`, those that are only recorded.
 * Without an answer they stay gaps. The last part of the daily budget is left to forecasts.
 */
export async function fillPast(
  ctx: Ctx,
  site: SiteRow,
  { from, to, source }: { from: Instant; to: Instant; source: 'recorded' | 'reanalysis' },
): Promise<void> {
  const { house } = ctx
  const last = later(ctx.now, -LATE)
  const end = to < last ? to : last
  const { provider: name, daily_calls } = house.settings.weather
  if (end <= from || name !== 'open_meteo') return
  const kept = await keptHours(ctx.db, site.site_id, from, end)
  const has = new Set(kept.filter(one => source === 'recorded' || one.source === 'reanalysis').map(one => one.at))
  const { cell, provider } = cellOf(house, site)
  const today = ctx.now.slice(0, 10)
  if ((await usage(house.database.db, today, ctx.now)).calls >= daily_calls * NEAR) return
  const days = daysToAsk(house, site.site_id, has, from, end, ctx.now)
  const [first, final] = [days[0], days.at(-1)]
  if (first === undefined || final === undefined) return
  try {
    await countCall(house.database.db, today)
    const found = hoursIn(await provider.past(cell, first, final))
    await keepHours(
      house.database.db,
      site.site_id,
      'reanalysis',
      // The sums of the hour after the last day would be missing.
      found.filter(hour => hour.at < last && hour.at.slice(0, 10) <= final),
      ctx.now,
    )
  } catch (error) {
    house.log.warn({ err: error }, 'weather')
  }
}
