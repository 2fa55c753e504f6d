import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../says.ts'
import { makeShift, type Shift } from './data.ts'

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** Checkboxes for the days of the week. */
export function Weekdays({
  legend,
  hint,
  value,
  disabled = false,
  onChange,
}: {
  legend: string
  hint?: string
  value: readonly number[]
  disabled?: boolean
  onChange(days: number[]): void
}) {
  return (
    <fieldset className="fieldset stack tight" disabled={disabled}>
      <legend>{legend}</legend>
      <div className="choices weekdays">
        {DAYS.map(day => (
          <label key={day}>
            <input
              type="checkbox"
              checked={value.includes(day)}
              onChange={event => onChange(DAYS.filter(one => (one === day ? event.target.checked : value.includes(one))))}
            />
            <span className="face">{tOf('weekday', String(day))}</span>
          </label>
        ))}
      </div>
      {hint !== undefined && <span className="hint">{hint}</span>}
    </fieldset>
  )
}

/** Adds a shift, or changes its hours: a new shift then replaces the old one, because recorded hours refer to the old one. */
export function ShiftWindow({ shift, today, onClose }: { shift: Shift | null; today: string; onClose(): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const form = useKeptForm(`shift ${site_id} ${shift?.id ?? 'new'}`, {
    name: shift?.name ?? '',
    start_time: shift?.start_time ?? '07:30',
    end_time: shift?.end_time ?? '17:30',
    break_from: shift?.breaks[0]?.start_time ?? '',
    break_to: shift?.breaks[0]?.end_time ?? '',
    valid_from: today,
    weekdays: [...(shift?.weekdays ?? [])],
  })
  const field = (name: Exclude<keyof typeof form.values, 'weekdays'>, path: string = name) => ({
    at: path,
    value: form.values[name],
    onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
  })
  const save = async () => {
    const { name, start_time, end_time, valid_from, weekdays, break_from, break_to } = form.values
    const first = break_from === '' || break_to === '' ? [] : [{ start_time: break_from, end_time: break_to }]
    const body = {
      site_id,
      name: name.trim(),
      start_time,
      end_time,
      valid_from,
      weekdays: weekdays.length === 0 ? null : weekdays,
      // Further breaks stay as they are.
      breaks: [...first, ...(shift?.breaks.slice(1) ?? [])],
      ...(shift === null ? {} : { replaces: shift.id }),
    }
    if (!(await send(() => makeShift(body)))) return
    form.sent()
    toast(t('common.saved'))
    onClose()
  }
  return (
    <Window
      title={shift === null ? t('hours.add') : t('hours.change_one', { name: shift.name })}
      onClose={onClose}
      onSubmit={() => void save()}
      faults={asFault(fault).fields}
    >
      <Restored form={form} />
      {shift !== null && <p className="soft small">{t('hours.change_says')}</p>}
      <TextField label={t('hours.name')} required maxLength={60} {...field('name')} />
      <div className="pair">
        <TextField label={t('hours.from')} type="time" required {...field('start_time')} />
        <TextField label={t('hours.to')} hint={t('hours.over_midnight')} type="time" required {...field('end_time')} />
        <TextField label={t('hours.break_from')} optional type="time" {...field('break_from', 'breaks')} />
        <TextField label={t('hours.break_to')} optional type="time" {...field('break_to', 'breaks.0')} />
        <TextField label={t('hours.valid_from')} type="date" required {...field('valid_from')} />
      </div>
      <Weekdays
        legend={t('hours.on_days')}
        hint={t('hours.on_days_hint')}
        value={form.values.weekdays}
        onChange={weekdays => form.change({ weekdays })}
      />
      {fault !== null && <FaultNote error={fault} />}
      <Button look="primary" type="submit" wide disabled={busy}>
        {t('common.save')}
      </Button>
    </Window>
  )
}
