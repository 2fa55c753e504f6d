import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef, useState } from 'react'
import { Go } from '../../../base/go.tsx'
import { paths } from '../../../base/paths.ts'
import { numberOf, t, tOf } from '../../../base/words.ts'
import { columnsOf } from '../model.ts'
import type { Standing } from '../standing.ts'
import { type CardPermit, PermitCard } from './card.tsx'
import { StatusShape } from './status.tsx'

type Given = { rows: readonly CardPermit[]; site_id: string; zone: string; now: number; whole: boolean }

/** Columns by status. Only what is in sight is drawn, so that ten thousand permits scroll like ten. */
export const Columns = memo(function Columns({ rows, ...rest }: Given) {
  const board = useRef<HTMLDivElement>(null)
  const columns = columnsOf(rows)
  const filled = useFilled(columns.length)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links that are in it.
    <div ref={board} className="board" onKeyDown={event => step(event, board.current)}>
      {columns.map((column, i) => (
        <Column key={column.standing} standing={column.standing} rows={column.rows} filled={i < filled} {...rest} />
      ))}
    </div>
  )
})

const CARD_PX = 196
const COLUMN_PX = 300

/** How many columns have their cards yet: those in sight at once, the others one by one, so that the first can be read and scrolled meanwhile. */
function useFilled(columns: number): number {
  const [filled, setFilled] = useState(() => Math.max(1, Math.floor(innerWidth / COLUMN_PX)))
  useEffect(() => {
    if (filled >= columns) return
    const timer = setTimeout(() => setFilled(filled + 1), 0)
    return () => clearTimeout(timer)
  }, [filled, columns])
  return filled
}

const Column = memo(function Column({
  standing,
  rows,
  site_id,
  zone,
  now,
  whole,
  filled,
}: Given & { standing: Standing; rows: readonly CardPermit[]; filled: boolean }) {
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: i => rows[i]?.id ?? i,
    gap: 8,
    overscan: 3,
  })
  return (
    <section className="column" aria-label={tOf('status', standing)}>
      <h2>
        <StatusShape standing={standing} />
        {tOf('status', standing)}
        <span className="count">
          {numberOf(rows.length)}
          {whole ? '' : '…'}
        </span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <div ref={scroller} className="cards" tabIndex={0} role="group" aria-label={t('board.cards', { status: tOf('status', standing) })}>
        <ul style={{ height: drawn.getTotalSize() }}>
          {(filled ? drawn.getVirtualItems() : []).map(item => {
            const permit = rows[item.index]
            return permit === undefined ? null : (
              <li key={item.key} ref={drawn.measureElement} data-index={item.index} style={{ transform: `translateY(${item.start}px)` }}>
                <Card permit={permit} site_id={site_id} zone={zone} now={now} />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
})

/** A card of its own: where its column is measured anew, it is not drawn anew. */
const Card = memo(function Card({ permit, site_id, zone, now }: { permit: CardPermit; site_id: string; zone: string; now: number }) {
  const link = (
    <Go to={paths.permit(site_id, permit.id)} data-card>
      {permit.title ?? t('permit.untitled')}
    </Go>
  )
  return <PermitCard permit={permit} zone={zone} now={now} link={link} />
})

/** Arrows walk over the cards: up and down a column, left and right between them. */
function step(event: React.KeyboardEvent, board: HTMLElement | null): void {
  const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-card]') : null
  if (card === null || board === null || !['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(event.key)) return
  event.preventDefault()
  const columns = [...board.querySelectorAll<HTMLElement>('.column')].map(column => [
    ...column.querySelectorAll<HTMLElement>('[data-card]'),
  ])
  const x = columns.findIndex(column => column.includes(card))
  const y = columns[x]?.indexOf(card) ?? 0
  const sideways = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
  const down = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
  const column = columns[x + sideways]
  const next = column?.[Math.min(y + down, column.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
