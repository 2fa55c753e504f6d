import { Go } from '../base/go.tsx'
import { Glyph } from '../base/kit/glyph.tsx'
import { useLine } from '../base/line.ts'
import { useOutbox } from '../base/outbox.ts'
import { paths } from '../base/paths.ts'
import { clockOf } from '../base/time.ts'
import { t } from '../base/words.ts'

/** Whether there is a line to the service; since when not. */
export function LineMark({ zone }: { zone: string }) {
  const line = useLine()
  const word = line.up ? t('line.up') : t('live.offline', { time: clockOf(new Date(line.since).toISOString(), zone) })
  return (
    <span className={`line-mark ${line.up ? 'up' : 'down'}`} role="status" title={word}>
      {line.up ? <span className="dot" aria-hidden /> : <Glyph name="offline" size={18} />}
      <span className={line.up ? 'unseen' : ''}>{word}</span>
    </span>
  )
}

/** What waits on this phone, wherever one is; what was refused stands before it. */
export function OutboxBar({ site_id }: { site_id: string }) {
  const { items, sending } = useOutbox()
  if (items.length === 0) return null
  const refused = items.filter(item => item.state === 'refused').length
  const waits = items.length - refused
  return (
    <Go to={paths.outbox(site_id)} className={`outbox-bar ${refused > 0 ? 'stop' : ''}`}>
      <Glyph name={refused > 0 ? 'stop' : sending === null ? 'offline' : 'clock'} />
      <span role="status">
        {[refused > 0 && t('outbox.refusals', { n: refused }), waits > 0 && t('outbox.count', { n: waits })].filter(Boolean).join(' · ')}
      </span>
      <Glyph name="next" />
    </Go>
  )
}
