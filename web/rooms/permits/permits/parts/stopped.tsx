import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { useUnread } from '../../../messages/alerts/door.tsx'
import { isStopped, type MaybeStopped } from '../standing.ts'
import type { Permit } from '../steps.ts'

/** Says on a card that an area stop or an alert stops the work. */
export function StoppedBadge({ permit }: { permit: MaybeStopped }) {
  if (!isStopped(permit)) return null
  return (
    <span className="badge stop">
      <Glyph name="stop" size={14} />
      {t((permit.stopped ?? []).length > 0 ? 'badge.stopped' : 'alert.stopped')}
    </span>
  )
}

/** Says on the page of a permit what stops the work, for those who work and for those who decide. */
export function Stopped({ permit }: { permit: Pick<Permit, 'status'> & MaybeStopped }) {
  const { site_id, zone } = useHere()
  const { status, stopped = [], stopped_by_alert: by } = permit
  // The banner above says why until the person has read it.
  const [above] = useUnread()
  if (stopped.length > 0)
    return (
      <Note kind="stop" title={t('stopped.title')}>
        {stopped
          .filter(({ alert_id, lifted }) => lifted || alert_id !== above?.id)
          .map(({ stop_id, reason, stopped_at, lifted }) => (
            <p key={stop_id}>{t(lifted ? 'stopped.lifted' : 'stopped.says', { time: momentOf(stopped_at, zone), reason })}</p>
          ))}
        <p>{t('stopped.until')}</p>
        <Go to={paths.stops(site_id)}>{t('stops.title')}</Go>
      </Note>
    )
  if (by == null) return null
  const says = status === 'issued' ? 'alert.stopped.says' : 'alert.stopped.review'
  if (by.id === above?.id)
    return (
      <Note kind="stop" title={t('alert.stopped')}>
        <p>{t(`${says}_only`)}</p>
      </Note>
    )
  return (
    <Note kind="stop" title={t('alert.stopped')}>
      <p>{t(says, { title: by.title })}</p>
      <Go to={paths.alerts(site_id, { alert: by.id })}>{t('alert.open')}</Go>
    </Note>
  )
}
