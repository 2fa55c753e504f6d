import type { House } from '../../../../base/ctx.ts'
import { givenUp, refuse, unavailable } from '../../../../base/errors.ts'

const PATIENCE_MS = 5000
const MOST = 8
const MOST_BYTES = 512 * 1024

/** A place that the geocoder found. */
export type FoundPlace = { name: string; point: { lon: number; lat: number } }

const unreadable = (detail: string) => refuse(unavailable(detail, { retry_after_seconds: 30 }))

/**
 * Asks the installation's geocoder. Its URL is set by the operator, so nothing that a person types can send the request elsewhere, and redirects
 * aren't followed.
 */
export async function findAddress(house: House, q: string): Promise<FoundPlace[]> {
  const { geocoder_url, public_url } = house.settings
  if (geocoder_url === null) return refuse(givenUp('The address search isn’t set up on this server. Use coordinates or your position.'))
  const url = new URL(geocoder_url)
  for (const [name, value] of Object.entries({ q, format: 'jsonv2', limit: String(MOST) })) url.searchParams.set(name, value)
  try {
    const answer = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
      // Nominatim's terms require a user agent that identifies the application.
      headers: { accept: 'application/json', 'user-agent': `Walkdown/${house.process.version} (${public_url})` },
    })
    if (!answer.ok) throw new Error(`the geocoder responded with status ${answer.status}`)
    const text = await answer.text()
    if (text.length > MOST_BYTES) throw new Error('the geocoder’s response is too long')
    return placesIn(JSON.parse(text))
  } catch (error) {
    house.log.warn({ err: error }, 'geocoder')
    return unreadable('The address search isn’t available at the moment. Try again, or use coordinates.')
  }
}

/** Returns the places in a geocoder's response that can be read; the rest is left out. */
export function placesIn(answer: unknown): FoundPlace[] {
  if (!Array.isArray(answer)) throw new Error('the geocoder’s response isn’t a list')
  return answer
    .flatMap((one: Record<string, unknown> | null): FoundPlace[] => {
      const [lon, lat] = [Number(one?.lon ?? Number.NaN), Number(one?.lat ?? Number.NaN)]
      const fits = Math.abs(lon) <= 180 && Math.abs(lat) <= 90
      const name = typeof one?.display_name === 'string' ? one.display_name.slice(0, 500) : `${lat}, ${lon}`
      return fits ? [{ name, point: { lon, lat } }] : []
    })
    .slice(0, MOST)
}
