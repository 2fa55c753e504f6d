// The window of a schedule: when it repeats, what a change of it does before it is saved, and how it ends.
import { useState } from 'react'
import { startOfDay } from '../../../../../shared/time.ts'
import { HoldButton } from '../../../../base/kit/button.tsx'
import { Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { type FormOf, RecordForm } from '../../../../base/records/form.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { dayOf } from '../../../../base/time.ts'
import { weekdaysOf } from '../token-typed.ts'
import { t } from './says.ts'
import { deleteSchedule, finishSchedule, reconcile, type ScheduleKey, useRehearsal, useSchedule } from './schedule-data.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { endingOf, isWhole, outcomeOf, patternOf, type Schedule, type Typed, typedOf } from './schedules.ts'

const MOST = 8

/** Days in words, the first few of many. */
function useDays() {
  const { zone } = useHere()
  return (days: readonly string[]): string => {
    const said = days.slice(0, MOST).map(day => dayOf(startOfDay(zone, day), zone))
    return days.length > MOST ? t('schedule.more', { days: said.join(', '), n: days.length - MOST }) : said.join(', ')
  }
}

/** How far a schedule is. */
function Progress({ schedule: { counts, pattern } }: { schedule: Schedule }) {
  const days = useDays()
  const names = weekdaysOf().filter(({ day }) => (pattern.weekdays ?? []).includes(day))
  return (
    <>
      <p>
        {names.map(({ name }) => name).join(', ')} <span className="mono">{`${pattern.start_time}–${pattern.end_time}`}</span>
        {`, ${days([pattern.start_date])} – ${days([pattern.end_date])}`}
      </p>
      <p className="small">
        {counts.future === 0 ? t('schedule.none_ahead') : t('schedule.ahead', { n: counts.future })}
        {counts.running > 0 && ` ${t('schedule.running')}`}
        {counts.past > 0 && ` ${t('schedule.over', { n: counts.past })}`}
        {counts.edited > 0 && ` ${t('schedule.edited', { n: counts.edited })}`}
      </p>
    </>
  )
}

type Part = { of: ScheduleKey; schedule: Schedule; values: Typed; sending: boolean }

/** What the change that is typed does, asked of the service; not while it is sent, because the schedule has another version then. */
function Changes({ of, schedule, values, sending }: Part) {
  const days = useDays()
  const change = { pattern: patternOf(values), restore_dates: values.restore_dates }
  const same = JSON.stringify(patternOf(typedOf(schedule.pattern))) === JSON.stringify(change.pattern) && values.restore_dates.length === 0
  const { data, error } = useRehearsal(of, schedule.version, same || sending || !isWhole(values) ? null : change)
  const found = data == null ? [] : outcomeOf(data)
  return (
    <section aria-label={t('schedule.changes')} aria-live="polite" className="stack tight">
      <h3>{t('schedule.changes')}</h3>
      {found.map(one => (
        <p key={one.what} className="small">
          {t(`schedule.${one.what}`, { n: one.days.length, days: days(one.days) })}
        </p>
      ))}
      {(same || (data != null && found.length === 0)) && <p className="small soft">{t('schedule.same')}</p>}
      {error !== null && <FaultNote error={error} />}
    </section>
  )
}

/** Days that a person has removed from a schedule, and that can come back. */
function RemovedDays({ removed, form: { values, change } }: { removed: readonly string[]; form: FormOf<Typed> }) {
  const days = useDays()
  if (removed.length === 0) return null
  return (
    <fieldset className="fieldset stack tight">
      <legend>{t('schedule.removed_dates')}</legend>
      {removed.map(day => (
        <Tick
          key={day}
          label={t('schedule.put_back', { day: days([day]) })}
          checked={values.restore_dates.includes(day)}
          onChange={event =>
            change({
              restore_dates: event.target.checked ? [...values.restore_dates, day] : values.restore_dates.filter(one => one !== day),
            })
          }
        />
      ))}
    </fieldset>
  )
}

/** Finishes a schedule, or deletes one that hasn’t begun. */
function Ending({ of, schedule, onClose }: { of: ScheduleKey; schedule: Schedule; onClose(): void }) {
  const { fault, send } = useSend()
  const { name, permissions, version } = schedule
  const ending = endingOf(schedule)
  if (ending === null || !(ending === 'delete' ? permissions.can_delete : permissions.can_change)) return null
  const end = () =>
    send(async () => {
      await (ending === 'delete' ? deleteSchedule(of, version) : finishSchedule(of, version))
      toast(t(ending === 'delete' ? 'schedule.deleted' : 'schedule.finished', { name }))
      onClose()
    })
  return (
    <>
      <p className="small soft">{t(`schedule.${ending}_says`)}</p>
      {fault !== null && <FaultNote error={fault} />}
      <HoldButton look="danger" onHeld={() => void end()}>
        {t(`schedule.${ending}`)}
      </HoldButton>
    </>
  )
}

/** Changes a schedule as it was when the form was opened: what someone else has changed since is refused, and not overwritten. */
function ScheduleForm({ of, now, onClose }: { of: ScheduleKey; now: Schedule; onClose(): void }) {
  const [schedule] = useState(now)
  const [sending, setSending] = useState(false)
  const save = (values: Typed) => {
    setSending(true)
    const change = { pattern: patternOf(values), restore_dates: values.restore_dates }
    return reconcile(of, schedule.version, change).catch(fault => {
      setSending(false)
      throw fault
    })
  }
  return (
    <RecordForm<Typed>
      side
      title={t('schedule.title', { name: schedule.name })}
      name={`schedule ${of.group_id}`}
      body="ReconcileSchedule"
      inside="pattern"
      start={typedOf(schedule.pattern)}
      save={save}
      said={t('schedule.saved', { name: schedule.name })}
      onClose={onClose}
    >
      {form => (
        <>
          <Progress schedule={now} />
          <ScheduleFields form={form} days="all" />
          <RemovedDays removed={schedule.removed_dates} form={form} />
          <Changes of={of} schedule={schedule} values={form.values} sending={sending} />
          <Ending of={of} schedule={now} onClose={onClose} />
        </>
      )}
    </RecordForm>
  )
}

type Given = ScheduleKey & { onClose(): void }

/** Shows a schedule, and changes it where the caller can. */
export default function ScheduleWindow({ kind, group_id, onClose }: Given) {
  const of = { kind, group_id }
  const asked = useSchedule(of)
  const schedule = asked.data
  if (schedule?.permissions.can_change) return <ScheduleForm of={of} now={schedule} onClose={onClose} />
  return (
    <Window side title={schedule === undefined ? t('schedule.open') : t('schedule.title', { name: schedule.name })} onClose={onClose}>
      {schedule === undefined ? <Wait query={asked} /> : <Progress schedule={schedule} />}
    </Window>
  )
}
