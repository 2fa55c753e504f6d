import { useEffect, useMemo, useState } from 'react'
import { startOfDay } from '../../../../shared/time.ts'
import { fetchFile } from '../../../base/api.ts'
import { usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { toastFault } from '../../../base/kit/note.tsx'
import { useMembers } from '../../../base/lists.ts'
import { Listing } from '../../../base/records/listing.tsx'
import { saveFile } from '../../../base/save.ts'
import { useHere } from '../../../base/site.tsx'
import { clockOf, dayOf } from '../../../base/time.ts'
import { type Row, useTimeline } from './data.ts'
import { filterOf, queryText } from './model.ts'
import { Check } from './parts/check.tsx'
import { Days } from './parts/days.tsx'
import { EntryWindow } from './parts/entry-window.tsx'
import { filtersOf } from './parts/filters.ts'
import { t, tOf } from './says.ts'
import './audit.css'

/** The site's audit log in plain text: by day, and within a day by request, job or import. */
export default function Audit() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const filter = useMemo(() => filterOf(place, here.zone), [place, here.zone])
  const timeline = useTimeline(here.site_id, filter)
  const people = useMembers(here.site_id)
  const [open, setOpen] = useState<Row | null>(null)
  const [saving, setSaving] = useState(false)
  useEffect(() => {
    document.title = `${t('nav.audit')} · ${here.name}`
  }, [here.name])
  const rows = timeline.data?.pages.flatMap(page => page.rows) ?? []
  const save = async () => {
    setSaving(true)
    try {
      const file = await fetchFile(`/audit/site/${here.site_id}?${queryText({ ...filter, format: 'csv' })}`)
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
      <div className="audit-log">
        <Days chosen={place.day} onChoose={day => setPlace({ day })} />
        <Listing
          label={t('audit.timeline')}
          query={timeline}
          rows={rows}
          idOf={row => row.batch_id ?? `${row.at} ${row.sentence}`}
          nameOf={row => row.sentence ?? ''}
          groupOf={row => ({ key: row.work_date, head: <h2>{dayOf(startOfDay(here.zone, row.work_date), here.zone)}</h2> })}
          row={row => <Line row={row} />}
          actionsOf={row => (
            <Button aria-label={t('audit.open_one', { sentence: row.sentence ?? '' })} onClick={() => setOpen(row)}>
              {t('audit.open')}
            </Button>
          )}
          search={{ label: t('audit.find') }}
          filters={filtersOf(people.data ?? [])}
          empty={{ says: t('audit.nothing') }}
          more={{ has: timeline.hasNextPage, busy: timeline.isFetchingNextPage, load: () => void timeline.fetchNextPage() }}
          height={48}
        />
      </div>
      {open !== null && <EntryWindow row={open} onClose={() => setOpen(null)} />}
    </div>
  )
}

function Line({ row }: { row: Row }) {
  const { zone } = useHere()
  return (
    <>
      <span className="mono soft small">{row.at === undefined ? '' : clockOf(row.at, zone)}</span>
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
    </>
  )
}
