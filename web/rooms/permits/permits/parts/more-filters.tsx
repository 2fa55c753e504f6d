import { Button } from '../../../../base/kit/button.tsx'
import { Choice, Tick } from '../../../../base/kit/field.tsx'
import { ContractorPick, PeriodPick, PersonPick } from '../../../../base/kit/pickers.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { usePermitTypes } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import type { Filters } from '../model.ts'

type Given = {
  filters: Filters
  /** Filters that are one tap above the board. */
  quick: readonly ('mine' | 'soon' | 'countersign' | 'handed_back' | 'stopped')[]
  onChange(change: Record<string, string | undefined>): void
  onClose(): void
}

/** All filters of the board, in a window of their own. */
export default function MoreFilters({ filters, quick, onChange, onClose }: Given) {
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
      {quick.map(name => (
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
