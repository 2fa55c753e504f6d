import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ask, client } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { useLine } from '../../../../base/line.ts'
import { usePaused } from '../../../../base/paused.ts'
import { useHere } from '../../../../base/site.tsx'
import { windowOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import type { Fields } from '../drafts.ts'
import { aroundOf, liveConflicts } from '../live.ts'
import { ConflictList } from './conflicts.tsx'

/** How long someone has to pause before the server is asked again. */
const PAUSE_MS = 350

type Given = {
  permit_id: string | undefined
  fields: Fields
  /** Takes one of the offered windows; without it none is offered. */
  onWindow?(window: { start_at: string; end_at: string }): void
}

/** Says what would conflict with a permit that is being written, while its place, window or types change. */
export function LiveConflicts({ permit_id, fields, onWindow }: Given) {
  const { site_id, zone } = useHere()
  const line = useLine()
  const { categories = [], start_at = null, end_at = null, place = null, parent_id = null } = fields
  const asked = { categories, start_at, end_at, place, parent_id }
  const isReady = categories.length > 0 && start_at !== null && end_at !== null && start_at < end_at
  const now = JSON.stringify(asked)
  const question = usePaused(now, PAUSE_MS)
  const answer = useQuery({
    queryKey: ['conflicts', site_id, 'preview', permit_id, now],
    queryFn: () =>
      ask(
        client.POST('/permits/applications/conflicts/preview', {
          body: { site_id, ...(permit_id === undefined ? {} : { permit_id }), ...asked, include: ['nearby'] },
        }),
      ),
    enabled: isReady && line.up && question === now,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const around = useMemo(() => aroundOf(answer.data?.nearby), [answer.data?.nearby])
  const confirmed = question === now && !answer.isPlaceholderData && !answer.isFetching
  const found = useMemo(
    () => (confirmed || around === null ? null : liveConflicts(around, { categories, start_at, end_at, place }, Date.now())),
    [confirmed, around, categories, start_at, end_at, place],
  )
  if (!isReady) return null
  if (!line.up) return <p className="soft small">{t('conflict.offline')}</p>
  // What this person can’t see only the server knows: until it has answered, what it said last stays.
  const known = answer.data?.conflicts ?? []
  const conflicts = found === null ? known : [...found, ...known.filter(one => one.hidden)]
  const checked = answer.data?.conflicts_checked
  if (answer.error !== null) return <p className="soft small">{t('conflict.failed')}</p>
  if (answer.data === undefined) return <p className="soft small">{t('conflict.checking')}</p>
  if (checked === 'no_rule') return <p className="soft small">{t('conflict.no_rule')}</p>
  if (checked === 'no_place' && found === null) return <p className="soft small">{t('conflict.no_place_yet')}</p>
  const red = conflicts.some(one => one.severity === 'red')
  const says = confirmed ? null : <span className="soft small">{t('conflict.checking')}</span>
  if (conflicts.length === 0)
    return (
      <p className="soft small" role="status">
        {confirmed ? t('conflict.none_here') : t('conflict.none_so_far')}
      </p>
    )
  return (
    <div role="status">
      <Note kind={red ? 'stop' : 'warn'} title={t('conflict.would', { n: conflicts.length })}>
        <ConflictList conflicts={conflicts} />
        {says}
        {confirmed && onWindow !== undefined && answer.data.clean_windows.length > 0 && (
          <div className="stack tight">
            <span className="small">{t('conflict.clean')}</span>
            <span className="row">
              {answer.data.clean_windows.map(window => (
                <Button key={window.start_at} onClick={() => onWindow(window)}>
                  {windowOf(window.start_at, window.end_at, zone)}
                </Button>
              ))}
            </span>
          </div>
        )}
        {confirmed && onWindow !== undefined && red && answer.data.clean_windows.length === 0 && (
          <span className="small">{t('conflict.no_clean')}</span>
        )}
      </Note>
    </div>
  )
}
