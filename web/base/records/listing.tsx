import { type ReactNode, useDeferredValue, useRef, useState } from 'react'
import { csvOf } from '../../../shared/csv.ts'
import { usePlace } from '../go.tsx'
import { useKeys } from '../keys.ts'
import { Button } from '../kit/button.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { Empty, Stale, Wait } from '../kit/note.tsx'
import { saveFile } from '../save.ts'
import { useHere } from '../site.tsx'
import { Body, type Chosen } from './body.tsx'
import { BulkBar } from './bulk.tsx'
import { type Filter, FilterFields, Search, useTyped } from './filters.tsx'
import { grouped, narrowed } from './narrow.ts'
import { t } from './says.ts'
import type { Bulk, More, RowLook, Selection, Source } from './types.ts'
import { Views } from './views.tsx'
import './listing.css'

type Given<R> = RowLook<R> & {
  /** The name of the list, for screen readers and files. */
  label: string
  /** The query whose state is shown; `rows` come from it. */
  query: Source
  rows: readonly R[]
  /** A search field; without `texts`, the service searches. */
  search?: { label: string; texts?(row: R): readonly (string | null | undefined)[] }
  filters?: readonly Filter[]
  /** The number of rows, in words. */
  count?(n: number): string
  /** Buttons of the list, for example to add a record. */
  actions?: ReactNode
  /** What an empty list says, with one thing to do. Then `actions` aren't shown, because they would be the same. */
  empty: { says: string; action?: ReactNode }
  bulk?: readonly Bulk<R>[]
  /** The page selects rows itself, instead of `bulk`. */
  selection?: Selection<R>
  /** Offers the rows as a file with this name. */
  csv?: string
  more?: More
  /** Height in px of a row that is loading. */
  height?: number
}

const NOBODY: ReadonlySet<string> = new Set()
/** Controls to which arrow keys belong. */
const TYPED = 'input:not([type="checkbox"]), select, textarea, [popover]'

