import { useRef, useState } from 'react'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { Empty, toast, toastFault, Wait } from '../../../../base/kit/note.tsx'
import { useShifts } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../says.ts'
import { changeSite, endShift, type Shift, type Site, type SiteChange, siteNow, useSite } from './data.ts'
import { ShiftWindow, Weekdays } from './shift-window.tsx'

/** The site's working hours: shifts, working days, and exceptions. */
export function Hours() {
  const { site_id } = useHere()
  const site = useSite(site_id)
  const loaded = useShifts(site_id)
  const shifts = loaded.data?.filter(shift => shift.contractor_id === null)
  const [editing, setEditing] = useState<Shift | 'new' | null>(null)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  if (site.data === undefined) return <Wait query={site} rows={3} />
  const may = site.data.permissions.configure.allowed
  const { data } = site
  /**
   * Saves changes one after another, because the service would otherwise refuse a quick second change due to the first. Resolves to whether the
   * service accepted it.
   */
  const change = (body: SiteChange): Promise<boolean> => {
    const done = last.current.then(async () => {
      try {
        await changeSite(siteNow(data), body)
        toast(t('common.saved'))
        return true
      } catch (error) {
        toastFault(error)
        return false
      }
    })
    last.current = done
    return done
  }
  return (
    <>
      <section className="stack" aria-label={t('hours.shifts')}>
        <div className="row spread">
          <h2>{t('hours.shifts')}</h2>
          {may && (
            <Button look="primary" onClick={() => setEditing('new')}>
              {t('hours.add')}
            </Button>
          )}
        </div>
        <Wait query={loaded} rows={2} height={56} />
        {shifts?.length === 0 && <Empty>{t('hours.no_shifts')}</Empty>}
        <ul className="lines">
          {(shifts ?? []).map(shift => (
            <li key={shift.id}>
              <span className="stack tight grow">
                <span className="strong">{shift.name}</span>
                <span className="soft small">
                  <span className="mono">
                    {shift.start_time}–{shift.end_time}
                  </span>
                  {' · '}
                  {shift.weekdays === null ? t('hours.every_day') : shift.weekdays.map(day => tOf('weekday', String(day))).join(' ')}
                  {shift.breaks.map(one => ` · ${t('hours.break', { from: one.start_time, to: one.end_time })}`)}
                </span>
              </span>
              {may && (
                <span className="row">
                  <Button aria-label={t('hours.change_one', { name: shift.name })} onClick={() => setEditing(shift)}>
                    {t('hours.change')}
                  </Button>
                  <HoldButton
                    look="danger"
                    aria-label={t('hours.end_one', { name: shift.name })}
                    onHeld={() =>
                      void endShift(shift)
                        .then(() => toast(t('hours.ended', { name: shift.name })))
                        .catch(toastFault)
                    }
                  >
                    {t('hours.end')}
                  </HoldButton>
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section className="panel stack" aria-label={t('hours.weekdays')}>
        <WorkingDays key={site.data.version} given={site.data.work_weekdays ?? [1, 2, 3, 4, 5]} may={may} onChange={change} />
      </section>
      <Days site={site.data} field="holidays" title={t('hours.free')} may={may} onChange={change} />
      <Days site={site.data} field="extra_work_dates" title={t('hours.extra')} may={may} onChange={change} />
      {editing !== null && (
        <ShiftWindow shift={editing === 'new' ? null : editing} today={site.data.today} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

/** Working days: a change shows immediately, and a refused one is undone when the site is read again. */
function WorkingDays({ given, may, onChange }: { given: readonly number[]; may: boolean; onChange(body: SiteChange): Promise<boolean> }) {
  const [days, setDays] = useState(given)
  return (
    <Weekdays
      legend={t('hours.weekdays')}
      disabled={!may}
      value={days}
      onChange={work_weekdays => {
        setDays(work_weekdays)
        void onChange({ work_weekdays })
      }}
    />
  )
}

function Days({
  site,
  field,
  title,
  may,
  onChange,
}: {
  site: Site
  field: 'holidays' | 'extra_work_dates'
  title: string
  may: boolean
  onChange(body: SiteChange): Promise<boolean>
}) {
  const [day, setDay] = useState({ date: '', name: '' })
  const days = site[field]
  const add = async () => {
    const added = await onChange({ [field]: [...days, day].toSorted((a, b) => a.date.localeCompare(b.date)) })
    if (added) setDay({ date: '', name: '' })
  }
  return (
    <section className="panel stack" aria-label={title}>
      <h2>{title}</h2>
      {days.length === 0 && <p className="soft">{t('hours.no_days')}</p>}
      <ul className="lines">
        {days.map(one => (
          <li key={one.date}>
            <span className="grow">
              <span className="mono">{one.date}</span> {one.name}
            </span>
            {may && (
              <Button
                look="quiet"
                aria-label={t('hours.remove_day', { name: one.name })}
                onClick={() => void onChange({ [field]: days.filter(other => other.date !== one.date) })}
              >
                {t('common.delete')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {may && (
        <form
          className="row day-form"
          onSubmit={event => {
            event.preventDefault()
            void add()
          }}
        >
          <TextField
            label={t('hours.day')}
            type="date"
            required
            value={day.date}
            onChange={event => setDay({ ...day, date: event.target.value })}
          />
          <TextField
            label={t('hours.day_name')}
            required
            maxLength={100}
            value={day.name}
            onChange={event => setDay({ ...day, name: event.target.value })}
          />
          <Button type="submit">{t('hours.add_day')}</Button>
        </form>
      )}
    </section>
  )
}
