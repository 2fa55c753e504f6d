import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { useFrameOf } from '../../../../base/frame.ts'
import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { placeName } from '../../../../base/place-name.ts'
import { dayOf } from '../../../../base/time.ts'
import { numberOf, t, tOf } from '../../../../base/words.ts'
import { columnsOf, type Group, NAMELESS } from '../model.ts'
import type { Standing } from '../standing.ts'
import { type CardPermit, PermitCard } from './card.tsx'
import { StatusShape } from './status.tsx'

type Given = { rows: readonly CardPermit[]; group: Group; site_id: string; zone: string; now: number; whole: boolean }

/** Columns by status, contractor, place or day. Only what is visible is drawn, in both directions, so that ten thousand permits scroll like ten. */
export const Columns = memo(function Columns({ rows, group, ...rest }: Given) {
  const board = useRef<HTMLDivElement>(null)
  const { now, zone } = rest
  const frame = useFrameOf(rows)
  const columns = useMemo(() => {
    const day = (card: CardPermit) => (card.start_at === null ? null : dayOf(card.start_at, zone, now))
    return columnsOf(rows, now, group, day, card => placeName(card, frame))
  }, [rows, now, group, zone, frame])
  const [first] = useState(() => Math.max(1, Math.floor(innerWidth / COLUMN_PX)))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside.
    <div ref={board} className="board" onKeyDown={event => step(event, board.current)}>
      {columns.map((column, i) => (
        <Column
          key={`${group} ${column.key}`}
          standing={column.standing}
          name={column.name ?? (column.standing === null ? t(NAMELESS[group]) : tOf('status', column.standing))}
          rows={column.rows}
          board={board}
          first={i < first}
          {...rest}
        />
      ))}
    </div>
  )
})

const CARD_PX = 196
const COLUMN_PX = 300
/** Cards are drawn this far beyond the visible part: a column and a half, so that the arrow key to the next one finds some. */
const BESIDE = '0px 420px'

/** Returns whether an element is visible in what it scrolls in, or nearly; `first` is the result before the first measurement. */
function useInSight(thing: RefObject<HTMLElement | null>, around: RefObject<HTMLElement | null>, first: boolean): boolean {
  const [inSight, setInSight] = useState(first)
  useEffect(() => {
    const { current } = thing
    if (current === null) return
    const looking = new IntersectionObserver(seen => startTransition(() => setInSight(seen.at(-1)?.isIntersecting === true)), {
      root: around.current,
      rootMargin: BESIDE,
    })
    looking.observe(current)
    return () => looking.disconnect()
  }, [thing, around])
  return inSight
}

type OwnColumn = Omit<Given, 'group'> & {
  standing: Standing | null
  name: string
  rows: readonly CardPermit[]
  board: RefObject<HTMLDivElement | null>
  first: boolean
}

/** A column. When not visible it has no cards, but keeps the height that it had, so that the scroll position stays right. */
const Column = memo(function Column({ standing, name, rows, site_id, zone, now, whole, board, first }: OwnColumn) {
  const column = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const inSight = useInSight(column, board, first)
  const [opened, setOpened] = useState(inSight)
  if (inSight && !opened) setOpened(true)
  const drawn = useVirtualizer({
    count: opened ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: i => rows[i]?.id ?? i,
    gap: 8,
    overscan: 2,
  })
  return (
    <section ref={column} className="column" aria-label={name}>
      <h2>
        {standing !== null && <StatusShape standing={standing} />}
        <span className="cut">{name}</span>
        <span className="count">
          {numberOf(rows.length)}
          {whole ? '' : '…'}
        </span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div ref={scroller} className="cards" tabIndex={0} role="group" aria-label={t('board.cards', { status: name })}>
        <ul style={{ height: drawn.getTotalSize() }}>
          {(inSight ? drawn.getVirtualItems() : []).map(item => {
            const permit = rows[item.index]
            return permit === undefined ? null : (
              <li key={item.key} ref={drawn.measureElement} data-index={item.index} style={{ transform: `translateY(${item.start}px)` }}>
                <Card permit={permit} site_id={site_id} zone={zone} now={now} inColumn={standing !== null} />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
})

type OwnCard = { permit: CardPermit; site_id: string; zone: string; now: number; inColumn: boolean }

/** A separate component for a card, so that measuring its column does not draw it again. */
const Card = memo(function Card({ permit, site_id, zone, now, inColumn }: OwnCard) {
  const link = (
    <Go to={paths.permit(site_id, permit.id)} data-card>
      {permit.title ?? t('permit.untitled')}
    </Go>
  )
  return <PermitCard permit={permit} zone={zone} now={now} link={link} inColumn={inColumn} />
})

/** Arrow keys move between the cards: up and down in a column, left and right between columns. */
function step(event: React.KeyboardEvent, board: HTMLElement | null): void {
  const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-card]') : null
  if (card === null || board === null || !['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(event.key)) return
  event.preventDefault()
  const columns = [...board.querySelectorAll<HTMLElement>('.cards')]
  const cardsOf = (column: HTMLElement | undefined) => [...(column?.querySelectorAll<HTMLElement>('[data-card]') ?? [])]
  const x = columns.findIndex(column => column.contains(card))
  const y = cardsOf(columns[x]).indexOf(card)
  const sideways = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
  const down = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
  const column = columns[x + sideways]
  const cards = cardsOf(column)
  // If the cards haven't been drawn yet, the column itself gets the focus, scrolls into view and draws them.
  const next = cards[Math.min(y + down, cards.length - 1)] ?? (sideways === 0 ? null : column)
  next?.focus()
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
