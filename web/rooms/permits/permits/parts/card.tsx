// The permit card: the same layout wherever a permit is shown.
import { Fragment, type ReactNode } from 'react'
import { type Instant, ms } from '../../../../../shared/time.ts'
import type { Schemas } from '../../../../base/api.ts'
import { useFrameOf } from '../../../../base/frame.ts'
import { placeText } from '../../../../base/place-name.ts'
import { awayOf, ownTimeOf, windowLines } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { isOver, standingOf, waitsForMe } from '../standing.ts'
import { ConflictBadge } from './conflict-badge.tsx'
import { People } from './people.tsx'
import { StatusMark } from './status.tsx'
import { StoppedBadge } from './stopped.tsx'
import { TypeChip } from './type-chip.tsx'

/** A permit as it appears in lists. */
export type CardPermit = Schemas['PermitCard']

const SHOWN_TYPES = 4

/** Returns the next event of a window: `starts in 4 days`, `ends in 2 hours`, `ended 10 minutes ago`. That of a permit that is over has none. */
export function untilOf(status: CardPermit['status'], start_at: Instant, end_at: Instant, now: number): string | null {
  if (isOver(status)) return null
  if (now < ms(start_at)) return t('permit.starts', { when: awayOf(start_at, now) })
  return t(now < ms(end_at) ? 'permit.ends' : 'permit.ended', { when: awayOf(end_at, now) })
}

/** The window of a permit as a bar with the current time, and in words. */
export function WindowBar({
  permit,
  zone,
  now,
}: {
  permit: Pick<CardPermit, 'status' | 'start_at' | 'end_at'>
  zone: string
  now: number
}) {
  const { start_at, end_at } = permit
  if (start_at === null || end_at === null) return <span className="soft small">{t('permit.no_window')}</span>
  const [from, to] = [ms(start_at), ms(end_at)]
  const gone = Math.min(1, Math.max(0, (now - from) / Math.max(1, to - from)))
  return (
    <span className="window" title={ownTimeOf(start_at, zone)}>
      {/* Paper can't count down. */}
      <span className="bar screen-only" aria-hidden>
        <span style={{ width: `${gone * 100}%` }} />
      </span>
      <span className="mono small">
        {windowLines(start_at, end_at, zone).map((line, i) => (
          <Fragment key={line}>
            {i > 0 && ' '}
            <span className="nowrap">{line}</span>
          </Fragment>
        ))}
      </span>
      <span className="soft tiny screen-only">{untilOf(permit.status, start_at, end_at, now)}</span>
    </span>
  )
}

/** A permit. `children` are below it: the possible actions. `link` makes the whole card a link to the permit. */
export function PermitCard({
  permit,
  zone,
  now,
  link,
  inColumn = false,
  children,
}: {
  permit: CardPermit
  zone: string
  now: number
  link: ReactNode
  /** True if the column already shows the status. */
  inColumn?: boolean
  children?: ReactNode
}) {
  const standing = standingOf(permit, now)
  const mine = waitsForMe(permit)
  const where = placeText(permit, useFrameOf([permit]))
  const hidden = permit.categories.length - SHOWN_TYPES
  return (
    <article className={`permit-card ${standing}${mine ? ' mine' : ''}`}>
      <header>
        <span className="mono number">{permit.permit_number ?? t('permit.draft_number')}</span>
        {!inColumn && <StatusMark standing={standing} />}
      </header>
      <h3>{link}</h3>
      <div className="row tight-row">
        {permit.categories.slice(0, SHOWN_TYPES).map(code => (
          <TypeChip key={code} code={code} />
        ))}
        {hidden > 0 && <span className="chip">+{hidden}</span>}
        {(inColumn || standing !== 'stopped') && <StoppedBadge permit={permit} />}
        <ConflictBadge permit_id={permit.id} />
        {permit.soon && <span className="badge warn">{t('badge.soon')}</span>}
        {mine && <span className="badge mine">{t('badge.mine')}</span>}
        {permit.source === 'imported' && <span className="badge soft">{t('badge.imported')}</span>}
      </div>
      <p className="small cut two-lines">
        {permit.contractor?.name ?? t('permit.no_contractor')}
        <span className="soft"> · {where ?? t('permit.no_place')}</span>
      </p>
      <footer>
        <WindowBar permit={permit} zone={zone} now={now} />
        <People permit={permit} />
      </footer>
      {children}
    </article>
  )
}
