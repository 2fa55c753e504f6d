import { Go } from '../base/go.tsx'
import { Glyph } from '../base/kit/glyph.tsx'
import { useOutbox } from '../base/outbox.ts'
import { paths } from '../base/paths.ts'
import { t } from '../base/words.ts'

/** The outbox of this phone, on every page; refused actions come first. */
export function OutboxBar({ site_id }: { site_id: string }) {
  const { items, sending } = useOutbox()
  if (items.length === 0) return null
  const refused = items.filter(item => item.state === 'refused').length
  const waits = items.length - refused
  return (
    <div role="status">
      <Go to={paths.outbox(site_id)} className={`outbox-bar ${refused > 0 ? 'stop' : ''}`}>
        <Glyph name={refused > 0 ? 'stop' : sending === null ? 'offline' : 'clock'} />
        <span>
          {[refused > 0 && t('outbox.refusals', { n: refused }), waits > 0 && t('outbox.count', { n: waits })].filter(Boolean).join(' · ')}
        </span>
        <Glyph name="next" />
      </Go>
    </div>
  )
}
