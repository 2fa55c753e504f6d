import { SignMark } from '../parts/points.tsx'
import { t } from '../says.ts'
import { type Drawing, SIGN } from './drawing.ts'

/** The site from above in lines, with the signs and numbers of its points. It is drawn for paper: sharp at every size, and without the base map. */
export function PlanPicture({ drawing: { width, height, boundary, areas, names, signs, bar } }: { drawing: Drawing }) {
  const half = SIGN / 2
  return (
    <svg className="emergency-map" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('emergency.picture')}>
      {boundary !== '' && <path className="of-boundary" d={boundary} />}
      {areas.map(({ id, path, kind, danger }) => (
        <path key={id} className={danger ? 'of-danger' : `of-${kind}`} d={path} />
      ))}
      {names.map(({ id, text, at: [x, y] }) => (
        <text key={id} className="of-name" x={x} y={y}>
          {text}
        </text>
      ))}
      {signs.map(({ n, at, from }) => (
        <path key={n} className="of-leader" d={`M${from.join(' ')}L${at.join(' ')}`} />
      ))}
      {signs.map(({ n, point, at: [x, y] }) => (
        <g key={n}>
          <SignMark kind={point.poi_kind} x={x - half} y={y - half} size={SIGN} />
          <text className="of-number" x={x + half + 2} y={y + 9}>
            {n}
          </text>
        </g>
      ))}
      <g className="of-scale">
        <path d={`M20 ${height - 30}v10h${bar.units}v-10`} />
        <text x={24} y={height - 28}>
          {t('emergency.bar', { n: bar.metres })}
        </text>
      </g>
      <g className="of-scale">
        <path d={`M${width - 30} 60v-40m-10 14l10-14l10 14`} />
        <text x={width - 30} y={84} textAnchor="middle">
          {t('emergency.north')}
        </text>
      </g>
    </svg>
  )
}
