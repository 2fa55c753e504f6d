import './notifications.css'
import { useEffect } from 'react'
import { Go } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { toastFault, Wait } from '../../../base/kit/note.tsx'
import { useSaved } from '../../../base/kit/saved-tick.tsx'
import { paths } from '../../../base/paths.ts'
import { useSend } from '../../../base/send.ts'
import { useHere } from '../../../base/site.tsx'
import { readable } from '../../../base/words.ts'
import { dropPreference, prefer, usePreferences } from './data.ts'
import { CHANNELS, type Channel, type Preference } from './model.ts'
import { Device } from './parts/device.tsx'
import { sourceOf } from './parts/source.ts'
import { Timing } from './parts/timing.tsx'
import { t } from './says.ts'

/** Notification settings for this site: what is sent through which channel, the email schedule, and quiet hours. */
export default function Preferences() {
  const here = useHere()
  const prefs = usePreferences(here.site_id)
  useEffect(() => {
    document.title = `${t('prefs.title')} · ${here.name}`
  }, [here.name])
  const every = prefs.data?.find(one => one.kind === 'all')
  const groups = [
    ...Map.groupBy(
      (prefs.data ?? []).filter(one => one.kind !== 'all'),
      one => one.group,
    ),
  ]
  return (
    <div className="prefs stack">
      <header className="row">
        <Go className="btn quiet square" aria-label={t('common.back')} to={paths.notifications(here.site_id)}>
          <Glyph name="back" />
        </Go>
        <h1>{t('prefs.title')}</h1>
      </header>
      {here.can('notification_rule_view') && (
        <p className="soft small">
          {t('prefs.by_rules')} <Go to={paths.rules(here.site_id)}>{t('rules.title')}</Go>
        </p>
      )}
      <Device />
      <Wait query={prefs} rows={6} height={48} />
      {every !== undefined && <Timing every={every} />}
      {prefs.data !== undefined && (
        <section className="stack" aria-label={t('prefs.what')}>
          <h2>{t('prefs.what')}</h2>
          <p className="soft small">{t('prefs.what_hint', { site: here.name })}</p>
          <div className="table-wrap">
            <table className="table prefs-table">
              <caption className="unseen">{t('prefs.what')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('prefs.kind')}</th>
                  {CHANNELS.map(channel => (
                    <th key={channel} scope="col">
                      {t(`channel.${channel}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              {every !== undefined && (
                <tbody>
                  <Line preference={every} />
                </tbody>
              )}
              {groups.map(([group, rows]) => (
                <tbody key={group}>
                  <tr>
                    <th scope="rowgroup" colSpan={4} className="group">
                      {readable(group)}
                    </th>
                  </tr>
                  {rows.map(row => (
                    <Line key={row.kind} preference={row} />
                  ))}
                </tbody>
              ))}
            </table>
          </div>
        </section>
      )}
    </div>
  )
}

const OWN = ['own_site', 'own', 'own_all']

function Line({ preference }: { preference: Preference }) {
  return (
    <tr>
      <th scope="row">
        {preference.kind === 'all' ? t('prefs.everything') : preference.label}
        {preference.urgency !== null && <span className="soft small"> · {t(`urgency.${preference.urgency}`)}</span>}
      </th>
      {CHANNELS.map(channel => (
        <td key={channel}>
          <Cell preference={preference} channel={channel} />
        </td>
      ))}
    </tr>
  )
}

function Cell({ preference, channel }: { preference: Preference; channel: Channel }) {
  const here = useHere()
  const cell = preference.channels[channel]
  const name = preference.kind === 'all' ? t('prefs.everything') : preference.label
  const site_id = preference.kind === 'all' ? null : here.site_id
  const sending = useSend()
  const save = (enabled: boolean) =>
    prefer(preference.kind, channel, { site_id, enabled }).catch(error => {
      toastFault(error)
      throw error
    })
  const { shown, choose } = useSaved({ checked: cell.enabled, sending, save, said: null })
  const own = preference.kind !== 'all' && cell.source === 'own_site'
  return (
    <span className="stack tight">
      <label className="switch">
        <input
          type="checkbox"
          checked={shown}
          disabled={cell.locked || sending.busy}
          aria-label={t('prefs.switch', { kind: name, channel: t(`channel.${channel}`) })}
          onChange={event => void choose(event.target.checked)}
        />
        <span className="channel" aria-hidden>
          {t(`channel.${channel}`)}:
        </span>
        <span aria-hidden>{t(shown ? 'prefs.on' : 'prefs.off')}</span>
      </label>
      <span className={`tiny ${OWN.includes(cell.source) ? '' : 'soft'}`}>{sourceOf(cell)}</span>
      {own && (
        <Button look="quiet" className="tiny" onClick={() => void dropPreference(preference.kind, channel, site_id).catch(toastFault)}>
          {t('prefs.back_to_default')}
        </Button>
      )}
    </span>
  )
}
