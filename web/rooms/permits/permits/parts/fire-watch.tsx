import { useMemo } from 'react'
import { MINUTE, ms } from '../../../../../shared/time.ts'
import { Note } from '../../../../base/kit/note.tsx'
import { useNow } from '../../../../base/now.ts'
import { useHere } from '../../../../base/site.tsx'
import { clockOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import type { Permit } from '../steps.ts'

/** The fire watch of hot work: its length and end; or the fact that none was recorded where one should be. */
export function FireWatch({ permit }: { permit: Pick<Permit, 'categories' | 'fire_watch_until' | 'handed_back_at'> }) {
  const { zone } = useHere()
  const now = useNow(
    15_000,
    useMemo(() => [permit.fire_watch_until], [permit.fire_watch_until]),
  )
  const { fire_watch_until: until, handed_back_at: from } = permit
  if (until === null) return permit.categories.includes('HW') ? <Note kind="warn" title={t('fire_watch.none')} /> : null
  const minutes = from === null ? null : Math.round((ms(until) - ms(from)) / MINUTE)
  const left = Math.ceil((ms(until) - now) / MINUTE)
  const time = clockOf(until, zone)
  return (
    <Note kind={left > 0 ? 'warn' : 'safe'} title={t(left > 0 ? 'fire_watch.running' : 'fire_watch.over', { time, n: left })}>
      {minutes !== null && <p className="small">{t('fire_watch.length', { n: minutes, from: clockOf(from ?? until, zone) })}</p>}
    </Note>
  )
}
