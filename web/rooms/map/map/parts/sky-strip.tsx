// The weather of the day under the time slider. The line with its words says the same as the drawing.
import { useMemo } from 'react'
import { plusDays, startOfDay } from '../../../../../shared/time.ts'
import type { Schemas } from '../../../../base/api.ts'
import { asFault } from '../../../../base/fault.ts'
import { useHere } from '../../../../base/site.tsx'
import { clockOf } from '../../../../base/time.ts'
import { useSite } from '../data.ts'
import { t } from '../says.ts'
import { type Sky, type Stretch, skyOf } from '../sky.ts'
import { useSkyHours, useWorkingTime } from '../sky-data.ts'

const [WIDE, HIGH] = [1000, 36]
/** From this age on the line says how old the forecast is, minutes. */
const OLD = 60

const Bars = ({ of, name, height = 1 }: { of: readonly (Stretch & { height?: number })[]; name: string; height?: number }) =>
  of.map(({ from, to, height: own = height }) => (
    <rect
      key={from}
      className={name}
      fill={name === 'stop' ? 'url(#sky-stop)' : undefined}
      x={from * WIDE}
      width={(to - from) * WIDE}
      y={(1 - own) * HIGH}
      height={own * HIGH}
    />
  ))

const lineOf = (points: readonly { part: number; height: number }[]): string =>
  points.map(({ part, height }, i) => `${i === 0 ? 'M' : 'L'}${Math.round(part * WIDE)} ${((1 - height) * HIGH).toFixed(1)}`).join('')

function Drawing({ sky }: { sky: Sky }) {
  return (
    <div className="sky">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
        <defs>
          <pattern id="sky-stop" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line className="stop-line" y2="10" />
          </pattern>
        </defs>
        <Bars of={sky.rests} name="rest" />
        <Bars of={sky.nights} name="night" />
        <Bars of={sky.rain} name="rain" />
        <Bars of={sky.stops} name="stop" />
        {sky.limit !== null && <path className="limit" d={`M0 ${(1 - sky.limit) * HIGH}H${WIDE}`} />}
        {sky.gusts.map(line => (
          <path key={line[0]?.part} className="gust" d={lineOf(line)} />
        ))}
      </svg>
    </div>
  )
}

const ageSaid = (minutes: number): string =>
  minutes < 120 ? t('length.minutes', { n: minutes }) : t('length.hours', { n: Math.round(minutes / 60) })

const reachedSaid = (sky: Sky, state: 'caution' | 'stop', zone: string): string[] =>
  sky.reached
    .filter(one => one.state === state)
    .map(({ label, from, to }) => t(`sky.${state}`, { limit: label, from: clockOf(from, zone), to: clockOf(to, zone) }))

const sentences = (all: readonly string[]): string => all.map(one => `${one}.`).join(' ')

/** Returns the day in a few words, with what stops work first. */
function said(sky: Sky, weather: Schemas['WeatherTimeline'], zone: string): string {
  if (sky.most_gust === null && sky.rain_mm === null) return sentences([t('sky.no_data')])
  const wind = sky.most_gust === null ? [] : [t('sky.gusts', { n: Math.round(sky.most_gust) })]
  const rain = sky.rain_mm === null ? [] : [sky.rain_mm === 0 ? t('sky.no_rain') : t('sky.rain', { n: sky.rain_mm })]
  const stopped = weather.stops.map(({ title }) => t('sky.declared', { title }))
  return sentences([...stopped, ...reachedSaid(sky, 'stop', zone), [...wind, ...rain].join(', ')])
}

/** Returns whether the installation has no weather at all, about which people on the map can do nothing. */
const isAbsent = (error: unknown): boolean => asFault(error).context.reason === 'not_set_up'

/** The strip of a site day. */
export default function SkyStrip({ zone, date }: { zone: string; date: string }) {
  const { site_id, canChange } = useHere()
  const [from, to] = [startOfDay(zone, date), startOfDay(zone, plusDays(date, 1))]
  const { data: site } = useSite(site_id)
  const { data: weather = null, error } = useSkyHours(site_id, from, to, site?.location != null)
  const { data: working = null } = useWorkingTime(site_id, date)
  const sky = useMemo(() => skyOf(weather, working, Date.parse(from), Date.parse(to)), [weather, working, from, to])
  // Only those who can draw the boundary read that it is missing.
  const missing = site !== undefined && site.location === null && canChange('site_configure') ? t('sky.no_location') : null
  const why = error === null ? missing : isAbsent(error) ? null : asFault(error).message
  return (
    <>
      <Drawing sky={sky} />
      {weather === null ? (
        <details className={`sky-says small ${why === null ? 'sky-bare' : ''}`}>
          <summary className={why === null ? undefined : 'sky-why'}>{why ?? t('sky.day')}</summary>
          <p className="soft tiny">{t('sky.shades')}</p>
        </details>
      ) : (
        <details className="sky-says small">
          <summary>
            {t(weather.example ? 'sky.example' : 'sky.title')}: {said(sky, weather, zone)}{' '}
            {weather.age_minutes >= OLD && t('sky.age', { age: ageSaid(weather.age_minutes) })}
          </summary>
          {sky.reached.some(one => one.state === 'caution') && <p>{sentences(reachedSaid(sky, 'caution', zone))}</p>}
          <p className="soft tiny">
            {weather.gust_limit === null
              ? t('sky.line_only')
              : t('sky.line', { limit: weather.gust_limit.label, n: weather.gust_limit.gust_m_s })}{' '}
            {t('sky.shades')} {t('sky.model')} {weather.attribution}
          </p>
        </details>
      )}
    </>
  )
}
