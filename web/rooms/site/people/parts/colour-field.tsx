import { useMemo } from 'react'
import { farthestColours } from '../../../../../shared/colour.ts'
import { Choices, TextField } from '../../../../base/kit/field.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import type { Contractor } from '../data.ts'
import { t } from '../says.ts'

/** How many colours are offered. */
const OFFERED = 4

/** The colour of a contractor: which others look like it, and colours that are far from all in use. */
export function ColourField({ contractor, value, onColour }: { contractor: Contractor; value: string; onColour(colour: string): void }) {
  const { site_id } = useHere()
  const all = useContractors(site_id, 'all').data
  const alike = (all ?? []).filter(one => contractor.similar_to.includes(one.id))
  const far = useMemo(() => {
    const others = (all ?? []).filter(one => one.id !== contractor.id && one.status === 'active')
    return all === undefined
      ? []
      : farthestColours(
          others.map(one => one.colour),
          OFFERED,
        )
  }, [all, contractor.id])
  return (
    <>
      <TextField
        label={t('contractor.colour')}
        hint={t('contractor.colour_hint')}
        type="color"
        className="colour"
        at="colour"
        value={value}
        onChange={event => onColour(event.target.value)}
      />
      {alike.length > 0 && value === contractor.colour && (
        <p className="row tight-row small">
          {[contractor, ...alike].map(one => (
            <span key={one.id} className="swatch" style={{ background: one.colour }} />
          ))}
          {t('contractor.alike', { names: [contractor, ...alike].map(one => one.name).join(', ') })}
        </p>
      )}
      {far.length > 0 && (
        <Choices
          label={t('contractor.far')}
          options={far.map((colour, i) => ({
            value: colour,
            label: (
              <>
                <span className="swatch far" style={{ background: colour }} />
                <span className="unseen">{t('contractor.far_n', { n: i + 1 })}</span>
              </>
            ),
          }))}
          value={value}
          onChoose={onColour}
        />
      )}
    </>
  )
}
