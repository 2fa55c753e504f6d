import { useBusy } from '../base/busy.ts'
import { useLine as useReach } from '../base/line.ts'
import { useLine } from '../base/live.ts'
import { useHere } from '../base/site.tsx'
import { clockOf } from '../base/time.ts'
import { t } from '../base/words.ts'

/** Shows whether the data on screen is live: a shape and a word, never colour alone. */
export function LineDot() {
  const { zone } = useHere()
  // A call that failed to connect decides first; a socket that fails while calls succeed doesn't mean the device is offline.
  const reach = useReach()
  const live = useLine()
  const since = reach.up ? null : reach.since
  const busy = useBusy()
  const state = reach.up ? (busy ? 'busy' : live.state === 'live' ? 'live' : 'catching_up') : 'offline'
  const word =
    state === 'offline'
      ? t('live.offline', { time: since === null ? '' : clockOf(new Date(since).toISOString(), zone) })
      : t(`live.${state}`)
  return (
    <span className={`line-dot ${state}`} role="status" title={word}>
      <span aria-hidden />
      <span className={state === 'live' ? 'unseen' : 'tiny'}>{word}</span>
    </span>
  )
}
