// When the sun is above the horizon (the equations of the NOAA solar calculator, right to about a minute between the polar circles).
import { DAY, type Instant, instant, ms } from './time.ts'

const RADIANS = Math.PI / 180
/** Degrees below the horizon at which the edge of the sun appears, with refraction. */
const EDGE = -0.833
const NOON_2000 = Date.UTC(2000, 0, 1, 12)

const sin = (degrees: number) => Math.sin(degrees * RADIANS)
const cos = (degrees: number) => Math.cos(degrees * RADIANS)

/** Returns the declination of the sun in degrees, and the equation of time in minutes. */
function sunAt(at: number): { declination: number; equation: number } {
  const century = (at - NOON_2000) / DAY / 36_525
  const mean = 280.46646 + century * (36_000.76983 + century * 0.0003032)
  const anomaly = 357.52911 + century * (35_999.05029 - 0.0001537 * century)
  const eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
  const centre =
    sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century)) +
    sin(2 * anomaly) * (0.019993 - 0.000101 * century) +
    sin(3 * anomaly) * 0.000289
  const node = 125.04 - 1934.136 * century
  const longitude = mean + centre - 0.00569 - 0.00478 * sin(node)
  const tilt = 23 + (26 + (21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))) / 60) / 60 + 0.00256 * cos(node)
  const y = Math.tan((tilt / 2) * RADIANS) ** 2
  const equation =
    (4 / RADIANS) *
    (y * sin(2 * mean) -
      2 * eccentricity * sin(anomaly) +
      4 * eccentricity * y * sin(anomaly) * cos(2 * mean) -
      0.5 * y * y * sin(4 * mean) -
      1.25 * eccentricity * eccentricity * sin(2 * anomaly))
  return { declination: Math.asin(sin(tilt) * sin(longitude)) / RADIANS, equation }
}

/** Returns the height of the sun above the horizon, degrees. */
export function sunHeight(at: Instant, { lon, lat }: { lon: number; lat: number }): number {
  const { declination, equation } = sunAt(ms(at))
  const minutes = (ms(at) % DAY) / 60_000 + equation + 4 * lon
  const angle = minutes / 4 - 180
  return Math.asin(sin(lat) * sin(declination) + cos(lat) * cos(declination) * cos(angle)) / RADIANS
}

/** Returns whether the sun is above the horizon. */
export const isLight = (at: Instant, place: { lon: number; lat: number }): boolean => sunHeight(at, place) > EDGE

/** Returns when the sun rises and sets around a local noon; null where it does neither. */
export function sunDay(
  around: Instant,
  { lon, lat }: { lon: number; lat: number },
): { sunrise_at: Instant | null; sunset_at: Instant | null } {
  const midnight = Math.floor((ms(around) + lon * 240_000) / DAY) * DAY
  const edge = (side: 1 | -1): Instant | null => {
    let at = midnight + DAY / 2 - lon * 240_000
    for (let round = 0; round < 3; round++) {
      const { declination, equation } = sunAt(at)
      const angle = (sin(EDGE) - sin(lat) * sin(declination)) / (cos(lat) * cos(declination))
      if (Math.abs(angle) > 1) return null
      const half = Math.acos(angle) / RADIANS
      at = midnight + (720 - 4 * lon - equation + side * 4 * half) * 60_000
    }
    return instant(Math.round(at))
  }
  return { sunrise_at: edge(-1), sunset_at: edge(1) }
}
