// Text labels next to the map: the list of what it shows, and the panel of a selected one.
import { useMemo } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf, windowOf } from '../../../../base/time.ts'
import { wordsFrom } from '../crowding.ts'
import { useLabelStyles } from '../label-styles-data.ts'
import { byText, labelName } from '../labels.ts'
import type { Frame } from '../model.ts'
import { t } from '../says.ts'
import type { TextLabel } from '../signs.ts'
import { Around } from './floating.tsx'
import { useMore } from './more.tsx'
import { Called } from './place-list.tsx'

type ListGiven = { labels: readonly TextLabel[]; live: boolean; chosen: string | null; onChoose(label: TextLabel): void }

/** Returns a function for the name of a label’s style; null until the styles are loaded. */
function useStyleNames(): (label: Pick<TextLabel, 'style_key'>) => string | null {
  const { data } = useLabelStyles(useHere().site_id)
  return ({ style_key }) => data?.styles.find(({ key }) => key === style_key)?.name ?? null
}

/** The labels by their text; a tap shows one on the map. */
export function LabelList({ labels, live, chosen, onChoose }: ListGiven) {
  const { canChange } = useHere()
  const rows = useMemo(() => byText(labels), [labels])
  const { shown, more } = useMore(rows)
  const nameOf = useStyleNames()
  const crowded = useMemo(() => wordsFrom(labels) > 0, [labels])
  const writes = live && canChange('map_entity_edit')
  if (rows.length === 0 && !writes) return null
  return (
    <>
      <h2>{t('label.title')}</h2>
      {writes && <p className="soft small">{t('label.how')}</p>}
      {crowded && <p className="soft small">{t('label.crowded')}</p>}
      {rows.length > 0 && (
        <ul className="frame-list">
          {shown.map(label => (
            <li key={label.id}>
              <button type="button" className="frame-row" aria-pressed={label.id === chosen} onClick={() => onChoose(label)}>
                <Glyph name="text" size={16} />
                <span className="grow cut two-lines">
                  <bdi>{labelName(label)}</bdi>
                </span>
                <span className="soft small">
                  <bdi>{nameOf(label)}</bdi>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {more}
    </>
  )
}

/** A summary of a label: its text with its first line as the title, whose it is, where, and until when. `onEdit` is null for people who can’t change it. */
export function LabelNote({
  label,
  frame,
  onEdit,
  onClose,
}: {
  label: TextLabel
  frame: Frame
  onEdit: (() => void) | null
  onClose(): void
}) {
  const { site_id, zone } = useHere()
  const { data: contractors } = useContractors(site_id, 'all')
  const style = useStyleNames()(label)
  const contractor = contractors?.find(one => one.id === label.contractor_id)
  const { place } = label
  const feature = frame.get(place.zone_id ?? '') ?? frame.get(place.building_id ?? '')
  const level = frame.get(place.building_id ?? '')?.levels.find(({ index }) => index === place.level_index)
  const name = labelName(label)
  const rest = label.text.trim().slice(name.length).trim()
  return (
    <Around label={<bdi>{name}</bdi>} onClose={onClose}>
      {rest !== '' && (
        <p className="label-lines strong">
          <bdi>{rest}</bdi>
        </p>
      )}
      <p className="small">
        {t('label.new')}
        {style !== null && (
          <>
            {' · '}
            <bdi>{style}</bdi>
          </>
        )}
        {contractor !== undefined && (
          <>
            {' · '}
            <span className="swatch" style={{ background: contractor.colour }} aria-hidden /> <bdi>{contractor.name}</bdi>
          </>
        )}
      </p>
      {feature !== undefined && (
        <p className="small">
          <Called feature={feature} />
          {level !== undefined && ` · ${level.name}`}
        </p>
      )}
      <p className="small mono">
        {label.end_at === null ? t('token.since', { time: momentOf(label.start_at, zone) }) : windowOf(label.start_at, label.end_at, zone)}
      </p>
      {label.notes !== null && <p className="small">{label.notes}</p>}
      {onEdit !== null && <Button onClick={onEdit}>{t('common.edit')}</Button>}
    </Around>
  )
}
