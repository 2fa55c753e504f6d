import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useHere } from '../../../../base/site.tsx'
import { tOf } from '../../../../base/words.ts'
import { type Alert, faceOf, isOver, stopsOf, whenOf } from '../model.ts'

/** How grave an alert is, with a shape and a word, and its state where it isn’t simply active. */
export function AlertMark({ alert }: { alert: Alert }) {
  const { glyph, kind } = faceOf(alert)
  return (
    <span className="row tight-row">
      <span className={`badge ${isOver(alert) ? 'soft' : kind}`}>
        <Glyph name={glyph} size={14} />
        {alert.effect === 'stops' ? tOf('alert_effect', 'stops') : tOf('alert_severity', alert.severity)}
      </span>
      {alert.state !== 'active' && (
        <span className={`badge ${alert.state === 'overdue' ? 'stop' : 'soft'}`}>{tOf('alert_state', alert.state)}</span>
      )}
    </span>
  )
}

/** What an alert says, when it is active, and what it stops. */
export function AlertSays({ alert }: { alert: Alert }) {
  const { zone } = useHere()
  const stops = stopsOf(alert)
  return (
    <>
      {alert.message !== null && <p className="pre">{alert.message}</p>}
      {stops !== null && <p className="strong">{stops}</p>}
      <p className="small soft">{whenOf(alert, zone)}</p>
      {alert.resolve_note !== null && <p className="small">{alert.resolve_note}</p>}
    </>
  )
}