/** A list of records: search and filters in the URL, a count, rows by keyboard, bulk actions, a file, and every state of its data. */
export function Listing<R>({
  label,
  query,
  rows,
  search,
  filters = [],
  count,
  actions,
  empty,
  bulk,
  selection,
  csv,
  more,
  height = 56,
  ...look
}: Given<R>) {
  const { zone } = useHere()
  const [place, setPlace] = usePlace()
  const [typed, setTyped] = useTyped()
  const [own, setOwn] = useState(NOBODY)
  const [ids, setIds] = selection === undefined ? [own, setOwn] : [selection.ids, selection.set]
  const late = useDeferredValue(typed)
  const list = useRef<HTMLDivElement>(null)
  const shown = search?.texts === undefined ? rows : narrowed(rows, late, search.texts)
  const set = filters.filter(filter => place[filter.name] !== undefined)
  const isNarrowed = typed.trim() !== '' || set.length > 0
  const params = [...(search === undefined ? [] : ['q']), ...filters.map(filter => filter.name)]
  const clear = () => {
    setTyped('')
    setPlace(Object.fromEntries(params.map(name => [name, undefined])))
  }
  const isChosen = selection !== undefined || (bulk !== undefined && bulk.length > 0)
  const chosen: Chosen = isChosen
    ? {
        ids,
        toggle: id => setIds(toggled(ids, id)),
        all: on => setIds(on ? new Set(shown.map(look.idOf)) : NOBODY),
      }
    : null
  // Where a page has several lists, the keys belong to the one with the focus, or else to the first.
  const isEmpty = query.data !== undefined && shown.length === 0 && more?.has !== true
  const isBare = isEmpty && !isNarrowed
  const isMine = () => (document.activeElement?.closest('.listing') ?? document.querySelector('.listing')) === list.current
  const focused = () => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
  const move = (by: number) => {
    if (isMine()) moveRow(list.current, by)
  }
  const choose = () => {
    const id = focused()
    if (isMine() && id !== undefined) chosen?.toggle(id)
  }
  const views = <Views names={params} onChoose={setPlace} />
  useKeys({ j: () => move(1), k: () => move(-1), ...(chosen === null ? {} : { x: choose }) })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the rows inside.
    <div
      ref={list}
      className="listing stack"
      onKeyDown={event => {
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        if (by === 0 || !(event.target instanceof Element) || event.target.closest(TYPED) !== null) return
        if (event.target.closest('[data-row]') === null) return
        event.preventDefault()
        const from = focused()
        moveRow(list.current, by)
        // With Shift, the rows on the way are selected.
        if (event.shiftKey && chosen !== null) setIds(new Set([...ids, ...[from, focused()].flatMap(id => id ?? [])]))
      }}
    >
      {(search !== undefined || filters.length > 0 || actions !== undefined || csv !== undefined || count !== undefined) && (
        <div className="row spread listing-head">
          <search className="row">
            {search !== undefined && (
              <Search label={search.label} className="finder" typed={typed} onType={setTyped} onAsk={q => setPlace({ q })} />
            )}
            {search !== undefined && views}
            <FilterFields filters={filters} />
            {search === undefined && filters.length > 0 && views}
            {isNarrowed && (
              <Button look="quiet" onClick={clear}>
                {t('listing.clear')}
              </Button>
            )}
            {count !== undefined && query.data !== undefined && (more?.has !== true || more.says !== undefined) && (
              <span className="soft" role="status">
                {more?.has === true ? more.says : count(shown.length)}
              </span>
            )}
          </search>
          <span className="row">
            {csv !== undefined && shown.length > 0 && (
              <Button look="quiet" title={t('listing.csv_says')} onClick={() => save(csv, shown, look)}>
                <Glyph name="import" />
                {t('listing.csv')}
              </Button>
            )}
            {!(isBare && empty.action !== undefined) && actions}
          </span>
        </div>
      )}
      <Wait query={query} rows={4} height={height} />
      {isNarrowed && <p className="print-only small strong">{t('listing.print_narrowed')}</p>}
      {more?.has === true && <p className="print-only small strong">{t('listing.print_partial')}</p>}
      {query.error !== null && query.data !== undefined && <Stale at={query.dataUpdatedAt} zone={zone} />}
      {isEmpty && (
        <Empty action={isNarrowed ? <Button onClick={clear}>{t('listing.clear')}</Button> : empty.action}>
          {isNarrowed ? t('listing.none_found') : empty.says}
        </Empty>
      )}
      {shown.length > 0 &&
        grouped(shown, look.groupOf).map(group => (
          <section key={group.key} className="stack tight">
            {group.head}
            <Body rows={group.rows} look={look} label={label} chosen={chosen} />
          </section>
        ))}
      {more?.has === true && (
        <Button aria-busy={more.busy} onClick={more.load}>
          {t('common.load_more')}
        </Button>
      )}
      {selection?.bar(shown)}
      {bulk !== undefined && (
        <BulkBar rows={shown.filter(row => ids.has(look.idOf(row)))} look={look} bulk={bulk} onClear={() => setIds(NOBODY)} />
      )}
    </div>
  )
}

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  ids.has(id) ? new Set([...ids].filter(one => one !== id)) : new Set([...ids, id])

/** Moves the focus to the row below or above; without a focused row, to the first or the last one. */
function moveRow(list: HTMLElement | null, by: number): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter(row => row.checkVisibility())
  const at = rows.findIndex(row => row.contains(document.activeElement))
  const row = at === -1 ? (by > 0 ? rows[0] : rows.at(-1)) : rows[Math.min(Math.max(at + by, 0), rows.length - 1)]
  const target = row?.querySelector<HTMLElement>('[data-open]') ?? row?.querySelector<HTMLElement>('a, button')
  target?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

function save<R>(name: string, rows: readonly R[], { columns = [] }: RowLook<R>): void {
  const told = columns.flatMap(({ head, text }) => (text === undefined ? [] : [{ head, text }]))
  const content = csvOf(
    told.map(column => column.head),
    rows.map(row => told.map(column => column.text(row))),
  )
  saveFile(`${name}.csv`, new Blob([content], { type: 'text/csv' }))
}
