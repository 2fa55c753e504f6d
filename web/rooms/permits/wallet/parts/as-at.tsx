import { Note } from '../../../../base/kit/note.tsx'
import { clockOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'

/** The time of the data shown, and whether it could be refreshed. */
export type AsAt = { at: number; stale: boolean }

/** The time of the data shown; if it could not be refreshed, it says so. */
export function AsAtMark({ as_at, zone }: { as_at: AsAt; zone: string }) {
  const time = clockOf(new Date(as_at.at).toISOString(), zone)
  if (as_at.stale) return <Note kind="warn">{t('wallet.stale', { time })}</Note>
  return <span className="soft small mono">{t('wallet.as_at', { time })}</span>
}
