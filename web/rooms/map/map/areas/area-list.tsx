// The active areas next to the map, as a list.
import { useMemo, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { type Area, areasInOrder, toneOf } from './areas.ts'
import { t, tOf } from './says.ts'

const FIRST = 10

/** The mark of an area, as on the map. */
export const AreaMark = ({ area }: { area: Area }) => (
  <span
    className={`swatch active-${toneOf(area.area_kind)}${area.exclusive ? ' exclusive' : ''}${area.fill_group_id === null ? '' : ' filled'}`}
    style={toneOf(area.area_kind) === 'own' && area.colour !== null ? { borderColor: area.colour, background: area.colour } : undefined}
    aria-hidden
  />
)

type Given = { areas: readonly Area[]; chosen: string | null; onChoose(area: Area): void }

/** The active areas, exclusive ones first; a tap shows one on the map. */
export function AreaList({ areas, chosen, onChoose }: Given) {
  const rows = useMemo(() => areasInOrder(areas), [areas])
  const [open, setOpen] = useState(false)
  const shown = open ? rows : rows.slice(0, FIRST)
  return (
    <>
      <h2>{t('area.title')}</h2>
      <p className="soft small">{rows.length === 0 ? t('area.none') : t('area.count', { n: rows.length })}</p>
      {rows.length > 0 && (
        <ul className="frame-list">
          {shown.map(area => (
            <li key={area.id}>
              <button type="button" className="frame-row" aria-pressed={area.id === chosen} onClick={() => onChoose(area)}>
                <AreaMark area={area} />
                <span className="grow cut two-lines">
                  <bdi>{area.name}</bdi>
                </span>
                <span className="soft small">{tOf('active_area_kind', area.area_kind)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {rows.length > shown.length && (
        <Button look="quiet" onClick={() => setOpen(true)}>
          {t('token.more', { n: rows.length - shown.length })}
        </Button>
      )}
    </>
  )
}
