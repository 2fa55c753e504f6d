import { SIDE_KINDS, type SideKind } from '../../../../../shared/predicates/entity.ts'
import { inWords } from '../../../../base/kit/fault-words.ts'
import { useFault } from '../../../../base/kit/faults.tsx'
import { Choices, NumberField, Tick } from '../../../../base/kit/field.tsx'
import { canHaveMatrix, type Draft } from '../draft.ts'
import { t } from '../says.ts'

type Given = { draft: Draft; may: boolean; set(part: Partial<Draft>): void }

/** What the two sides can be. */
export function Sides({ draft, may, set }: Given) {
  return (
    <fieldset className="fieldset stack tight">
      <legend>{t('clash.sides')}</legend>
      <div className="sides">
        {(['a', 'b'] as const).map(side => (
          <Side
            key={side}
            label={t(`clash.side_${side}`)}
            kinds={draft[side]}
            may={may}
            at={side}
            onChange={kinds => set({ [side]: kinds })}
          />
        ))}
      </div>
    </fieldset>
  )
}

type SideGiven = { label: string; kinds: SideKind[]; may: boolean; at: string; onChange(kinds: SideKind[]): void }

function Side({ label, kinds, may, at, onChange }: SideGiven) {
  const found = useFault(at)
  const fault = kinds.length === 0 ? t('clash.no_kinds') : found
  return (
    <fieldset className="fieldset side">
      <legend>{label}</legend>
      {SIDE_KINDS.map(kind => (
        <Tick
          key={kind}
          label={t(`clash.kind.${kind}`)}
          disabled={!may}
          checked={kinds.includes(kind)}
          onChange={event => onChange(SIDE_KINDS.filter(one => (one === kind ? event.target.checked : kinds.includes(one))))}
        />
      ))}
      {fault !== undefined && (
        <p className="fault" role="alert">
          {inWords(fault)}
        </p>
      )}
    </fieldset>
  )
}

const MODES = ['same', 'within', 'any'] as const

/** On which levels two sides clash. */
export const Levels = ({ draft, may, set }: Given) => (
  <div className="row fields">
    <Choices
      label={t('clash.levels')}
      options={MODES.map(value => ({ value, label: t(`clash.levels.${value}`) }))}
      value={draft.mode}
      onChoose={mode => may && set({ mode })}
    />
    {draft.mode === 'within' && (
      <NumberField
        label={t('clash.max_gap')}
        required
        disabled={!may}
        min={1}
        max={50}
        step={1}
        value={draft.max_gap}
        onChange={typed => set({ max_gap: typed.target.value })}
      />
    )}
  </div>
)

/** How the times of the two sides are compared. */
export const Times = ({ draft, may, set }: Given) => (
  <div className="row fields">
    <NumberField
      label={t('clash.buffer')}
      hint={t('clash.buffer_says')}
      required
      disabled={!may}
      min={0}
      max={1440}
      step={1}
      value={draft.buffer}
      onChange={typed => set({ buffer: typed.target.value })}
    />
    <NumberField
      label={t('clash.overlap')}
      hint={t('clash.overlap_says')}
      required
      disabled={!may}
      min={0}
      max={1440}
      step={1}
      value={draft.overlap}
      onChange={typed => set({ overlap: typed.target.value })}
    />
  </div>
)

/** How severe a clash is: always the same, or by the types of two permits. */
export function Outcome({ draft, may, set }: Given) {
  const outcomes = canHaveMatrix(draft) ? (['amber', 'red', 'matrix'] as const) : (['amber', 'red'] as const)
  return (
    <div className="row fields">
      <Choices<Draft['outcome']>
        label={t('clash.outcome')}
        options={outcomes.map(value => ({ value, label: t(`clash.severity.${value}`) }))}
        value={draft.outcome}
        onChoose={outcome => may && set({ outcome })}
      />
      {draft.outcome === 'matrix' && (
        <NumberField
          label={t('clash.distance')}
          hint={t('clash.distance_says')}
          required
          disabled={!may}
          min={0}
          max={500}
          value={draft.distance}
          onChange={typed => set({ distance: typed.target.value })}
        />
      )}
    </div>
  )
}
