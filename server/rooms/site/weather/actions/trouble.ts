import { DAY, HOUR, later, ms } from '../../../../../shared/time.ts'
import type { House } from '../../../../base/ctx.ts'
import { unanswered } from '../queries.ts'

/** Returns what is wrong with the weather service, without its name: sites show an older forecast, or none. Null while it responds, or isn't set up. */
export async function troubleOf(house: House): Promise<string | null> {
  if (house.settings.weather.provider === 'none') return null
  const now = house.clock.now()
  const oldest = await unanswered(house.database.db, later(now, -HOUR))
  if (oldest === null) return null
  const age = oldest.fetched_at === null ? DAY : ms(now) - ms(oldest.fetched_at)
  const shown =
    age >= DAY ? 'Some sites have no forecast.' : `The oldest forecast of a site is from ${Math.floor(age / 60_000)} minutes ago.`
  return `The weather service isn’t responding. ${shown}`
}
