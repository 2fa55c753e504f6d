// The reanalysis of hours that were never recorded: fetched when someone reads them, and kept next to what was recorded.
import { DAY, HOUR, type Instant, later, ms } from '../../../../../shared/time.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { hoursIn } from '../domain/hours.ts'
import { countCall, keepHours, keptHours, type SiteRow, usage } from '../queries.ts'
import { cellOf } from './cells.ts'

/** The archive is this late. */
const LATE = 5 * DAY
/** A period that the archive didn't have is asked for again after this time. */
const AGAIN = HOUR

const asked = new WeakMap<House, Map<string, Instant>>()

/** Fetches and keeps the reanalysis of a period, if hours of it are missing. Without an answer they stay gaps. */
export async function fillPast(ctx: Ctx, site: SiteRow, from: Instant, to: Instant): Promise<void> {
  const { house } = ctx
  const last = later(ctx.now, -LATE)
  const end = to < last ? to : last
  if (end <= from || house.settings.weather.provider !== 'open_meteo') return
  const kept = await keptHours(ctx.db, site.site_id, from, end)
  const hours = (ms(end) - ms(from)) / HOUR
  const known = new Set(kept.map(one => one.at)).size
  const reanalysed = kept.filter(one => one.source === 'reanalysis').length
  if (known >= Math.floor(hours) || reanalysed >= Math.floor(hours)) return
  const memo = asked.get(house) ?? new Map<string, Instant>()
  asked.set(house, memo)
  const key = `${site.site_id} ${from} ${end}`
  const before = memo.get(key)
  if (before !== undefined && later(before, AGAIN) > ctx.now) return
  memo.set(key, ctx.now)
  const { cell, provider } = cellOf(house, site)
  const day = ctx.now.slice(0, 10)
  if ((await usage(house.database.db, day, ctx.now)).calls >= house.settings.weather.daily_calls) return
  try {
    await countCall(house.database.db, day)
    const found = hoursIn(await provider.past(cell, from.slice(0, 10), end.slice(0, 10)))
    await keepHours(
      house.database.db,
      site.site_id,
      'reanalysis',
      found.filter(hour => hour.at >= from && hour.at < end),
      ctx.now,
    )
  } catch (error) {
    house.log.warn({ err: error }, 'weather')
  }
}
