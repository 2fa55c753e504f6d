import { Go } from '../../../../base/go.tsx'
import { FaultNote, Skeleton } from '../../../../base/kit/note.tsx'
import { SavedTick } from '../../../../base/kit/saved-tick.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { prefer, usePreferences } from '../data.ts'
import { CHANNELS, type Message, reasonOf } from '../model.ts'
import { t, tOf } from '../says.ts'
import { sourceOf } from './source.ts'

/** Shows why this notification was sent, through which channels, and the switches for the next one of its kind. */
export function Why({ message, onClose }: { message: Message; onClose(): void }) {
  const { site_id } = useHere()
  const prefs = usePreferences(message.site_id)
  const sending = useSend()
  const own = prefs.data?.find(one => one.kind === message.kind)
  return (
    <Window title={t('why.title')} onClose={onClose}>
      <p className="strong">{message.title}</p>
      <ul className="stack tight">
        {[...new Set(message.because.map(reasonOf))].map(reason => (
          <li key={reason}>{reason}</li>
        ))}
        {message.rule_id !== null && <li>{t(message.kind.startsWith('rule:') ? 'why.own_rule' : 'why.rule')}</li>}
      </ul>
      <h3>{t('why.sent')}</h3>
      <ul className="stack tight small">
        {message.sends.map(one => (
          <li key={one.channel}>
            {t(`channel.${one.channel}`)}: {tOf('send', one.state)}
            {one.detail !== null && <span className="soft"> · {tOf('send.detail', one.detail)}</span>}
          </li>
        ))}
      </ul>
      <h3>{t('why.next', { kind: own?.label ?? t('why.this_kind') })}</h3>
      {prefs.isPending && <Skeleton rows={2} height={44} />}
      {prefs.error !== null && <FaultNote error={prefs.error} onRetry={() => void prefs.refetch()} />}
      {own !== undefined &&
        CHANNELS.map(channel => {
          const { enabled, locked } = own.channels[channel]
          return (
            <SavedTick
              key={channel}
              label={t(`channel.${channel}`)}
              hint={sourceOf(own.channels[channel])}
              checked={enabled}
              disabled={locked}
              sending={sending}
              save={checked => prefer(own.kind, channel, { site_id: message.site_id, enabled: checked })}
              said={null}
            />
          )
        })}
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      <Go to={paths.preferences(site_id)}>{t('prefs.all')}</Go>
    </Window>
  )
}
