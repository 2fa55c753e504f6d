import { Button } from '../../../../base/kit/button.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { useLine } from '../../../../base/line.ts'
import { usePaused } from '../../../../base/paused.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf, windowOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { useAdded } from '../data.ts'
import { cleanEnd } from '../extension-end.ts'
import type { Permit } from '../steps.ts'
import { ConflictList } from './conflicts.tsx'

/** How long someone has to pause before the service is asked. */
const PAUSE_MS = 350

type Given = {
  permit: Permit
  /** The end that is about to be requested. */
  until: string
  /** Requests another end instead. */
  onUntil(at: string): void
}

/** Says before an extension is requested which conflicts it would add. It never keeps anyone from requesting it. */
export function ExtensionConflicts({ permit, until, onUntil }: Given) {
  const { can, zone } = useHere()
  const line = useLine()
  const end = permit.end_at
  const longer = end !== null && until > end
  const paused = usePaused(until, PAUSE_MS)
  const asked = longer && line.up && can('permit_request')
  const found = useAdded(permit, asked && paused === until ? until : undefined)
  if (!longer) return null
  if (!line.up) return <p className="soft small">{t('extension.conflicts_offline')}</p>
  if (!asked || found.failureReason !== null) return <p className="soft small">{t('extension.conflicts_failed')}</p>
  if (found.data === undefined)
    return (
      <p className="soft small" role="status">
        {t('conflict.checking')}
      </p>
    )
  const { added, conflicts_checked: checked, clean_windows: windows } = found.data
  if (checked === 'no_place') return <p className="soft small">{t('conflict.no_place')}</p>
  if (checked === 'no_rule') return <p className="soft small">{t('conflict.no_rule')}</p>
  if (added.length === 0)
    return (
      <p className="soft small" role="status">
        {t('extension.adds_none')}
      </p>
    )
  const clean = cleanEnd(added, end)
  return (
    <div role="status">
      <Note kind={added.some(one => one.severity === 'red') ? 'stop' : 'warn'} title={t('extension.would_add', { n: added.length })}>
        <ConflictList conflicts={added} />
        {clean !== null && (
          <div className="stack tight">
            <span className="small">{t('extension.clean_until', { time: momentOf(clean, zone) })}</span>
            <Button onClick={() => onUntil(clean)}>{t('extension.clean_end', { time: momentOf(clean, zone) })}</Button>
          </div>
        )}
        {windows.length > 0 && (
          <p className="small">
            {t('conflict.clean')} {windows.map(one => windowOf(one.start_at, one.end_at, zone)).join(', ')}
          </p>
        )}
        <p className="small">{t('extension.still')}</p>
      </Note>
    </div>
  )
}
