// The clashes next to the map, as a list: for people who can't see the lines, and for those who prefer to read.
import { useMemo, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Skeleton } from '../../../../base/kit/note.tsx'
import { DueBadge, pairOf } from '../../../conflicts/clashes/door.ts'
import { SeverityBadge } from '../../../permits/permits/door.tsx'
import { ClashCard } from './clash-note.tsx'
import { type ClashCounts, clashesInOrder, clashOf, clashSpot, type MapClash } from './clashes.ts'
import type { Clashes } from './data.ts'
import { t, tOf } from './says.ts'
import { distanceOf } from './sentence.ts'

const FIRST = 10

type Given = Clashes & {
  chosen: string | null
  now: number
  onChoose(clash: MapClash): void
  /** Selects one of the two sides. */
  onSide(id: string): void
}

/** The clashes of the instant, red first; a tap shows one on the map. One that the map can't show opens here. */
export function ClashList({ clashes, state, error, refetch, chosen, now, onChoose, onSide }: Given) {
  const rows = useMemo(() => clashesInOrder(clashes), [clashes])
  const [open, setOpen] = useState(false)
  const shown = open ? rows : rows.slice(0, FIRST)
  const own = clashOf(clashes, chosen)
  if (state === 'pending') return <Skeleton rows={1} />
  return (
    <>
      <h2>{t('clash.list')}</h2>
      {state === 'failed' ? (
        <FaultNote error={error} onRetry={refetch} />
      ) : (
        <p className="soft small">
          {state === 'off'
            ? t('clash.layer_off')
            : state === 'beyond'
              ? t('clash.beyond')
              : rows.length === 0
                ? t('clash.none_now')
                : t('clash.count', { n: rows.length })}
        </p>
      )}
      {rows.length > 0 && (
        <ul className="frame-list">
          {shown.map(clash => (
            <li key={clash.id}>
              <button type="button" className="frame-row" aria-pressed={clash === own} onClick={() => onChoose(clash)}>
                <SeverityBadge severity={clash.severity} />
                <span className="stack tight grow">
                  <bdi>{pairOf(clash)}</bdi>
                  <span className="row tight-row">
                    <span className="soft small">{distanceOf(clash)}</span>
                    <Decision stance={clash.stance} due_at={clash.due_at} now={now} />
                  </span>
                </span>
              </button>
              {clash === own && clashSpot(clash) === null && (
                <div className="clash-open">
                  <ClashCard clash={clash} now={now} onChoose={onSide} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {rows.length > shown.length && (
        <Button look="quiet" onClick={() => setOpen(true)}>
          {t('clash.more', { n: rows.length - shown.length })}
        </Button>
      )}
    </>
  )
}

/** Says in the list what was decided about a clash; nothing if nobody has. */
function Decision({ stance, due_at, now }: Pick<MapClash, 'stance' | 'due_at'> & { now: number }) {
  if (stance === null) return null
  if (stance === 'resolving' && due_at !== null) return <DueBadge due_at={due_at} overdue={Date.parse(due_at) <= now} />
  return (
    <span className="badge soft">
      {stance === 'resolving' ? t('clash.resolved') : t('clash.settled', { kind: tOf('clash.settled', stance) })}
    </span>
  )
}

/** Says with how many things something clashes. */
export function ClashBadge({ id, counts }: { id: string; counts: ClashCounts }) {
  const { red = 0, amber = 0 } = counts.get(id) ?? {}
  if (red + amber === 0) return null
  return (
    <span className={`badge ${red > 0 ? 'stop' : 'warn'}`}>
      <Glyph name={red > 0 ? 'stop' : 'warning'} size={14} />
      {red > 0 ? t('clash.badge.red', { n: red }) : t('clash.badge.amber', { n: amber })}
    </span>
  )
}
