// Makes something that is on the map once repeat.
import { startOfDay } from '../../../../../shared/time.ts'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { dayOf } from '../../../../base/time.ts'
import { t } from './says.ts'
import { repeat } from './schedule-data.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { patternOf, repeatOf, type Typed } from './schedules.ts'

type Given = {
  kind: 'worker' | 'plant'
  token: { id: string; version: number; name: string; start_at: string; end_at: string }
  onClose(): void
}

/** Asks on which days something repeats, and until when. */
export default function RepeatWindow({ kind, token, onClose }: Given) {
  const { zone } = useHere()
  return (
    <RecordForm<Typed>
      side
      title={t('schedule.repeat_title', { name: token.name })}
      name={`repeat ${token.id}`}
      body="ReconcileSchedule"
      inside="pattern"
      start={repeatOf(token, zone)}
      save={values => repeat(kind, token, patternOf(values))}
      said={({ end_date }) => ({ text: t('schedule.repeated', { name: token.name, day: dayOf(startOfDay(zone, end_date), zone) }) })}
      onClose={onClose}
    >
      {form => (
        <>
          <p className="small soft">{t('schedule.repeat_says')}</p>
          <ScheduleFields form={form} days="regular" />
        </>
      )}
    </RecordForm>
  )
}
