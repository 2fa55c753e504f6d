// The days and times of a schedule: what it follows every week, and the days on which it doesn’t.
import { type ReactNode, useState } from 'react'
import { startOfDay } from '../../../../../shared/time.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import type { FormOf } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { dayOf } from '../../../../base/time.ts'
import { WeekdayTicks } from '../parts/form-parts.tsx'
import { t } from './says.ts'
import './schedule.css'
import { type Override, type Typed, withDay, withTimes } from './schedules.ts'

type ListGiven = { label: string; rows: readonly { day: string; says: string }[]; onAdd(day: string): void; onRemove(day: string): void }

/** A list of days, each of which can be removed, and a field that adds one. `children`: what else a day has. */
function DayList({ label, rows, onAdd, onRemove, children }: ListGiven & { children?: ReactNode }) {
  const [day, setDay] = useState('')
  return (
    <div className="day-list stack tight">
      <div className="row">
        <TextField label={label} type="date" className="mono" value={day} onChange={event => setDay(event.target.value)} />
        {children}
        <Button
          disabled={day === ''}
          aria-label={t('schedule.add_to', { list: label })}
          onClick={() => {
            onAdd(day)
            setDay('')
          }}
        >
          {t('schedule.add')}
        </Button>
      </div>
      {rows.length > 0 && (
        <ul aria-label={label}>
          {rows.map(row => (
            <li key={row.day} className="row spread">
              <span className="mono">{row.says}</span>
              <Button
                look="quiet"
                square
                aria-label={t('schedule.leave_out', { day: row.says, list: label })}
                onClick={() => onRemove(row.day)}
              >
                <Glyph name="close" size={16} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const AS_USUAL = { start_time: '', end_time: '' }

type Fields = { form: FormOf<Typed>; days: 'all' | 'regular' }

/** The fields of a schedule; `regular`: only what it follows every week. */
export function ScheduleFields({ form: { values, change, field }, days }: Fields) {
  const { zone } = useHere()
  const [times, setTimes] = useState(AS_USUAL)
  const said = (day: string): string => dayOf(startOfDay(zone, day), zone)
  const plain = (list: readonly string[]) => list.map(day => ({ day, says: said(day) }))
  const timed = ({ date, start_time = values.start_time, end_time = values.end_time }: Override) => ({
    day: date,
    says: `${said(date)} ${start_time}–${end_time}`,
  })
  return (
    <>
      <WeekdayTicks weekdays={values.weekdays} onChange={weekdays => change({ weekdays })} />
      <div className="pair">
        <TextField label={t('schedule.start_time')} type="time" className="mono" {...field('start_time')} required />
        <TextField
          label={t('schedule.end_time')}
          type="time"
          className="mono"
          {...field('end_time')}
          required
          hint={t('schedule.end_hint')}
        />
      </div>
      <div className="pair">
        <TextField label={t('schedule.first_day')} type="date" className="mono" {...field('start_date')} required />
        <TextField label={t('token.last_day')} type="date" className="mono" {...field('end_date')} required />
      </div>
      {days === 'all' && (
        <>
          <DayList
            label={t('schedule.skip_dates')}
            rows={plain(values.skip_dates)}
            onAdd={day => change({ skip_dates: withDay(values.skip_dates, day) })}
            onRemove={day => change({ skip_dates: values.skip_dates.filter(one => one !== day) })}
          />
          <DayList
            label={t('schedule.extra_dates')}
            rows={plain(values.extra_dates)}
            onAdd={day => change({ extra_dates: withDay(values.extra_dates, day) })}
            onRemove={day => change({ extra_dates: values.extra_dates.filter(one => one !== day) })}
          />
          <DayList
            label={t('schedule.overrides')}
            rows={values.overrides.map(timed)}
            onAdd={date => {
              change({ overrides: withTimes(values.overrides, { date, ...filled(times) }) })
              setTimes(AS_USUAL)
            }}
            onRemove={day => change({ overrides: values.overrides.filter(one => one.date !== day) })}
          >
            {(['start_time', 'end_time'] as const).map(name => (
              <TextField
                key={name}
                label={t(`schedule.other_${name}`)}
                type="time"
                className="mono"
                value={times[name] === '' ? values[name] : times[name]}
                onChange={event => setTimes({ ...times, [name]: event.target.value })}
              />
            ))}
          </DayList>
        </>
      )}
    </>
  )
}

/** The times that were typed; one that is empty is the schedule’s own. */
const filled = (times: typeof AS_USUAL): Partial<Omit<Override, 'date'>> => ({
  ...(times.start_time === '' ? {} : { start_time: times.start_time }),
  ...(times.end_time === '' ? {} : { end_time: times.end_time }),
})
