import '../alerts.css'
import { useEffect, useRef, useState } from 'react'
import { useFrame } from '../../../../base/frame.ts'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { placeName } from '../../../../base/place-name.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { type Alert, stopsOf } from '../model.ts'
import { markRead } from '../unread.ts'
import { EmergencyPhone } from './call.tsx'
import { AlertMark } from './line.tsx'

/** An alert to read. A phone first shows what it is and where, and all of it after a tap: only then can it be confirmed. */
export default function UnreadAlert({ alert, others }: { alert: Alert; others: number }) {
  const here = useHere()
  const frame = useFrame(here.site_id, here.can('map_view') && alert.place !== null).data
  const [open, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) whole.current?.focus()
  }, [open])
  const stops = stopsOf(alert)
  const where = alert.place === null ? t('alert.whole_site') : placeName({ location: null, place: alert.place }, frame)
  return (
    <div className="alert-banner" data-open={open || undefined}>
      <Note kind="stop">
        <div className="alert-short">
          <div>
            <p className="strong alert-name">{alert.title}</p>
            <div className="row">
              <AlertMark alert={alert} />
              {where !== null && <span className="small">{where}</span>}
            </div>
          </div>
          <Button className="alert-more" look="primary" aria-expanded={open} onClick={() => setOpen(true)}>
            {t('alert.read_it')}
          </Button>
        </div>
        <div className="alert-whole" ref={whole} tabIndex={-1}>
          {alert.message !== null && <p className="pre">{alert.message}</p>}
          {stops !== null && <p className="strong">{stops}</p>}
          <div className="row">
            <Button look="primary" onClick={() => markRead(here.me.id, alert)}>
              {t('alert.read')}
            </Button>
            <Go className="btn" to={paths.alerts(here.site_id, { alert: alert.id })}>
              {t('alert.open')}
            </Go>
            <EmergencyPhone />
            {others > 0 && <span className="soft small">{t('alert.more', { n: others })}</span>}
          </div>
        </div>
      </Note>
    </div>
  )
}
