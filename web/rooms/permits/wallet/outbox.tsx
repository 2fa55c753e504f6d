import { useEffect, useState } from 'react'
import { signIn } from '../../../base/auth.ts'
import { reasonsIn } from '../../../base/fault.ts'
import { Go } from '../../../base/go.tsx'
import { Button, HoldButton } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Empty, Note, toastFault } from '../../../base/kit/note.tsx'
import { dismiss, flush, type Item, useOutbox } from '../../../base/outbox.ts'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { momentOf } from '../../../base/time.ts'
import { t } from '../../../base/words.ts'
import { usePermit, useWaitingDrafts, WaitingDrafts } from '../permits/door.tsx'
import { useWallet } from './data.ts'
import { Changes } from './parts/changes.tsx'
import './wallet.css'

/** Actions on this phone that haven't arrived: what is waiting and why, and what was refused, with what to do about it. */
export default function Outbox() {
  const here = useHere()
  const { items, sending, held } = useOutbox()
  const drafts = useWaitingDrafts(here.site_id)
  const refused = items.filter(item => item.state === 'refused')
  const waits = items.filter(item => item.state === 'here')
  useEffect(() => {
    document.title = `${t('outbox.title')} · ${here.name}`
  }, [here.name])
  return (
    <div className="field outbox">
      <h1>{t('outbox.title')}</h1>
      <WaitingDrafts site_id={here.site_id} />
      {items.length === 0 && drafts.length === 0 && (
        <Empty
          action={
            <Go className="btn primary" to={paths.wallet(here.site_id)}>
              {t('wallet.back')}
            </Go>
          }
        >
          {t('outbox.empty')}
        </Empty>
      )}
      {refused.length > 0 && (
        <section className="stack" aria-label={t('outbox.refused')}>
          <h2>{t('outbox.refusals', { n: refused.length })}</h2>
          {refused.map(item => (
            <Refused key={item.key} item={item} />
          ))}
        </section>
      )}
      {waits.length > 0 && (
        <section className="stack" aria-label={t('outbox.here')}>
          <h2>{t('outbox.count', { n: waits.length })}</h2>
          <Note kind={held === null ? 'act' : 'warn'} title={t(`outbox.held.${held ?? 'none'}`)}>
            {held === 'sign_in' ? (
              <Button look="primary" onClick={() => void signIn(paths.outbox(here.site_id))}>
                {t('outbox.sign_in')}
              </Button>
            ) : (
              held !== null && <Button onClick={() => void flush()}>{t('outbox.again')}</Button>
            )}
          </Note>
          <ol className="stack">
            {waits.map(item => (
              <li key={item.key} className="panel stack tight">
                <Head item={item} mark={sending === item.key ? 'sending' : 'here'} />
                <HoldButton
                  look="danger"
                  aria-disabled={sending === item.key || undefined}
                  onHeld={() => void dismiss(item.key).catch(toastFault)}
                >
                  {t('outbox.drop')}
                </HoldButton>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

function Head({ item, mark }: { item: Item; mark: 'here' | 'sending' | 'refused' }) {
  const { zone } = useHere()
  return (
    <>
      <span className={`badge ${mark === 'refused' ? 'stop' : mark === 'sending' ? 'act' : ''}`}>
        <Glyph name={mark === 'refused' ? 'stop' : mark === 'sending' ? 'clock' : 'offline'} size={16} />
        {t(`outbox.${mark}`)}
      </span>
      <p className="strong">{item.says}</p>
      <p className="soft small mono">{t('outbox.done_at', { time: momentOf(new Date(item.at).toISOString(), zone) })}</p>
    </>
  )
}

function Refused({ item }: { item: Item }) {
  const here = useHere()
  const [busy, setBusy] = useState(false)
  const changed = item.refusal?.context.reason === 'stale_preview'
  const carried = useWallet(item.site_id).data?.some(one => one.id === item.subject.id) ?? false
  return (
    <article className="panel stack">
      <div className="stack tight">
        <Head item={item} mark="refused" />
      </div>
      <Note kind="stop" title={changed ? t('outbox.changed') : item.refusal?.detail}>
        <Why item={item} />
      </Note>
      {changed && <WhatIsNew item={item} />}
      {item.subject.kind === 'permit' && (
        <Go
          className="btn primary wide"
          to={carried ? paths.wallet(item.site_id, { permit: item.subject.id }) : paths.permit(here.site_id, item.subject.id)}
        >
          {t('outbox.look')}
        </Go>
      )}
      <Button
        wide
        aria-busy={busy}
        onClick={() => {
          setBusy(true)
          void dismiss(item.key).catch(toastFault)
        }}
      >
        {t('outbox.dismiss')}
      </Button>
    </article>
  )
}

/** The other details of the refusal. */
function Why({ item }: { item: Item }) {
  const more = reasonsIn(item.refusal?.context ?? {}).filter(one => one.detail !== item.refusal?.detail)
  if (more.length === 0) return null
  return (
    <ul className="small">
      {more.map(one => (
        <li key={one.detail}>{one.detail}</li>
      ))}
    </ul>
  )
}

function WhatIsNew({ item }: { item: Item }) {
  const permit = usePermit(item.subject.id)
  if (permit.data === undefined) return permit.error === null ? null : <p>{t('outbox.gone')}</p>
  return <Changes seen={item.seen} permit={permit.data} />
}
