import { useQuery } from '@tanstack/react-query'
import { Note } from '../base/kit/note.tsx'
import { siteQuery, useHere } from '../base/site.tsx'
import { momentOf } from '../base/time.ts'
import { t } from '../base/words.ts'

/** Says on every page of a locked site since when it is locked, who locked it and why, and what is still possible. */
export function LockedBar() {
  const { site_id, zone } = useHere()
  const { data: site } = useQuery(siteQuery(site_id))
  const { locked_at = null, locked_by_name: name = null, lock_reason: reason } = site ?? {}
  const when = locked_at === null ? null : momentOf(locked_at, zone)
  return (
    <Note kind="warn">
      {when !== null && (
        <p className="strong">
          {name === null ? t('site.locked_at', { when }) : t('site.locked_by', { when, name })} {reason}
        </p>
      )}
      {t('site.locked')}
    </Note>
  )
}
