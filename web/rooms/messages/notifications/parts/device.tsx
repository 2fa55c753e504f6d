import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../../base/api.ts'
import { config } from '../../../../base/config.ts'
import { Tick } from '../../../../base/kit/field.tsx'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { messagesMoved } from '../data.ts'
import { standing, switchOff, switchOn } from '../push.ts'
import { t } from '../says.ts'

/** Shows whether notifications reach this device while the app is closed, and the person's other devices. */
export function Device() {
  const { zone } = useHere()
  const now = useQuery({ queryKey: ['notifications', 'device'], queryFn: standing, staleTime: 0 })
  const devices = useQuery({ queryKey: ['notifications', 'devices'], queryFn: () => ask(client.GET('/push/subscriptions')) })
  const { busy, fault, send } = useSend()
  const on = now.data === 'on'
  const why = !config().push_enabled
    ? t('push.not_here')
    : now.data === 'unable'
      ? t('push.unable')
      : now.data === 'barred'
        ? t('push.barred')
        : null
  return (
    <section className="panel stack" aria-label={t('push.title')}>
      <h2>{t('push.title')}</h2>
      <Tick
        label={t('push.this')}
        hint={why ?? t('push.hint')}
        checked={on}
        disabled={busy || now.data === undefined || (why !== null && !on)}
        onChange={event => {
          const want = event.target.checked
          void send(async () => {
            await (want ? switchOn() : switchOff())
          }).finally(messagesMoved)
        }}
      />
      {fault !== null && <FaultNote error={fault} />}
      {(devices.data ?? []).length > 0 && (
        <>
          <h3>{t('push.devices')}</h3>
          <ul className="stack tight">
            {devices.data?.map(device => (
              <li key={device.id}>
                {device.device_label ?? device.host}
                <span className="soft small">
                  {' · '}
                  {device.last_success_at === null ? t('push.never') : t('push.last', { when: momentOf(device.last_success_at, zone) })}
                  {device.failures > 0 && ` · ${t('push.failures', { n: device.failures })}`}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
