// The points as a list: how far each is off, and its coordinates for people who type them.
import { type Dispatch, type ReactNode, type SetStateAction, useEffect, useRef, useState } from 'react'
import type { Calibration, Size } from '../../../../../shared/calibration/calibrate.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { NumberField, Tick } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { GridChoice, type GridTyped, TypedInGrid } from './grid-typed.tsx'
import { cornerAt, isWhole, numberIn, type Pair, type Pairs, wholeOf } from './pairs.ts'
import { t } from './says.ts'

/** Returns metres as people read them. */
export const metresSaid = (metres: number): number => Math.round(metres * 100) / 100

type Given = {
  pairs: Pairs
  size: Size
  lies: Calibration | null
  grid: GridTyped
  onGrid: Dispatch<SetStateAction<GridTyped>>
  /** Key of the point that fits worst. */
  worst: number | null
  onChange(key: number, change: Partial<Omit<Pair, 'key'>>): void
  onMove(key: number | null): void
  onRemove(key: number): void
  onAdd(): void
  /** Begins with the corners of the plan. */
  onCorners(): void
}

/** The list of points. */
export function PointList({ pairs, size, lies, grid, onGrid, worst, onChange, onMove, onRemove, onAdd, onCorners }: Given) {
  const whole = wholeOf(pairs)
  return (
    <section className="stack tight" aria-label={t('pair.points')}>
      <h2>{t('pair.points')}</h2>
      {pairs.list.length === 0 ? <p className="soft small">{t('pair.no_points')}</p> : <GridChoice {...{ grid, onGrid }} />}
      <ol className="plain stack tight">
        {pairs.list.map((pair, i) => {
          const measured = lies?.points[whole.findIndex(one => one.key === pair.key)]
          const n = i + 1
          const corner = cornerAt(size, pair.pixel)
          const alone = measured?.leave_one_out_m ?? null
          return (
            <li key={pair.key} className="panel stack tight pair-row" data-worst={pair.key === worst || undefined}>
              <div className="row spread">
                <span className="strong">{corner === null ? t('pair.point', { n }) : t(`pair.corner.${corner}`, { n })}</span>
                {pair.key === worst && (
                  <span className="badge warn">
                    <Glyph name="warning" size={14} /> {t('pair.worst')}
                  </span>
                )}
                <span className="small mono">
                  {pair.pixel === null
                    ? t('pair.not_on_plan')
                    : pair.spot === null
                      ? t('pair.not_on_map')
                      : measured === undefined
                        ? ''
                        : t('pair.off', { n: metresSaid(measured.residual_m) })}
                </span>
              </div>
              {alone !== null && (lies?.redundancy ?? 0) > 0 && (
                <p className="soft small">{t('pair.off_alone', { n: metresSaid(alone) })}</p>
              )}
              <div className="row">
                <Tick
                  checked={pair.used}
                  label={t('pair.use', { n })}
                  onChange={event => onChange(pair.key, { used: event.target.checked })}
                />
                {pairs.moving === pair.key ? (
                  <Button onClick={() => onMove(null)}>{t('pair.done')}</Button>
                ) : (
                  <Button aria-label={t('pair.move_point', { n })} onClick={() => onMove(pair.key)}>
                    {t('pair.move')}
                  </Button>
                )}
                <Button look="quiet" square aria-label={t('pair.remove', { n })} onClick={() => onRemove(pair.key)}>
                  <Glyph name="close" size={16} />
                </Button>
              </div>
              <Coordinates n={n} begins={pair.spot === null && (pair.pixel === null || corner !== null)} whole={isWhole(pair)}>
                <Typed pair={pair} fields={grid.on ? ON_PLAN : EVERYWHERE} onChange={change => onChange(pair.key, change)} />
                {grid.on && (
                  <TypedInGrid
                    key={`${grid.code} ${grid.known.get(pair.key)?.spot === pair.spot}`}
                    {...{ pair, grid, onGrid }}
                    onSpot={spot => onChange(pair.key, { spot })}
                  />
                )}
              </Coordinates>
            </li>
          )
        })}
      </ol>
      <div className="row">
        <Button onClick={onAdd}>{t('pair.add_typed')}</Button>
        <Button onClick={onCorners}>{t('pair.corners')}</Button>
      </div>
    </section>
  )
}

const said = (value: number | undefined, places: number): string => (value === undefined ? '' : String(Number(value.toFixed(places))))

const FIELDS = { x: { min: 0 }, y: { min: 0 }, lat: { min: -85.05, max: 85.05 }, lon: { min: -180, max: 180 } }
type Name = keyof typeof FIELDS
const ON_PLAN = ['x', 'y'] as const
const EVERYWHERE = ['x', 'y', 'lat', 'lon'] as const

type CoordinatesGiven = { n: number; begins: boolean; whole: boolean; children: ReactNode }

/** What opens the coordinates of a point. It closes once the point is whole, but never around the focus of a person who types. */
function Coordinates({ n, begins, whole, children }: CoordinatesGiven) {
  const [open, setOpen] = useState(begins)
  const own = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (whole && !own.current?.contains(document.activeElement)) setOpen(false)
  }, [whole])
  return (
    <details ref={own} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('pair.type_point', { n })}</summary>
      <div className="pair-typed">{children}</div>
    </details>
  )
}

const textOf = ({ pixel, spot }: Pair): Record<Name, string> => ({
  x: said(pixel?.[0], 1),
  y: said(pixel?.[1], 1),
  lat: said(spot?.[1], 8),
  lon: said(spot?.[0], 8),
})

type TypedGiven = { pair: Pair; fields: readonly Name[]; onChange(change: Partial<Omit<Pair, 'key'>>): void }

/** The coordinates of a point as text; they count once the person leaves the field. What is changed elsewhere is typed over, and nothing else. */
function Typed({ pair, fields, onChange }: TypedGiven) {
  const now = textOf(pair)
  const [text, setText] = useState(now)
  const [seen, setSeen] = useState(now)
  const moved = EVERYWHERE.filter(name => now[name] !== seen[name])
  if (moved.length > 0) {
    setSeen(now)
    setText({ ...text, ...Object.fromEntries(moved.map(name => [name, now[name]])) })
  }
  const take = () => {
    const [x, y, lat, lon] = [text.x, text.y, text.lat, text.lon].map(numberIn)
    const pixel = x == null || y == null ? null : ([x, y] as const)
    const spot = lat == null || lon == null ? null : ([lon, lat] as const)
    const same = now.x === text.x && now.y === text.y
    const there = now.lat === text.lat && now.lon === text.lon
    if ((same || pixel === null) && (there || spot === null)) return
    onChange({ ...(same || pixel === null ? {} : { pixel }), ...(there || spot === null ? {} : { spot }) })
  }
  return fields.map(name => (
    <NumberField
      key={name}
      label={t(`pair.${name}`)}
      {...FIELDS[name]}
      value={text[name]}
      onChange={event => setText({ ...text, [name]: event.target.value })}
      onBlur={take}
    />
  ))
}
