import { useState } from 'react'
import { type CellOutcome, type LevelRule, OUTCOMES } from '../../../../../../shared/conflicts/rules.ts'
import { chosenFrom } from '../../../../../../shared/narrow.ts'
import { Button } from '../../../../../base/kit/button.tsx'
import { Choice, Choices, NumberField } from '../../../../../base/kit/field.tsx'
import { ANY, cellWith, isRemovable, pairOf, withCell, withoutChange } from '../../matrix.ts'
import { t } from '../../says.ts'
import type { MatrixGiven } from './given.ts'
import { givenBy, nameOf } from './labels.ts'

const MOST_M = 500
const MOST_GAP = 50
const MODES = ['same', 'within', 'any'] as const

/** The chosen pair: what it gives and why, its distance and its levels. */
export function CellPanel({ matrix, codes, may, chosen, onChange }: MatrixGiven) {
  const { x, y, choose } = chosen
  const pair = pairOf(matrix, x, y)
  const put = (part: { outcome?: CellOutcome; distance_m?: number; levels?: LevelRule }) =>
    onChange(withCell(matrix, x, y, cellWith(matrix, x, y, part)))
  const options = [
    ...codes.map(({ code, name }) => ({ value: code, label: `${code} ${name}` })),
    { value: ANY, label: t('clash.any_type') },
  ]
  const gap = pair.levels.mode === 'within' ? pair.levels.max_gap : 1
  return (
    <section className="panel stack" aria-label={t('clash.pair')}>
      <h2>{t('clash.pair')}</h2>
      <div className="pair-types">
        <Choice label={t('clash.pair_x')} value={x} options={options} onChange={event => choose(event.target.value, y)} />
        <Choice label={t('clash.pair_y')} value={y} options={options} onChange={event => choose(x, event.target.value)} />
      </div>
      <p>
        <span className={`cell-sign ${pair.outcome}`} aria-hidden>
          {t(`clash.mark.${pair.outcome}`)}
        </span>{' '}
        {t('clash.cell.label', { x: nameOf(codes, x), y: nameOf(codes, y), what: givenBy(pair) })}
      </p>
      <p className="soft small">
        {pair.key === null ? t('clash.decides_none') : t(pair.own ? 'clash.decides_own' : 'clash.decides', { key: pair.key })}
      </p>
      <Choices
        label={t('clash.outcome')}
        options={OUTCOMES.map(value => ({ value, label: t(`clash.cell.${value}`) }))}
        value={pair.outcome}
        onChoose={outcome => may && put({ outcome })}
      />
      {pair.outcome !== 'off' && (
        <>
          <Distance key={`${x} ${y} ${pair.distance_m}`} value={pair.distance_m} may={may} onChange={distance_m => put({ distance_m })} />
          <Choice
            label={t('clash.cell_levels')}
            disabled={!may}
            value={pair.levels.mode}
            options={MODES.map(value => ({ value, label: t(`clash.levels.${value}`) }))}
            onChange={event => {
              const mode = chosenFrom(MODES, event.target.value)
              put({ levels: mode === 'within' ? { mode, max_gap: gap } : { mode } })
            }}
          />
          {pair.levels.mode === 'within' && (
            <NumberField
              label={t('clash.max_gap')}
              disabled={!may}
              min={1}
              max={MOST_GAP}
              step={1}
              value={gap}
              onChange={typed => {
                const max_gap = Number(typed.target.value)
                if (Number.isInteger(max_gap) && max_gap >= 1 && max_gap <= MOST_GAP) put({ levels: { mode: 'within', max_gap } })
              }}
            />
          )}
        </>
      )}
      {may && (
        <div className="row">
          {isRemovable(pair) && <Button onClick={() => onChange(withCell(matrix, x, y, null))}>{t('clash.follow')}</Button>}
          {pair.changed && <Button onClick={() => onChange(withoutChange(matrix.changes, x, y))}>{t('clash.undo_cell')}</Button>}
        </div>
      )}
    </section>
  )
}

/** A distance takes effect when its field is left, so that what is typed half isn’t a change. */
function Distance({ value, may, onChange }: { value: number; may: boolean; onChange(metres: number): void }) {
  const [typed, setTyped] = useState(String(value))
  const metres = typed.trim() === '' ? Number.NaN : Number(typed)
  const isSound = metres >= 0 && metres <= MOST_M
  const done = () => {
    if (isSound && metres !== value) onChange(metres)
  }
  return (
    <NumberField
      label={t('clash.cell_distance')}
      disabled={!may}
      min={0}
      max={MOST_M}
      value={typed}
      fault={isSound ? undefined : t('clash.distance_fault')}
      onChange={event => setTyped(event.target.value)}
      onBlur={done}
      onKeyDown={event => {
        if (event.key === 'Enter') done()
      }}
    />
  )
}
