import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useOutbox } from '../../../../base/outbox.ts'
import { t } from '../../../../base/words.ts'

const SHOWN = 3

/** Actions on a permit on this phone that haven't arrived: saved, being sent, or refused. Never shown as done. */
export function Waiting({ permit_id }: { permit_id: string }) {
  const { items, sending } = useOutbox()
  const own = items.filter(item => item.subject.id === permit_id)
  if (own.length === 0) return null
  const shown = own.slice(-SHOWN)
  return (
    <ul className="waiting stack tight" aria-label={t('outbox.title')}>
      {own.length > shown.length && <li className="soft small">{t('outbox.more', { n: own.length - shown.length })}</li>}
      {shown.map(item => {
        const state = item.state === 'refused' ? 'refused' : sending === item.key ? 'sending' : 'here'
        return (
          <li key={item.key} className="row tight-row">
            <span className={`badge ${state === 'refused' ? 'stop' : state === 'sending' ? 'act' : ''}`}>
              <Glyph name={state === 'refused' ? 'stop' : state === 'sending' ? 'clock' : 'offline'} size={16} />
              {t(`outbox.${state}`)}
            </span>
            <span className="small">{item.says}</span>
          </li>
        )
      })}
    </ul>
  )
}
