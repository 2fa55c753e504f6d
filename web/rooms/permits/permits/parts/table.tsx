import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useMemo, useRef } from 'react'
import { useFrameOf } from '../../../../base/frame.ts'
import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { placeText } from '../../../../base/place-name.ts'
import { useHere } from '../../../../base/site.tsx'
import { windowLines } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { soonest } from '../model.ts'
import { standingOf, waitsForMe } from '../standing.ts'
import type { CardPermit } from './card.tsx'
import { People } from './people.tsx'
import { StatusMark } from './status.tsx'
import { TypeChip } from './type-chip.tsx'

type Given = { rows: readonly CardPermit[]; now: number; chosen: ReadonlySet<string>; onChoose(ids: ReadonlySet<string>): void }

const ROW_PX = 45

/** The same permits as a table; several can be selected and closed out together. */
export const Table = memo(function Table({ rows: given, now, chosen, onChoose }: Given) {
  const rows = useMemo(() => [...given].sort(soonest), [given])
  const { site_id, zone } = useHere()
  const frame = useFrameOf(given)
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    getItemKey: i => rows[i]?.id ?? i,
  })
  const items = drawn.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = drawn.getTotalSize() - (items.at(-1)?.end ?? 0)
  const closable = rows.filter(row => row.permissions.close_out.allowed)
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div ref={scroller} className="table-wrap board-table" tabIndex={0} role="group" aria-label={t('board.view.table')}>
      <table className="table" aria-rowcount={rows.length}>
        <thead>
          <tr>
            <th className="choose-cell">
              <label>
                <input
                  type="checkbox"
                  aria-label={t('board.choose_all')}
                  disabled={closable.length === 0}
                  checked={closable.length > 0 && closable.every(row => chosen.has(row.id))}
                  onChange={event => onChoose(new Set(event.target.checked ? closable.map(row => row.id) : []))}
                />
              </label>
            </th>
            <th>{t('board.number')}</th>
            <th>{t('request.name')}</th>
            <th>{t('board.status')}</th>
            <th>{t('permit.window')}</th>
            <th>{t('permit.types')}</th>
            <th>{t('permit.contractor')}</th>
            <th>{t('permit.where')}</th>
            <th>{t('request.who')}</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden style={{ height: above }}>
              <td colSpan={9} />
            </tr>
          )}
          {items.map(item => {
            const permit = rows[item.index]
            if (permit === undefined) return null
            const where = placeText(permit, frame) ?? ''
            return (
              <tr key={permit.id} aria-rowindex={item.index + 2} className={waitsForMe(permit) ? 'mine' : ''}>
                <td className="choose-cell">
                  <label>
                    <input
                      type="checkbox"
                      aria-label={t('board.choose', { number: permit.permit_number ?? permit.title ?? '' })}
                      disabled={!permit.permissions.close_out.allowed}
                      checked={chosen.has(permit.id)}
                      onChange={() => toggle(permit.id)}
                    />
                  </label>
                </td>
                <td className="mono nowrap">{permit.permit_number ?? '—'}</td>
                <td className="wide-cell">
                  <Go className="cut two-lines" to={paths.permit(site_id, permit.id)}>
                    {permit.title ?? t('permit.untitled')}
                  </Go>
                </td>
                <td className="status-cell">
                  <StatusMark standing={standingOf(permit, now)} />
                </td>
                <td className="mono window-cell">
                  {permit.start_at !== null &&
                    permit.end_at !== null &&
                    windowLines(permit.start_at, permit.end_at, zone).map(line => <span key={line}>{line}</span>)}
                </td>
                <td>
                  <span className="row tight-row">
                    {permit.categories.map(code => (
                      <TypeChip key={code} code={code} />
                    ))}
                  </span>
                </td>
                <td className="short-cell" title={permit.contractor?.name}>
                  <span className="cut two-lines">{permit.contractor?.name ?? ''}</span>
                </td>
                <td className="short-cell" title={where}>
                  <span className="cut two-lines">{where}</span>
                </td>
                <td>
                  <People permit={permit} />
                </td>
              </tr>
            )
          })}
          {below > 0 && (
            <tr aria-hidden style={{ height: below }}>
              <td colSpan={9} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
})
