import { useEffect, useMemo, useState } from 'react'
import { startOfDay } from '../../../../shared/time.ts'
import { fetchFile } from '../../../base/api.ts'
import { usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Empty, toastFault, Wait } from '../../../base/kit/note.tsx'
import { saveFile } from '../../../base/save.ts'
import { useHere } from '../../../base/site.tsx'
import { clockOf, dayOf } from '../../../base/time.ts'
import { t, tOf } from '../../../base/words.ts'
import { type Row, useTimeline } from './data.ts'
import { byDay, filterOf, queryText } from './model.ts'
import { Check } from './parts/check.tsx'
import { Days } from './parts/days.tsx'
import { EntryWindow } from './parts/entry-window.tsx'
import { Filters } from './parts/filters.tsx'
import './audit.css'

/** The site's audit log in plain text: by day, and within a day by request, job or import. */
export default function Audit() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const filter = useMemo(() => filterOf(place, here.zone), [place, here.zone])
  const timeline = useTimeline(here.site_id, filter)
  const [open, setOpen] = useState<Row | null>(null)
  const [saving, setSaving] = useState(false)
  useEffect(() => {
    document.title = `${t('nav.audit')} · ${here.name}`
  }, [here.name])
  const rows = timeline.data?.pages.flatMap(page => page.rows) ?? []
  const save = async () => {
    setSaving(true)
    try {
      const file = await fetchFile(`/audit/site/${here.site_id}?${queryText({ ...filter, format: 'csv' } as typeof filter)}`)
      saveFile('audit log.csv', file)
    } catch (error) {
      toastFault(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className="stack audit-page">
      <header className="row spread">
        <h1>{t('audit.title')}</h1>
        <Button disabled={saving} title={t('audit.csv_says')} onClick={() => void save()}>
          <Glyph name="import" />
          {t('audit.csv')}
        </Button>
      </header>
      <Check />
      <Filters place={place} onChange={setPlace} />
      <div className="audit-log">
        <Days chosen={place.day} onChoose={day => setPlace({ day })} />
        <section className="stack" aria-label={t('audit.timeline')}>
          <Wait query={timeline} rows={6} height={48} />
          {timeline.data !== undefined && rows.length === 0 && <Empty>{t('audit.nothing')}</Empty>}
          {byDay(rows).map(({ day, rows: own }) => (
            <section key={day} className="stack tight">
              <h2>{dayOf(startOfDay(here.zone, day), here.zone)}</h2>
              <ol className="lines">
                {own.map(row => (
                  <li key={row.batch_id ?? `${row.at} ${row.sentence}`}>
                    <span className="mono soft small">{row.at === undefined ? '' : clockOf(row.at, here.zone)}</span>
                    <span className="grow">
                      {row.sentence}
                      {row.entity == null && (
                        <span className="soft small kinds">
                          {Object.entries(row.counts)
                            .map(([kind, n]) => `${tOf('kind', kind)} ${n}`)
                            .join(' · ')}
                        </span>
                      )}
                    </span>
                    <Button aria-label={t('audit.open_one', { sentence: row.sentence ?? '' })} onClick={() => setOpen(row)}>
                      {t('audit.open')}
                    </Button>
                  </li>
                ))}
              </ol>
            </section>
          ))}
          {timeline.hasNextPage && (
            <Button disabled={timeline.isFetchingNextPage} onClick={() => void timeline.fetchNextPage()}>
              {t('common.load_more')}
            </Button>
          )}
        </section>
      </div>
      {open !== null && <EntryWindow row={open} onClose={() => setOpen(null)} />}
    </div>
  )
}
