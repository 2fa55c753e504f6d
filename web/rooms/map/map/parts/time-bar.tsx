import { lazy, Suspense, useEffect, useState } from 'react'
import { plusDays, startOfDay } from '../../../../../shared/time.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { clockOf, dayOf, momentOf } from '../../../../base/time.ts'
import { type DayLine, pathOf, sameTimeOn } from '../day-line.ts'
import { t } from '../says.ts'

// If the connection ends before this device has stored the strip, the day is shown without it: the map doesn’t fail for that.
const SkyStrip = lazy(() => import('./sky-strip.tsx').catch(() => ({ default: () => <div className="sky" /> })))

/** As high as the strip is once it is there, so that the map below it doesn't move. */
const WAITING = (
  <>
    <div className="sky" />
    <div className="sky-says" />
  </>
)

const STEP_MS = 15 * 60_000
const SETTLE_MS = 150
/** Height of the line of people, in units of its own. */
const LINE = 20

type Given = {
  zone: string
  date: string
  /** The instant that is shown. */
  at: number
  /** True if no time was chosen, so that the map follows the clock. */
  live: boolean
  /** When something changes on this day, and how many people are there. */
  day: DayLine
  onAt(at: string | undefined): void
}

type StepGiven = { label: string; glyph: 'back' | 'next'; to: number | undefined; onStep(part: number): void }

/** Goes to the next part of the day at which something changes, on one side of the slider. */
const Step = ({ label, glyph, to, onStep }: StepGiven) => (
  <Button look="quiet" square aria-label={label} title={label} disabled={to === undefined} onClick={() => onStep(to ?? 0)}>
    <Glyph name={glyph} size={16} />
  </Button>
)

/** One day of the site as a slider, with marks where something changes, and the number of people. */
export function TimeBar({ zone, date, at, live, day, onAt }: Given) {
  const from = Date.parse(startOfDay(zone, date))
  const to = Date.parse(startOfDay(zone, plusDays(date, 1)))
  const [held, setHeld] = useState<number | null>(null)
  const shown = held ?? Math.min(Math.max(at, from), to - STEP_MS)
  useEffect(() => {
    if (held === null) return
    const timer = setTimeout(() => {
      onAt(new Date(held).toISOString())
      setHeld(null)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [held, onAt])
  const go = (time: number) => onAt(new Date(time).toISOString())
  const part = (shown - from) / (to - from)
  const near = 1000 / (to - from)
  const marks = day.changes.map(one => one.part)
  const [before, after] = [marks.findLast(one => one < part - near), marks.find(one => one > part + near)]
  const path = pathOf(day, LINE)
  const stamp = new Date(shown).toISOString()
  /** Shows the same time of day on another day. */
  const turn = (day: string) => go(sameTimeOn(zone, day, stamp))
  return (
    <fieldset className="time-bar" aria-label={t('map.time')}>
      <div className="row">
        <Button look="quiet" square aria-label={t('map.day_before')} onClick={() => turn(plusDays(date, -1))}>
          <Glyph name="back" />
        </Button>
        <input
          type="date"
          className="input mono"
          aria-label={t('map.day')}
          value={date}
          onChange={event => {
            if (event.target.value !== '') turn(event.target.value)
          }}
        />
        <Button look="quiet" square aria-label={t('map.day_after')} onClick={() => turn(plusDays(date, 1))}>
          <Glyph name="next" />
        </Button>
        <Button className="time-now" aria-pressed={live} onClick={() => onAt(undefined)}>
          <Glyph name="clock" size={16} />
          {t('map.now')}
        </Button>
        <output className="strong mono">
          {live && held === null ? (
            <>
              <span className="time-what">{t('map.live')}</span> <span className="time-dot">· </span>
            </>
          ) : (
            <span className="time-what">{dayOf(stamp, zone)} </span>
          )}
          {clockOf(stamp, zone)}
        </output>
      </div>
      <div className="time-track">
        <Step label={t('map.earlier_change')} glyph="back" to={before} onStep={part => go(from + part * (to - from))} />
        <div className="time-slide" data-bare={path === '' && day.changes.length === 0 ? '' : undefined}>
          {path !== '' && (
            <svg className="time-people" viewBox={`0 0 1000 ${LINE}`} preserveAspectRatio="none" aria-hidden="true">
              <path d={path} />
            </svg>
          )}
          <span className="time-changes" aria-hidden>
            {day.changes.map(({ part: left, size }) => (
              <span key={left} data-size={size} style={{ left: `${left * 100}%` }} />
            ))}
          </span>
          <input
            type="range"
            min={from}
            max={to - STEP_MS}
            step={STEP_MS}
            value={shown}
            aria-label={t('map.time')}
            aria-valuetext={momentOf(stamp, zone)}
            onChange={event => setHeld(Number(event.target.value))}
          />
        </div>
        <Step label={t('map.later_change')} glyph="next" to={after} onStep={part => go(from + part * (to - from))} />
      </div>
      <Suspense fallback={WAITING}>
        <SkyStrip zone={zone} date={date} />
      </Suspense>
      <p className="soft tiny time-notes">
        {day.most > 0 && `${t('map.most_people', { n: day.most })} `}
        {!live && `${t('map.time_hint')} `}
        {t('common.site_time', { zone })}
      </p>
    </fieldset>
  )
}
