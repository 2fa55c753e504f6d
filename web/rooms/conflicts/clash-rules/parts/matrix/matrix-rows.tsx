import { Button } from '../../../../../base/kit/button.tsx'
import { Choice } from '../../../../../base/kit/field.tsx'
import { ANY, cellsWith, cycled, pairOf } from '../../matrix.ts'
import { t } from '../../says.ts'
import type { MatrixGiven } from './given.ts'
import { givenBy, labelOf, nameOf } from './labels.ts'

/** The matrix on a phone: the pairs of one type below each other. A tap on the sign changes a pair, and a tap on its name opens it below. */
export function MatrixRows({ matrix, codes, may, chosen, onChange }: MatrixGiven) {
  const shown = [...codes.map(type => type.code), ANY]
  const all = cellsWith(matrix)
  return (
    <div className="stack tight">
      <Choice
        label={t('clash.row_of')}
        value={chosen.x}
        options={shown.map(code => ({ value: code, label: code === ANY ? t('clash.any_type') : `${code} ${nameOf(codes, code)}` }))}
        onChange={event => chosen.choose(event.target.value, chosen.y)}
      />
      <ul className="lines matrix-rows">
        {shown.map(y => {
          const pair = pairOf(matrix, chosen.x, y, all)
          const looks = [pair.outcome, !pair.own && 'follows', pair.changed && 'changed'].filter(Boolean).join(' ')
          return (
            <li key={y}>
              <Button look="quiet" className="pair-name" aria-pressed={chosen.y === y} onClick={() => chosen.choose(chosen.x, y)}>
                <span>
                  <span className="mono">{y}</span> {nameOf(codes, y)}
                </span>
                <span className="soft small">{givenBy(pair)}</span>
              </Button>
              <button
                type="button"
                className={`cell-sign ${looks}`}
                aria-label={labelOf(pair, codes)}
                aria-disabled={!may || undefined}
                onClick={() => {
                  chosen.choose(chosen.x, y)
                  if (may) onChange(cycled(matrix, chosen.x, y))
                }}
              >
                {t(`clash.mark.${pair.outcome}`)}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
