import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, Tick } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { ContractorPick, PeriodPick, PersonPick } from '../../../../base/kit/pickers.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { usePermitTypes } from '../../../../base/lists.ts'
import { Search } from '../../../../base/records/filters.tsx'
import { Views } from '../../../../base/records/views.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { hasWord, t, tOf } from '../../../../base/words.ts'
import { type Filters, narrowedBy, unfiltered, VIEWED } from '../model.ts'

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
            {t(`board.quick.${name}`)}
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
      {open && <MoreFilters filters={filters} onChange={onChange} onClose={() => setOpen(false)} />}
    </search>
  )
}

/** Filters that another page led here with; each can be removed, but not set here. */
function LedHere({ filters, onChange }: Pick<Given, 'filters' | 'onChange'>) {
  const { zone } = useHere()
  const { show, since } = filters
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
    </>
  )
}

function MoreFilters({ filters, onChange, onClose }: { filters: Filters; onChange: Given['onChange']; onClose(): void }) {
  const { site_id } = useHere()
  const types = usePermitTypes(site_id)
  return (
    <Window title={t('board.filters')} side onClose={onClose} onSubmit={onClose}>
      <Choice
        label={t('permit.types')}
        empty={t('common.all')}
        value={filters.type ?? ''}
        options={(types.data ?? []).map(type => ({ value: type.code, label: `${type.code} ${type.name}` }))}
        onChange={event => onChange({ type: event.target.value || undefined })}
      />
      <ContractorPick
        label={t('permit.contractor')}
        all
        empty={t('common.all')}
        value={filters.contractor ?? ''}
        onPick={id => onChange({ contractor: id || undefined })}
      />
      <PersonPick
        label={t('permit.receiver')}
        empty={t('common.all')}
        value={filters.receiver ?? ''}
        onPick={id => onChange({ receiver: id || undefined })}
      />
      <PeriodPick
        labels={{ from: t('board.from'), to: t('board.to') }}
        value={{ from: filters.from ?? null, to: filters.to ?? null }}
        onPick={change => onChange(Object.fromEntries(Object.entries(change).map(([end, at]) => [end, at ?? undefined])))}
      />
      {QUICK.map(name => (
        <Tick
          key={name}
          label={t(`board.quick.${name}`)}
          checked={filters[name] === '1'}
          onChange={event => onChange({ [name]: event.target.checked ? '1' : undefined })}
        />
      ))}
      <Choice
        label={t('board.imported')}
        empty={t('board.imported.none')}
        value={filters.imported ?? ''}
        options={(['1', 'only'] as const).map(value => ({ value, label: t(`board.imported.${value}`) }))}
        onChange={event => onChange({ imported: event.target.value || undefined })}
      />
      <Tick
        label={t('board.over')}
        checked={filters.over === '1'}
        onChange={event => onChange({ over: event.target.checked ? '1' : undefined })}
      />
      <Button look="primary" type="submit" wide>
        {t('board.show')}
      </Button>
    </Window>
  )
}
