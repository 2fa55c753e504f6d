import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { useWide } from '../wide.ts'
import { t } from './says.ts'
import type { RowLook } from './types.ts'

/** With more rows than this, only those near the screen are drawn. */
const MANY = 200
const OVERSCAN = 12

/** How rows are selected; null if nothing can be done with several. */
export type Chosen = { ids: ReadonlySet<string>; toggle(id: string): void; all(on: boolean): void } | null

type Given<R> = { rows: readonly R[]; look: RowLook<R>; label: string; chosen: Chosen }

/** The rows of a listing: a table where there is room and columns are given, cards otherwise. */
export function Body<R>(given: Given<R>) {
  const wide = useWide()
  return wide && given.look.columns !== undefined ? <Table {...given} /> : <Cards {...given} />
}

/** Returns the rows to draw, and the height of those above and below them. */
function useDrawn(count: number, height: number) {
  const holder = useRef<HTMLDivElement>(null)
  const many = count > MANY
  const drawn = useWindowVirtualizer({
    count: many ? count : 0,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: holder.current?.offsetTop ?? 0,
  })
  const items = drawn.getVirtualItems()
  const margin = drawn.options.scrollMargin
  return many
    ? {
        holder,
        indexes: items.map(item => item.index),
        above: (items[0]?.start ?? margin) - margin,
        below: drawn.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
        measure: drawn.measureElement,
      }
    : { holder, indexes: Array.from({ length: count }, (_, i) => i), above: 0, below: 0, measure: undefined }
}

const ROW_PX = 52
const CARD_PX = 84

function Table<R>({ rows, look, label, chosen }: Given<R>) {
  const { columns = [], idOf, nameOf, actionsOf, isPast } = look
  const { holder, indexes, above, below, measure } = useDrawn(rows.length, ROW_PX)
  const cells = columns.length + (chosen === null ? 0 : 1) + (actionsOf === undefined ? 0 : 1)
  return (
    <div ref={holder} className="listing-table">
      <table className="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {chosen !== null && (
              <th>
                <ChooseAll rows={rows} idOf={idOf} chosen={chosen} />
              </th>
            )}
            {columns.map(column => (
              <th key={column.key}>{column.head}</th>
            ))}
            {actionsOf !== undefined && (
              <th>
                <span className="unseen">{t('listing.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          <Gap height={above} cells={cells} />
          {indexes.map(i => {
            const row = rows[i]
            if (row === undefined) return null
            return (
              <tr
                key={idOf(row)}
                ref={measure}
                data-row={idOf(row)}
                data-index={i}
                aria-rowindex={i + 2}
                className={isPast?.(row) === true ? 'past' : undefined}
              >
                {chosen !== null && (
                  <td>
                    <Choose id={idOf(row)} name={nameOf(row)} chosen={chosen} />
                  </td>
                )}
                {columns.map(column => (
                  <td key={column.key} className={column.wide === true ? 'wide-cell' : undefined}>
                    {column.cell(row)}
                  </td>
                ))}
                {actionsOf !== undefined && (
                  <td className="listing-actions">
                    <span className="row">{actionsOf(row)}</span>
                  </td>
                )}
              </tr>
            )
          })}
          <Gap height={below} cells={cells} />
        </tbody>
      </table>
    </div>
  )
}

/** Takes the place of rows that are not drawn. */
const Gap = ({ height, cells }: { height: number; cells: number }) =>
  height > 0 && (
    <tr aria-hidden style={{ height }}>
      <td colSpan={cells} />
    </tr>
  )

function Cards<R>({ rows, look, label, chosen }: Given<R>) {
  const { holder, indexes, above, below, measure } = useDrawn(rows.length, CARD_PX)
  return (
    <div ref={holder}>
      {above > 0 && <div aria-hidden style={{ height: above }} />}
      <ul className={`lines${look.flush === true ? ' flush' : ''}${chosen === null ? '' : ' chosen-from'}`} aria-label={label}>
        {indexes.map(i => {
          const row = rows[i]
          if (row === undefined) return null
          const id = look.idOf(row)
          return (
            <li key={id} ref={measure} data-row={id} data-index={i} className={look.isPast?.(row) === true ? 'past' : undefined}>
              {chosen !== null && <Choose id={id} name={look.nameOf(row)} chosen={chosen} />}
              {look.row === undefined ? <Card row={row} look={look} /> : look.row(row)}
              {look.actionsOf !== undefined && <span className="row">{look.actionsOf(row)}</span>}
            </li>
          )
        })}
      </ul>
      {below > 0 && <div aria-hidden style={{ height: below }} />}
    </div>
  )
}

/** A row as a card: its first column, and the others below it with their headings. */
function Card<R>({ row, look: { columns = [] } }: { row: R; look: RowLook<R> }): ReactNode {
  const [first, ...rest] = columns
  return (
    <div className="stack tight grow">
      {first?.cell(row)}
      <dl className="listing-facts small">
        {rest.map(column => {
          const content = column.cell(row)
          if (content === null || content === undefined || content === '' || content === false) return null
          return (
            <div key={column.key}>
              <dt className="soft">{column.head}</dt>
              <dd>{content}</dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

const Choose = ({ id, name, chosen }: { id: string; name: string; chosen: NonNullable<Chosen> }) => (
  <label className="listing-choose">
    <input type="checkbox" checked={chosen.ids.has(id)} onChange={() => chosen.toggle(id)} />
    <span className="unseen">{t('listing.choose', { name })}</span>
  </label>
)

function ChooseAll<R>({ rows, idOf, chosen }: { rows: readonly R[]; idOf(row: R): string; chosen: NonNullable<Chosen> }) {
  return (
    <label className="listing-choose">
      <input
        type="checkbox"
        checked={rows.length > 0 && rows.every(row => chosen.ids.has(idOf(row)))}
        onChange={event => chosen.all(event.target.checked)}
      />
      <span className="unseen">{t('listing.choose_all')}</span>
    </label>
  )
}
