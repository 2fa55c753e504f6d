import { useFrameOf } from '../../../../base/frame.ts'
import { placeName, placeText } from '../../../../base/place-name.ts'
import { useHere } from '../../../../base/site.tsx'
import { dayOf, stampOf, windowOf } from '../../../../base/time.ts'
import { t, tOf } from '../../../../base/words.ts'
import { columnsOf, type Group, NAMELESS } from '../model.ts'
import { standingOf } from '../standing.ts'
import type { CardPermit } from './card.tsx'
import { StatusMark } from './status.tsx'

type Given = {
  rows: readonly CardPermit[]
  group: Group
  /** When it was printed. */
  at: number
  /** Whether every page of the board has arrived. */
  whole: boolean
  narrowed: boolean
  /** Whether closed, rejected and withdrawn permits are among them. */
  over: boolean
  /** Whether imported permits are among them. */
  imported: boolean
}

/** The board on paper: every permit in a row, in groups, with a note at the top about what the list leaves out. */
export function PrintList({ rows, group, at, whole, narrowed, over, imported }: Given) {
  const { name, zone } = useHere()
  const frame = useFrameOf(rows)
  const day = (card: CardPermit) => (card.start_at === null ? null : dayOf(card.start_at, zone, at))
  const groups = columnsOf(rows, at, group, day, card => placeName(card, frame))
  return (
    <section className="print-list" aria-label={t('print.board')}>
      <header>
        <p className="strong">{name}</p>
        <h1>{t('board.title')}</h1>
        <p>
          {t('print.at', { time: stampOf(new Date(at).toISOString(), zone), zone })} · {t('board.count', { n: rows.length })}
        </p>
        {!whole && <p className="strong">{t('print.partial')}</p>}
        {narrowed && <p>{t('print.narrowed')}</p>}
        {!over && <p>{t('print.without_over')}</p>}
        {!imported && <p>{t('print.without_imported')}</p>}
      </header>
      {groups.map(one => (
        <section key={one.key}>
          <h2>
            {one.name ?? (one.standing === null ? t(NAMELESS[group]) : tOf('status', one.standing))}{' '}
            <span className="soft">{one.rows.length}</span>
          </h2>
          <table>
            <thead>
              <tr>
                <th className="of-number">{t('board.number')}</th>
                <th>{t('request.name')}</th>
                <th className="of-status">{t('board.status')}</th>
                <th className="of-place">{t('permit.where')}</th>
                <th className="of-window">{t('permit.window')}</th>
              </tr>
            </thead>
            <tbody>
              {one.rows.map(permit => {
                const standing = standingOf(permit, at)
                return (
                  <tr key={permit.id}>
                    <td className="mono">{permit.permit_number ?? t('permit.draft_number')}</td>
                    <td>{permit.title ?? t('permit.untitled')}</td>
                    <td>
                      <StatusMark standing={standing} />
                    </td>
                    <td>{placeText(permit, frame) ?? t('permit.no_place')}</td>
                    <td>
                      {permit.start_at === null || permit.end_at === null
                        ? t('permit.no_window')
                        : windowOf(permit.start_at, permit.end_at, zone)}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </section>
      ))}
    </section>
  )
}
