import './alerts.css'
import { Go } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Note } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { stopsOf } from './model.ts'
import { EmergencyPhone } from './parts/call.tsx'
import { markRead, useUnread } from './unread.ts'

/** Danger and stopped work, on every page until the person has read it. */
export default function AlertBanner() {
  const here = useHere()
  const unread = useUnread()
  const [first] = unread
  if (first === undefined) return null
  const stops = stopsOf(first)
  return (
    <div className="alert-banner">
      <Note kind="stop" title={first.title}>
        {first.message !== null && <p className="pre">{first.message}</p>}
        {stops !== null && <p className="strong">{stops}</p>}
        <div className="row">
          <Button look="primary" onClick={() => markRead(here.me.id, first)}>
            {t('alert.read')}
          </Button>
          <Go className="btn" to={paths.alerts(here.site_id, { alert: first.id })}>
            {t('alert.open')}
          </Go>
          <EmergencyPhone />
          {unread.length > 1 && <span className="soft small">{t('alert.more', { n: unread.length - 1 })}</span>}
        </div>
      </Note>
    </div>
  )
}
