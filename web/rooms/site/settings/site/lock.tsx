import { useState } from 'react'
import { FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { momentOf } from '../../../../base/time.ts'
import { t } from '../says.ts'
import { lockSite, type Site } from './data.ts'

/** Locks the site as a record, or unlocks it. */
export function LockPart({ site }: { site: Site }) {
  const { busy, fault, send } = useSend()
  const [reason, setReason] = useState('')
  const [force, setForce] = useState(false)
  const locked = site.locked_at !== null
  const flag = locked ? site.permissions.unlock : site.permissions.lock
  // When permits are live, the lock is refused unless it is forced; only then is that choice offered.
  const live = !locked && flag.because.some(one => one.code === 'no_live_permits' || one.code === 'invalid_transition')
  const may = flag.allowed || live
  const run = async () => {
    const body = { locked: !locked, reason: reason.trim(), ...(force ? { force } : {}) }
    if (!(await send(() => lockSite(site, body)))) return
    toast(t(locked ? 'site.was_unlocked' : 'site.was_locked'))
    // Live data can show the new state before the response is here: what was typed since then stays.
    setReason(now => (now === reason ? '' : now))
  }
  const ready = may && reason.trim() !== '' && !busy && (flag.allowed || force)
  return (
    <section className="panel stack" aria-labelledby="lock">
      <h2 id="lock">{t('site.lock')}</h2>
      <p>
        {site.locked_at === null
          ? t('site.lock_says')
          : t('site.locked_since', { when: momentOf(site.locked_at, site.timezone), reason: site.lock_reason ?? '' })}
      </p>
      {!may ? (
        <FlagButton flag={flag}>{t(locked ? 'site.do_unlock' : 'site.do_lock')}</FlagButton>
      ) : (
        <>
          <TextField
            label={t('site.lock_reason')}
            hint={t('site.lock_reason_hint')}
            maxLength={1000}
            value={reason}
            onChange={event => setReason(event.target.value)}
          />
          {live && (
            <>
              <p className="because">{flag.because.map(one => one.detail).join(' ')}</p>
              <Tick label={t('site.lock_force')} checked={force} onChange={event => setForce(event.target.checked)} />
            </>
          )}
          {fault !== null && <FaultNote error={fault} />}
          <span>
            <HoldButton look="danger" disabled={!ready} onHeld={() => void run()}>
              {t(locked ? 'site.do_unlock' : 'site.do_lock')}
            </HoldButton>
          </span>
        </>
      )}
    </section>
  )
}
