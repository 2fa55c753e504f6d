import { StatusMark } from '../../../permits/permits/door.tsx'
import { FIRST } from '../model.ts'
import { t, tOf } from '../says.ts'

const SEVERITIES = ['red', 'amber'] as const
const ZONES = ['exclusion', 'hazardous_area', 'work', 'vehicle_route'] as const
const NEVER = new Set(['rejected', 'withdrawn'])

/** Shows what the shapes and colours of the map mean. */
export function Legend() {
  return (
    <details className="map-legend">
      <summary>{t('map.legend')}</summary>
      <ul>
        {FIRST.filter(standing => !NEVER.has(standing)).map(standing => (
          <li key={standing}>
            <StatusMark standing={standing} />
          </li>
        ))}
        {ZONES.map(zone => (
          <li key={zone} className="row">
            <span className={`swatch zone-${zone}`} aria-hidden /> {tOf('zone_type', zone)}
          </li>
        ))}
        {SEVERITIES.map(severity => (
          <li key={severity} className="row">
            <span className={`clash-key ${severity}`} aria-hidden /> {t(`clash.key.${severity}`)}
          </li>
        ))}
        {SEVERITIES.map(severity => (
          <li key={severity} className="row">
            <span className={`clash-key settled ${severity}`} aria-hidden /> {t(`clash.key.${severity}_settled`)}
          </li>
        ))}
      </ul>
      <p className="small soft">{t('map.legend_number')}</p>
    </details>
  )
}
