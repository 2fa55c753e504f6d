import { Suspense, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { part } from '../../../../base/part.tsx'
import { Search } from '../../../../base/records/filters.tsx'
import { Views } from '../../../../base/records/views.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { hasWord, t, tOf } from '../../../../base/words.ts'
import { type Filters, narrowedBy, unfiltered, VIEWED } from '../model.ts'

const MoreFilters = part(() => import('./more-filters.tsx'))

const QUICK = ['mine', 'soon', 'countersign', 'handed_back', 'stopped'] as const
/** With the switch that adds imported permits, which filters nothing. */
const PILLS = [...QUICK, 'imported'] as const

/** The filters that fit above the board on a phone; the others are in the filter panel. */
const ON_PHONE: readonly string[] = ['mine', 'imported']

type Given = { filters: Filters; typed: string; onType(text: string): void; onChange(change: Record<string, string | undefined>): void }

/** The board's filters. Typing filters what is loaded immediately; the service is queried a moment later. */
export function FilterBar({ filters, typed, onType, onChange }: Given) {
  const [open, setOpen] = useState(false)
  const count = narrowedBy(filters)
  const more = count - (filters.q === undefined ? 0 : 1) - QUICK.filter(name => filters[name] !== undefined).length
  return (
    <search className="filters">
      <Search label={t('board.search')} typed={typed} onType={onType} onAsk={q => onChange({ q })} />
      <div className="quick">
        {PILLS.map(name => (
          <Button
            key={name}
            className={`pill${ON_PHONE.includes(name) ? '' : ' desk-only'}`}
            aria-pressed={filters[name] !== undefined}
            onClick={() => onChange({ [name]: filters[name] === undefined ? '1' : undefined })}
          >
            {name === 'imported' && filters.imported === 'only' ? t('board.imported.only') : t(`board.quick.${name}`)}
          </Button>
        ))}
        <Button className="pill" aria-expanded={open} onClick={() => setOpen(true)}>
          <Glyph name="filter" size={16} />
          {t('board.filters')}
          {more > 0 && <span className="badge act">{more}</span>}
        </Button>
        <Views
          names={VIEWED}
          onChoose={place => {
            onType(place.q ?? '')
            onChange(place)
          }}
        />
        <LedHere filters={filters} onChange={onChange} />
        {count > 0 && (
          <Button
            look="quiet"
            className="pill"
            onClick={() => {
              onType('')
              onChange(unfiltered(filters))
            }}
          >
            {t('board.clear')}
          </Button>
        )}
      </div>
      {open && (
        <Suspense>
          <MoreFilters filters={filters} quick={QUICK} onChange={onChange} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </search>
  )
}

/** Filters that another page led here with; each can be removed, but not set here. */
function LedHere({ filters, onChange }: Pick<Given, 'filters' | 'onChange'>) {
  const { zone } = useHere()
  const { show, since, register } = filters
  return (
    <>
      {show !== undefined && hasWord(`now.${show}`) && (
        <Button className="pill" aria-pressed onClick={() => onChange({ show: undefined })}>
          {tOf('now', show)}
        </Button>
      )}
      {since !== undefined && (
        <Button className="pill" aria-pressed onClick={() => onChange({ since: undefined })}>
          {t('now.since', { when: momentOf(since, zone) })}
        </Button>
      )}
      {register !== undefined && (
        <Button className="pill" aria-pressed onClick={() => onChange({ register: undefined })}>
          {t('board.register')}
        </Button>
      )}
    </>
  )
}
