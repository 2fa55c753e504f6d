import './alerts.css'
import { useState } from 'react'
import { fieldsIn } from '../../../../shared/narrow.ts'
import { Go } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Note } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { useAlerts } from './data.ts'
import { type Read, stopsOf, toRead } from './model.ts'
import { EmergencyPhone } from './parts/call.tsx'

const KEPT = 100

const keyOf = (me: string) => `walkdown.visit alerts ${me}`

/** Returns what this person has read on this device. */
function readBy(me: string): Read {
  try {
    const kept = fieldsIn(JSON.parse(localStorage.getItem(keyOf(me)) ?? '{}'))
    return Object.fromEntries(Object.entries(kept).flatMap(([id, period]) => (typeof period === 'number' ? [[id, period]] : [])))
  } catch {
    return {}
  }
}

/** Danger and stopped work, on every page until the person has read it. */
export default function AlertBanner() {
  const here = useHere()
  const { data = [] } = useAlerts(here.site_id)
  const [read, setRead] = useState(() => readBy(here.me.id))
  const unread = toRead(data, read, here.me.id)
  const [first] = unread
  if (first === undefined) return null
  const stops = stopsOf(first)
  const done = () => {
    const next = Object.fromEntries([...Object.entries(read), [first.id, first.periods.length]].slice(-KEPT))
    setRead(next)
    localStorage.setItem(keyOf(here.me.id), JSON.stringify(next))
  }
  return (
    <div className="alert-banner">
      <Note kind="stop" title={first.title}>
        {first.message !== null && <p className="pre">{first.message}</p>}
        {stops !== null && <p className="strong">{stops}</p>}
        <div className="row">
          <Button look="primary" onClick={done}>
            {t('alert.read')}
          </Button>
          <Go className="btn" to={paths.alerts(here.site_id, { alert: first.id })}>
            {t('alert.open')}
          </Go>
          <EmergencyPhone />
          {unread.length > 1 && <span className="soft small">{t('alert.more', { n: unread.length - 1 })}</span>}
        </div>
      </Note>
    </div>
  )
}
