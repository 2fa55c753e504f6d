import { useEffect, useMemo, useState } from 'react'
import { Go, useGo, usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Note, toast, toastFault } from '../../../base/kit/note.tsx'
import { Window } from '../../../base/kit/window.tsx'
import { edgesOf, useNow } from '../../../base/now.ts'
import { useOutbox } from '../../../base/outbox.ts'
import { paths } from '../../../base/paths.ts'
import { showFile } from '../../../base/save.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import {
  Advice,
  attachFile,
  Chain,
  ConflictBadge,
  Conflicts,
  Essentials,
  offered,
  PreChecks,
  StatusMark,
  StepDialog,
  type StepName,
  Stopped,
  standingOf,
  stepKey,
  TypeChip,
  Work,
} from '../permits/door.tsx'
import { paperOf } from './data.ts'
import { callOf, FIELD_STEPS, type WalletPermit } from './model.ts'
import { type AsAt, AsAtMark } from './parts/as-at.tsx'
import { CallLine } from './parts/call.tsx'
import { Qr } from './parts/qr.tsx'
import { Sign } from './parts/sign.tsx'
import { Waiting } from './parts/waiting.tsx'

/** One permit in the wallet: its next action, all its content, and the possible steps, within reach of the thumb. */
export function Carried({ permit, as_at }: { permit: WalletPermit; as_at: AsAt }) {
  const here = useHere()
  const go = useGo()
  const now = useNow(
    15_000,
    useMemo(() => edgesOf([permit]), [permit]),
  )
  const [place, setPlace] = usePlace()
  const [code, setCode] = useState(false)
  const asked = FIELD_STEPS.find(one => one === place.step && offered(permit).may.includes(one))
  const [step, setStep] = useState<StepName | null>(asked ?? null)
  const leave = () => {
    setStep(null)
    if (place.step !== undefined) setPlace({ step: undefined })
  }
  useEffect(() => {
    document.title = `${permit.permit_number ?? ''} · ${here.name}`
    scrollTo(0, 0)
  }, [permit.permit_number, here.name])
  const able = offered(permit).may
  const may = FIELD_STEPS.filter(one => able.includes(one))
  const signs = may.find(one => one === 'countersign' || one === 'issue')
  // A step that was taken already and is waiting on this phone is not offered again.
  const waits = new Set(useOutbox().items.flatMap(item => (item.subject.id === permit.id && item.state === 'here' ? [item.step] : [])))
  const rest = may.filter(one => one !== signs && !waits.has(one))
  const openPaper = async () => {
    try {
      showFile(await paperOf(permit))
    } catch (error) {
      toastFault(error)
    }
  }
  const photo = async (files: FileList | null) => {
    try {
      for (const file of files ?? []) if (!(await attachFile(permit, file, null))) toast(t('outbox.saved'))
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <article className="field carried">
      <header className="row">
        <Button look="quiet" square aria-label={t('wallet.back')} onClick={() => go(paths.wallet(here.site_id))}>
          <Glyph name="back" size={28} />
        </Button>
        <span className="mono strong grow number">{permit.permit_number ?? t('permit.draft_number')}</span>
        <StatusMark standing={standingOf(permit)} />
      </header>
      <h1>{permit.title ?? t('permit.untitled')}</h1>
      <div className="row tight-row">
        {permit.categories.map(one => (
          <TypeChip key={one} code={one} />
        ))}
        <ConflictBadge permit_id={permit.id} />
        {permit.soon && <span className="badge warn">{t('badge.soon')}</span>}
        {permit.source === 'imported' && <span className="badge soft">{t('badge.imported')}</span>}
      </div>
      <Stopped permit={permit} />
      <CallLine call={callOf(permit, now)} permit={permit} now={now} />
      {place.paper === 'old' && <Note kind="warn">{t('wallet.paper_old')}</Note>}
      <AsAtMark as_at={as_at} zone={here.zone} />
      <Waiting permit_id={permit.id} />
      {rest.length > 0 && (
        <section className="stack" aria-label={t('wallet.steps')}>
          {rest.map(one => (
            <Button key={one} wide look={one === 'close_out' || one === 'revalidate' ? 'primary' : undefined} onClick={() => setStep(one)}>
              {t(stepKey(one))}
            </Button>
          ))}
        </section>
      )}
      {signs !== undefined && !waits.has(signs) && <Advice permit={permit} step={signs} />}
      <Conflicts permit={permit} />
      <Essentials permit={permit} now={now} />
      <Work permit={permit} />
      <PreChecks permit={permit} />
      <Chain permit={permit} />
      <div className="stack">
        {permit.qr_payload !== null && (
          <Button wide onClick={() => setCode(true)}>
            <Glyph name="scan" size={26} />
            {t('wallet.show_qr')}
          </Button>
        )}
        {permit.permissions.attach.allowed && (
          <label className="btn wide">
            <Glyph name="camera" size={26} />
            {t('wallet.photo')}
            <input
              className="unseen"
              type="file"
              accept="image/*"
              capture="environment"
              onChange={event => void photo(event.target.files)}
            />
          </label>
        )}
        <Button wide onClick={() => void openPaper()}>
          <Glyph name="document" size={26} />
          {t('wallet.paper')}
        </Button>
        <Go className="btn quiet wide" to={paths.permit(here.site_id, permit.id)}>
          {t('wallet.whole')}
        </Go>
      </div>
      {signs !== undefined && !waits.has(signs) && (
        <section className="hand-bar" aria-label={t('wallet.sign')}>
          <Sign permit={permit} step={signs} advised={false} />
        </section>
      )}
      {code && permit.qr_payload !== null && (
        <Window title={permit.permit_number ?? t('wallet.qr')} onClose={() => setCode(false)}>
          <Qr text={permit.qr_payload} />
        </Window>
      )}
      {step !== null && <StepDialog permit={permit} step={step} onClose={leave} onDone={leave} />}
    </article>
  )
}
