import { Button } from '../../../../../base/kit/button.tsx'
import { useWide } from '../../../../../base/wide.ts'
import { ANY, strayPairs, withCell } from '../../matrix.ts'
import { t } from '../../says.ts'
import { CellPanel } from './cell-panel.tsx'
import type { MatrixGiven } from './given.ts'
import { MatrixGrid } from './matrix-grid.tsx'
import { MatrixRows } from './matrix-rows.tsx'

/** The matrix of permit types: a grid where there is room, otherwise the pairs of one type at a time. */
export function MatrixSection(given: MatrixGiven) {
  const wide = useWide()
  const { may, matrix, codes, onChange } = given
  return (
    <section className="stack" aria-labelledby="clash-matrix">
      <h2 id="clash-matrix">{t('clash.matrix')}</h2>
      {wide && <p className="soft small says">{t(may ? 'clash.matrix_says' : 'clash.matrix_read')}</p>}
      {wide ? <MatrixGrid {...given} /> : <MatrixRows {...given} />}
      <Legend />
      {!wide && <CellPanel {...given} />}
      <Stray matrix={matrix} codes={codes} may={may} onChange={onChange} />
    </section>
  )
}

const Legend = () => (
  <ul className="row small legend" aria-label={t('clash.legend')}>
    {(['off', 'amber', 'red'] as const).map(outcome => (
      <li key={outcome} className="row">
        <span className={`cell-sign ${outcome}`} aria-hidden>
          {t(`clash.mark.${outcome}`)}
        </span>
        {t(`clash.cell.${outcome}`)}
      </li>
    ))}
    <li>{t('clash.legend.follows')}</li>
    <li>{t('clash.legend.changed')}</li>
  </ul>
)

/** Cells that aren’t in the grid, because the site has no active type with such a code. */
function Stray({ matrix, codes, may, onChange }: Omit<MatrixGiven, 'chosen'>) {
  const pairs = strayPairs(
    matrix,
    codes.map(type => type.code),
  )
  if (pairs.length === 0) return null
  return (
    <section className="stack tight">
      <h3>{t('clash.stray')}</h3>
      <p className="soft small">{t('clash.stray_says')}</p>
      <ul className="row">
        {pairs.map(([x, y]) => (
          <li key={`${x}|${y}`} className="row">
            <code>{[x, y].map(code => (code === ANY ? t('clash.any_type') : code)).join(' | ')}</code>
            {may && (
              <Button look="quiet" onClick={() => onChange(withCell(matrix, x, y, null))}>
                {t('clash.stray_remove', { key: `${x}|${y}` })}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
