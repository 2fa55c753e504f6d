import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import type { Permit } from '../steps.ts'

/** Says on a card that an alert stops the work. */
export function StoppedBadge() {
  return (
    <span className="badge stop">
      <Glyph name="stop" size={14} />
      {t('alert.stopped')}
    </span>
  )
}

/** Says on the page of a permit that an alert stops work at its place, for those who work and for those who decide. */
export function Stopped({ permit }: { permit: Pick<Permit, 'status' | 'stopped_by_alert'> }) {
  const { site_id } = useHere()
  const { status, stopped_by_alert: by } = permit
  if (by == null) return null // a permit that an older version of the app stored doesn't have it
  return (
    <Note kind="stop" title={t('alert.stopped')}>
      <p>{t(status === 'issued' ? 'alert.stopped.says' : 'alert.stopped.review', { title: by.title })}</p>
      <Go to={paths.alerts(site_id, { alert: by.id })}>{t('alert.open')}</Go>
    </Note>
  )
}
