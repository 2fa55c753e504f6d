import { type KeyboardEvent, useRef, useState } from 'react'
import { ANY, cellsWith, cycled, isRemovable, movedTo, pairOf, withCell } from '../../matrix.ts'
import { t } from '../../says.ts'
import type { MatrixGiven } from './given.ts'
import { labelOf, nameOf } from './labels.ts'

/** The matrix as a grid with one cell in the order of Tab: arrow keys move, Enter and Space change a cell, Delete removes it. */
export function MatrixGrid({ matrix, codes, may, chosen, onChange }: MatrixGiven) {
  const grid = useRef<HTMLTableElement>(null)
  const [said, setSaid] = useState('')
  const shown = [...codes.map(type => type.code), ANY]
  const all = cellsWith(matrix)
  const at = [Math.max(shown.indexOf(chosen.x), 0), Math.max(shown.indexOf(chosen.y), 0)] as const
  const change = (x: string, y: string, changes: typeof matrix.changes) => {
    onChange(changes)
    setSaid(labelOf(pairOf({ ...matrix, changes }, x, y), codes))
  }
  const press = (event: KeyboardEvent) => {
    const [x = ANY, y = ANY] = [shown[at[0]], shown[at[1]]]
    if ((event.key === 'Delete' || event.key === 'Backspace') && may) {
      event.preventDefault()
      if (isRemovable(pairOf(matrix, x, y, all))) change(x, y, withCell(matrix, x, y, null))
      return
    }
    const next = movedTo(at, shown.length, event.key, event.ctrlKey)
    if (next === null) return
    event.preventDefault()
    chosen.choose(shown[next[0]] ?? ANY, shown[next[1]] ?? ANY)
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next[0]} ${next[1]}"]`)?.focus()
  }
  return (
    <>
      <div className="matrix-wrap">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are reached with arrow keys is a grid. */}
        <table ref={grid} className="matrix" role="grid" aria-label={t('clash.matrix')} onKeyDown={press}>
          <thead>
            <tr>
              <td />
              {shown.map(code => (
                <th key={code} scope="col" className="mono" title={nameOf(codes, code)}>
                  {code}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((x, row) => (
              <tr key={x}>
                <th scope="row" title={nameOf(codes, x)}>
                  <span className="mono">{x}</span> <span className="soft name">{nameOf(codes, x)}</span>
                </th>
                {shown.map((y, column) => {
                  const pair = pairOf(matrix, x, y, all)
                  const isHere = row === at[0] && column === at[1]
                  const looks = [pair.outcome, !pair.own && 'follows', pair.changed && 'changed'].filter(Boolean).join(' ')
                  return (
                    <td key={y}>
                      <button
                        type="button"
                        className={`cell-sign ${looks}`}
                        data-cell={`${row} ${column}`}
                        tabIndex={isHere ? 0 : -1}
                        aria-label={labelOf(pair, codes)}
                        aria-disabled={!may || undefined}
                        onFocus={() => {
                          if (!isHere) chosen.choose(x, y)
                        }}
                        onClick={() => {
                          if (may) change(x, y, cycled(matrix, x, y))
                        }}
                      >
                        {t(`clash.mark.${pair.outcome}`)}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="unseen" role="status">
        {said}
      </p>
    </>
  )
}
