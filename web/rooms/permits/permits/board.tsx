import { Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useAfterPaint } from '../../../base/after-paint.ts'
import { useFrameOf } from '../../../base/frame.ts'
import { Go, usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Choices } from '../../../base/kit/field.tsx'
import { Empty, Skeleton, Stale, Wait } from '../../../base/kit/note.tsx'
import { edgesOf, useNow } from '../../../base/now.ts'
import { part } from '../../../base/part.tsx'
import { paths } from '../../../base/paths.ts'
import { usePrinting } from '../../../base/printing.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { PermitsMap } from '../../map/map/door.tsx'
import { useBoard, useFound } from './board-data.ts'
import { GROUPS, narrowedBy, shownOf } from './model.ts'
import { Columns } from './parts/columns.tsx'
import { FilterBar } from './parts/filters.tsx'
import { PrintList } from './parts/print-list.tsx'
import { Table } from './parts/table.tsx'
import { useHasImported } from './site-now.ts'
import { standingOf } from './standing.ts'

const BulkCloseOut = part(() => import('./parts/bulk.tsx'))
const FirstUse = part(() => import('./parts/first-use.tsx'))
const MINUTE = 60_000
/** What the number of live permits counts. */
const LIVE: readonly string[] = ['issued', 'stopped']
const NOBODY: ReadonlySet<string> = new Set()

/** Open permits, as columns, as a table or on the map: three views of one query, whose whole state is in the URL. */
export default function Board() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const [typed, setTyped] = useState(place.q ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NOBODY)
  const [closing, setClosing] = useState(false)
  const board = useBoard(here.site_id, place)
  const narrow = typed.trim()
  const search = useFound(here.site_id, place)
  const answered = narrow === (place.q ?? '') && !search.pending
  const found = narrow === (place.q ?? '') ? search.rows : undefined
  // Many cards are drawn piece by piece, so that updates from the service never delay a tap.
  const rows = useDeferredValue(board.rows)
  const drawn = rows === board.rows
  // Until the first cards are drawn, a skeleton has their place: columns below it would jump up.
  const waiting = rows.length === 0 && (!drawn || board.data === undefined)
  const now = useNow(
    MINUTE,
    useMemo(() => edgesOf(rows), [rows]),
  )
  // Permits become live and stop being so while the board is open.
  const live_at = place.show === 'live' ? now : null
  const frame = useFrameOf(rows)
  const shown = useMemo(() => {
    const all = shownOf(rows, narrow, place.mine === '1', frame, found)
    return live_at === null ? all : all.filter(row => LIVE.includes(standingOf(row, live_at)))
  }, [rows, narrow, place.mine, frame, found, live_at])
  const printing = usePrinting()
  useEffect(() => {
    document.title = `${t('board.title')} · ${here.name}`
  }, [here.name])
  const asked = place.view === 'table' || (place.view === 'map' && here.can('map_view')) ? place.view : 'columns'
  // The button responds immediately, however long the view takes to draw.
  const view = useAfterPaint(asked)
  const group = GROUPS.find(one => one === place.group) ?? 'status'
  const narrowed = narrowedBy(place) > 0 || narrow !== ''
  // A site that has only imported permits doesn't look empty: the board says that there are some.
  const nothing = board.data !== undefined && drawn && shown.length === 0 && board.whole && answered
  const imported = useHasImported(here.site_id, nothing && place.imported === undefined)
  const hidden = imported.data === true && place.imported === undefined
  // An empty board has nothing to filter.
  const bare = board.data !== undefined && board.rows.length === 0 && board.whole && !narrowed && !hidden
  return (
    <div className="board-page">
      <header className="row spread">
        <div className="row">
          <h1>{t('board.title')}</h1>
          <span className="soft">{t('board.count', { n: shown.length })}</span>
        </div>
        <div className="row">
          {!bare && (
            <Choices
              label={t('board.view')}
              hidden
              options={[
                { value: 'columns', label: t('board.view.columns') },
                { value: 'table', label: t('board.view.table') },
                ...(here.can('map_view') ? [{ value: 'map', label: t('board.view.map') }] : []),
              ]}
              value={asked}
              onChoose={next => setPlace({ view: next === 'columns' ? undefined : next })}
            />
          )}
          {!bare && asked === 'columns' && (
            <label className="row tight-row group-by">
              <span className="small soft">{t('board.group')}</span>
              <select
                className="input"
                value={group}
                onChange={event => setPlace({ group: event.target.value === 'status' ? undefined : event.target.value })}
              >
                {GROUPS.map(one => (
                  <option key={one} value={one}>
                    {t(`board.group.${one}`)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {!bare && here.canChange('permit_request') && (
            <Go className="btn primary" to={paths.request(here.site_id)}>
              {t('board.request')}
            </Go>
          )}
        </div>
      </header>
      {!bare && <FilterBar filters={place} typed={typed} onType={setTyped} onChange={setPlace} />}
      {(board.error ?? search.error) !== null && board.data !== undefined && <Stale at={board.dataUpdatedAt} zone={here.zone} />}
      {drawn || rows.length > 0 ? <Wait query={board} rows={4} height={120} /> : <Skeleton rows={4} height={120} />}
      {nothing &&
        (narrowed || hidden ? (
          <Empty action={hidden && <Button onClick={() => setPlace({ imported: '1' })}>{t('board.imported.show')}</Button>}>
            {t(narrowed ? 'board.nothing_found' : 'board.imported.there')}
          </Empty>
        ) : imported.isLoading ? (
          <Skeleton rows={4} />
        ) : (
          <Suspense fallback={<Skeleton rows={4} />}>
            <FirstUse />
          </Suspense>
        ))}
      {view === 'columns'
        ? !waiting && <Columns rows={shown} group={group} site_id={here.site_id} zone={here.zone} now={now} whole={board.whole} />
        : view === 'map'
          ? // A site without any permit gets the guide alone, not a map of nothing.
            board.data !== undefined && (shown.length > 0 || narrowed || !board.whole) && <PermitsMap rows={shown} now={now} />
          : shown.length > 0 && <Table rows={shown} now={now} chosen={chosen} onChoose={setChosen} />}
      {printing !== null && (
        <PrintList
          rows={shown}
          group={asked === 'columns' ? group : 'status'}
          at={printing}
          whole={board.whole && board.data !== undefined && answered}
          narrowed={narrowed}
          over={place.over === '1' || place.since !== undefined || place.register !== undefined}
          imported={place.imported !== undefined}
        />
      )}
      {chosen.size > 0 && (
        <div className="submit-bar" role="status">
          <span>{t('board.chosen', { n: chosen.size })}</span>
          <span className="row">
            <Button onClick={() => setChosen(NOBODY)}>{t('board.choose_none')}</Button>
            <Button look="primary" onClick={() => setClosing(true)}>
              {t('step.close_out')}
            </Button>
          </span>
        </div>
      )}
      {closing && (
        <Suspense>
          <BulkCloseOut
            site_id={here.site_id}
            ids={[...chosen]}
            onClose={() => setClosing(false)}
            onDone={() => {
              setClosing(false)
              setChosen(NOBODY)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
