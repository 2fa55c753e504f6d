import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote, Note } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { checkChain } from '../data.ts'
import { type Chain, lengthOf } from '../model.ts'
import { t } from '../says.ts'

const keptAt = (site_id: string) => `walkdown.chain.${site_id}`

/** Checks that the audit log is complete: no entry changed, none removed, and the head that this device saw last time still there. */
export function Check() {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const [found, setFound] = useState<Chain | null>(null)
  const [checked, setChecked] = useState(0)
  const run = () =>
    send(async () => {
      setFound(null)
      setChecked(0)
      const chain = await checkChain(site_id, localStorage.getItem(keptAt(site_id)), setChecked)
      setFound(chain)
      // The head is noted only if the chain was verified, because a noted head is lasting evidence against the service.
      if (chain.broken === null && chain.noted !== 'differs' && chain.head !== null) localStorage.setItem(keptAt(site_id), chain.head)
    })
  const whole = found !== null && found.broken === null && found.noted !== 'differs'
  return (
    <section className="stack tight" aria-label={t('audit.check')}>
      <div className="row">
        <Button disabled={busy} onClick={() => void run()}>
          {t('audit.check')}
        </Button>
        {busy && (
          <span role="status" className="soft small">
            {t('audit.checking', { n: checked })}
          </span>
        )}
      </div>
      {fault !== null && <FaultNote error={fault} />}
      {found !== null && whole && (
        <Note kind="safe" title={t('audit.whole', { n: lengthOf(found) })}>
          <p className="small">{t(found.noted === 'holds' ? 'audit.holds' : 'audit.noted_now')}</p>
          <p className="small mono head">{found.head}</p>
        </Note>
      )}
      {found !== null && found.broken !== null && (
        <Note kind="stop" title={t('audit.broken', { n: found.broken })}>
          {t('audit.broken_says')}
        </Note>
      )}
      {found !== null && found.noted === 'differs' && (
        <Note kind="stop" title={t('audit.differs')}>
          {t('audit.differs_says')}
        </Note>
      )}
    </section>
  )
}
