import './alerts.css'
import { useEffect, useState } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { Button, FlagButton } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { paths } from '../../../base/paths.ts'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { t, tOf } from '../../../base/words.ts'
import { useAlerts } from './data.ts'
import { type Alert, faceOf, isOver } from './model.ts'
import { EmergencyPhone } from './parts/call.tsx'
import { ReopenWindow, ResolveWindow } from './parts/end.tsx'
import { AlertForm } from './parts/form.tsx'
import { AlertMark, AlertSays } from './parts/line.tsx'

type Open = { what: 'resolve' | 'reopen' | 'edit'; alert: Alert }

/** The alerts of the site, danger first, with what ends them. */
export default function Alerts() {
  const here = useHere()
  const [place] = usePlace()
  const [open, setOpen] = useState<Open | null>(null)
  const ended = place.ended === '1' || place.alert !== undefined
  const alerts = useAlerts(here.site_id, ended)
  useEffect(() => {
    document.title = `${t('alert.title')} · ${here.name}`
  }, [here.name])
  const add = here.canChange('alert_raise') && (
    <Go className="btn primary" to={paths.map(here.site_id, { add: 'alert' })}>
      <Glyph name="warning" size={16} />
      {t('alert.raise')}
    </Go>
  )
  const rows = (alerts.data ?? []).filter(one => one.id === place.alert || place.ended === '1' || !isOver(one))
  const close = () => setOpen(null)
  return (
    <div className="stack">
      <div className="row spread">
        <h1>{t('alert.title')}</h1>
        <EmergencyPhone />
      </div>
      <Listing
        label={t('alert.title')}
        query={alerts}
        rows={rows.toSorted((a, b) => Number(b.id === place.alert) - Number(a.id === place.alert))}
        idOf={one => one.id}
        nameOf={one => one.title}
        row={one => <Row alert={one} onOpen={what => setOpen({ what, alert: one })} />}
        isPast={one => isOver(one)}
        flush
        search={{ label: t('alert.find'), texts: one => [one.title, one.message, tOf('alert_category', one.category)] }}
        filters={[{ name: 'ended', kind: 'tick', label: t('alert.ended_too') }]}
        count={n => t('alert.count', { n })}
        actions={add}
        empty={{ says: t('alert.empty'), action: add || undefined }}
      />
      {open?.what === 'resolve' && <ResolveWindow alert={open.alert} onClose={close} />}
      {open?.what === 'reopen' && <ReopenWindow alert={open.alert} onClose={close} />}
      {open?.what === 'edit' && <AlertForm alert={open.alert} place={null} onClose={close} />}
    </div>
  )
}

function Row({ alert, onOpen }: { alert: Alert; onOpen(what: Open['what']): void }) {
  const here = useHere()
  const over = isOver(alert)
  const { change, resolve, unresolve } = alert.permissions ?? {}
  return (
    <article className={`alert-row ${over ? 'over' : faceOf(alert).kind}`}>
      <div className="row">
        <AlertMark alert={alert} />
        <span className="soft small">{tOf('alert_category', alert.category)}</span>
        {alert.contractor_ids.length > 0 && <span className="badge soft">{t('alert.only_for')}</span>}
      </div>
      <h2>{alert.title}</h2>
      <AlertSays alert={alert} />
      <div className="row">
        {!over && (
          <FlagButton flag={resolve} explained={false} onClick={() => onOpen('resolve')}>
            {t('alert.resolve')}
          </FlagButton>
        )}
        {over && unresolve?.allowed === true && <Button onClick={() => onOpen('reopen')}>{t('alert.reopen')}</Button>}
        {change?.allowed === true && (
          <Button look="quiet" onClick={() => onOpen('edit')}>
            {t('common.edit')}
          </Button>
        )}
        {alert.area === null ? (
          <span className="soft small">{t('alert.whole_site')}</span>
        ) : (
          !over && (
            <Go className="btn quiet" to={paths.map(here.site_id, { chosen: alert.id })}>
              <Glyph name="pin" size={16} />
              {t('alert.on_map')}
            </Go>
          )
        )}
      </div>
    </article>
  )
}
