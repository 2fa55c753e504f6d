// The last answer for a cell, for everyone who reads it: kept for a quarter of an hour, fetched once for all who wait, and shown with its age when the provider
// doesn't respond.
import { DAY, HOUR, type Instant, later, MINUTE, ms } from '../../../../../shared/time.ts'
import type { House } from '../../../../base/ctx.ts'
import { conflict, givenUp, refuse, unavailable } from '../../../../base/errors.ts'
import { cellRow, countCall, keepAnswer, keepFailure, type SiteRow, usage } from '../queries.ts'
import { type Cell, type Provider, providerOf } from './provider.ts'

const FRESH = 15 * MINUTE
const USED_UP_TO = DAY
const MOST_PAUSE = 30
/** From this part of the budget on, the calls that are left are spread over the rest of the day. */
export const NEAR = 0.8

/** An answer, its age, and whether it is older than it should be. */
export type Answer = { answer: unknown; fetched_at: Instant; age_minutes: number; stale: boolean; attribution: string; example: boolean }

const rounded = (degrees: number) => Math.round(degrees * 100) / 100

const named = (lon: number, lat: number) => `${rounded(lat).toFixed(2)},${rounded(lon).toFixed(2)}`

/** Returns the name of a site's cell; null for a site without a location. */
export const nameOf = ({ lon, lat }: Pick<SiteRow, 'lon' | 'lat'>): string | null => (lon === null || lat === null ? null : named(lon, lat))

/** What the provider of a site depends on. */
type Placed = Pick<SiteRow, 'lon' | 'lat' | 'demo'>

/** Returns the cell of a site, and the provider; refuses a site without a location, and one without weather. */
export function cellOf(house: House, site: Placed): { cell: Cell; name: string; provider: Provider } {
  const { lon, lat } = site
  const provider = providerOf(house, site)
  if (provider === null) return refuse(givenUp('The weather isn’t set up on this server.', { reason: 'not_set_up' }))
  if (lon === null || lat === null)
    return refuse(conflict('no_location', 'This site has no location. Draw its boundary on the map, then the weather appears.'))
  return { cell: { lon: rounded(lon), lat: rounded(lat) }, name: named(lon, lat), provider }
}

/** Returns how long an answer is kept, so that the budget lasts for the day. */
export function keptFor({ calls, cells }: { calls: number; cells: number }, daily: number, now: Instant): number {
  if (calls < daily * NEAR) return FRESH
  const left = daily - calls
  const rest = DAY - (ms(now) % DAY)
  return left <= 0 ? rest : Math.max(FRESH, (rest * Math.max(1, cells)) / left)
}

/** Fetches that are under way in this process, by cell. */
const fetching = new WeakMap<House, Map<string, Promise<void>>>()

function refetch(house: House, name: string, cell: Cell, provider: Provider, failures: number): Promise<void> {
  const known = fetching.get(house) ?? new Map<string, Promise<void>>()
  fetching.set(house, known)
  const running = known.get(name)
  if (running !== undefined) return running
  const { db } = house.database
  const fetched = (async () => {
    const now = house.clock.now()
    try {
      await countCall(db, now.slice(0, 10))
      await keepAnswer(db, name, await provider.forecast(cell), house.clock.now())
    } catch (error) {
      house.log.warn({ err: error }, 'weather')
      await keepFailure(db, name, now, failures + 1, later(now, Math.min(MOST_PAUSE, 2 ** failures) * MINUTE))
    }
  })().finally(() => known.delete(name))
  known.set(name, fetched)
  return fetched
}

/** Returns the newest answer for a site. Nobody waits for the provider while there is one of the last day, except for a job (`wait`); one of this age is good for it. */
export async function answerFor(house: House, site: Placed, { wait = false, good_for = 0 } = {}): Promise<Answer> {
  const { cell, name, provider } = cellOf(house, site)
  const { db } = house.database
  const now = house.clock.now()
  const row = await cellRow(db, name)
  const age = row?.fetched_at == null ? null : ms(now) - ms(row.fetched_at)
  const usable = age !== null && age < USED_UP_TO
  const resting = row?.retry_at != null && row.retry_at > now
  if ((age === null || age >= FRESH) && !resting) {
    const use = await usage(db, now.slice(0, 10), later(now, -HOUR))
    const due = age === null || age >= Math.max(good_for, keptFor(use, house.settings.weather.daily_calls, now))
    if (due) {
      const fetched = refetch(house, name, cell, provider, row?.failures ?? 0)
      if (!usable || wait) await fetched
    }
  }
  const newest = usable && !wait ? row : await cellRow(db, name)
  if (newest?.fetched_at == null || ms(now) - ms(newest.fetched_at) >= USED_UP_TO) {
    const seconds = newest?.retry_at == null ? 60 : Math.max(1, Math.ceil((ms(newest.retry_at) - ms(now)) / 1000))
    return refuse(
      unavailable('The weather service doesn’t respond, and there is no forecast of the last 24 hours.', { retry_after_seconds: seconds }),
    )
  }
  const age_minutes = Math.max(0, Math.floor((ms(now) - ms(newest.fetched_at)) / MINUTE))
  return {
    answer: newest.answer,
    fetched_at: newest.fetched_at,
    age_minutes,
    stale: age_minutes * MINUTE >= FRESH,
    attribution: provider.attribution,
    example: provider.example,
  }
}
