// Where weather comes from. A provider answers in the form of Open-Meteo.

import { plusDays } from '../../../../../shared/time.ts'
import type { House } from '../../../../base/ctx.ts'
import { exampleAnswer, MEASURES } from '../domain/hours.ts'
import type { SiteRow } from '../queries.ts'

/** A point, rounded to 0.01° before it leaves the service. */
export type Cell = { lon: number; lat: number }

/** Where weather comes from. */
export type Provider = {
  attribution: string
  /** Whether its data are invented. */
  example: boolean
  /** The hours around now, and the running quarter of an hour. */
  forecast(cell: Cell): Promise<unknown>
  /** The reanalysis of past site days. */
  past(cell: Cell, from: string, to: string): Promise<unknown>
}

const PATIENCE_MS = 5000
const MOST_BYTES = 4 * 1024 * 1024
const PAST_DAYS = 2
const DAYS = 16

async function ask(house: House, host: string, path: string, query: Record<string, string>): Promise<unknown> {
  const { url: base, key } = house.settings.weather
  const url = new URL(`${base ?? `https://${key === null ? '' : 'customer-'}${host}.open-meteo.com`}${path}`)
  const all = { ...query, wind_speed_unit: 'ms', timezone: 'UTC', ...(key === null ? {} : { apikey: key }) }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS), headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`the weather service responded with status ${answer.status}`)
  const text = await answer.text()
  if (text.length > MOST_BYTES) throw new Error('the response of the weather service is too long')
  return JSON.parse(text)
}

const VARIABLES = Object.values(MEASURES).map(({ variable }) => variable)
const placed = ({ lon, lat }: Cell) => ({ latitude: lat.toFixed(2), longitude: lon.toFixed(2) })

const openMeteo = (house: House): Provider => ({
  attribution: 'Weather data by Open-Meteo.com (CC BY 4.0)',
  example: false,
  forecast: cell =>
    ask(house, 'api', '/v1/forecast', {
      ...placed(cell),
      hourly: VARIABLES.join(','),
      current: VARIABLES.filter(one => one !== 'precipitation_probability' && one !== 'visibility' && one !== 'dew_point_2m').join(','),
      past_days: String(PAST_DAYS),
      forecast_days: String(DAYS),
    }),
  past: (cell, from, to) =>
    ask(house, 'archive-api', '/v1/archive', {
      ...placed(cell),
      hourly: VARIABLES.filter(one => one !== 'precipitation_probability' && one !== 'visibility').join(','),
      start_date: from,
      end_date: plusDays(to, 1), // the sums of the last hour are stamped with the next day
    }),
})

const example = (house: House): Provider => ({
  attribution: 'Example data: this is not the weather of this site',
  example: true,
  forecast: async () => exampleAnswer(house.clock.now(), PAST_DAYS, DAYS),
  past: async () => ({}),
})

/** Returns the provider of a site; null if it has none. With `demo` only the demo site has weather: example data never count for work that is real. */
export function providerOf(house: House, { demo }: Pick<SiteRow, 'demo'>): Provider | null {
  const { provider } = house.settings.weather
  if (provider === 'none' || (provider === 'demo' && !demo)) return null
  return provider === 'open_meteo' ? openMeteo(house) : example(house)
}
