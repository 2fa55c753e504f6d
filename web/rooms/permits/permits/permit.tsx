import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { fieldsIn } from '../../../../shared/narrow.ts'
import { ask, client } from '../../../base/api.ts'
import { asFault } from '../../../base/fault.ts'
import { Go, useGo, usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Note, PageWait, Stale, toast, toastFault } from '../../../base/kit/note.tsx'
import { edgesOf, useNow } from '../../../base/now.ts'
import { paths } from '../../../base/paths.ts'
import { usePrinting } from '../../../base/printing.ts'
import { useHere } from '../../../base/site.tsx'
import { stampOf } from '../../../base/time.ts'
import { useWide } from '../../../base/wide.ts'
import { t } from '../../../base/words.ts'
import { afterDecision } from '../../messages/tasks/door.tsx'
import { permitsMoved, usePermit } from './data.ts'
import { Chain, Essentials, PreChecks, Work } from './parts/body.tsx'
import { Compare } from './parts/compare.tsx'
import { Conflicts } from './parts/conflicts.tsx'
import { Extensions } from './parts/extensions.tsx'
import { Files, openFile } from './parts/files.tsx'
import { History, Resubmitted, WhyBack } from './parts/history.tsx'
import { StatusMark } from './parts/status.tsx'
import { StepDialog, StepForm } from './parts/step-dialog.tsx'
import { Stopped } from './parts/stopped.tsx'
import { Where } from './parts/where.tsx'
import { awaitedOf, standingOf, waitsForMe } from './standing.ts'
import { flagOf, offered, type Permit, STEPS, type StepName, stepKey } from './steps.ts'

/** Everything about one permit; with `?review=` it opens with the decision that a task needs. */
export default function PermitPage() {
  const { permitId = '' } = useParams({ strict: false })
  const here = useHere()
  const permit = usePermit(permitId)
  useEffect(() => {
    if (permit.data !== undefined)
      document.title = `${permit.data.permit_number ?? permit.data.title ?? t('permit.untitled')} · ${here.name}`
  }, [permit.data, here.name])
  if (permit.data === undefined) return <PageWait title={t('permit.one')} query={permit} />
  // It was open when another person deleted it, or gave it to another contractor.
  if (permit.error !== null && asFault(permit.error).status === 404) return <Gone permit={permit.data} />
  return <Shown key={permit.data.id} permit={permit.data} stale={permit.error !== null ? permit.dataUpdatedAt : null} />
}

function Gone({ permit }: { permit: Permit }) {
  const here = useHere()
  return (
    <div className="stack">
      <h1>{permit.permit_number ?? permit.title ?? t('permit.untitled')}</h1>
      <Note kind="warn" title={t('fault.gone')}>
        <Go to={paths.board(here.site_id)}>{t('nav.board')}</Go>
      </Note>
    </div>
  )
}

/** From this width on, the page has two columns; as in the style sheet. */
const TWO_COLUMNS = 1001

function Shown({ permit, stale }: { permit: Permit; stale: number | null }) {
  const here = useHere()
  const go = useGo()
  const [place] = usePlace()
  const now = useNow(
    15_000,
    useMemo(() => edgesOf([permit]), [permit]),
  )
  const printing = usePrinting()
  const [step, setStep] = useState<StepName | null>(null)
  const decide = useRef<HTMLElement>(null)
  // On a phone, what to do next comes before the content, also for the Tab key and for screen readers. People who sign read the content first.
  const wide = useWide(TWO_COLUMNS)
  const { may, barred } = offered(permit)
  const awaited = awaitedOf(permit)
  const asked = (['endorse', 'approve', 'issue', 'countersign', 'close_out'] as const).find(one => one === place.review)
  const decision = asked !== undefined && flagOf(permit, asked).allowed ? asked : null
  const done = (taken: StepName, data: unknown) => {
    setStep(null)
    const { id } = fieldsIn(data)
    if (taken === 'reissue' && typeof id === 'string') go(paths.request(here.site_id, { draft: id }))
    else if (place.from === 'tasks') void goOn()
    else if (decision === taken) go(paths.permit(here.site_id, permit.id), { replace: true })
  }
  // A person who works through tasks gets the next one without going back to the list.
  const goOn = async () => go(await afterDecision(here.site_id, here.me.id, permit.id), { replace: true })
  const drop = async () => {
    try {
      await ask(client.DELETE('/permits/applications/{permit_id}', { params: { path: { permit_id: permit.id } } }))
      toast(t('permit.deleted'))
      void permitsMoved(permit.id, false)
      go(paths.board(here.site_id), { replace: true })
    } catch (error) {
      toastFault(error)
    }
  }
  const next = (
    <section
      ref={decide}
      tabIndex={-1}
      className={`panel next-step screen-only${waitsForMe(permit) ? ' mine-panel' : ''}`}
      aria-label={decision === null ? t('permit.next') : t('permit.decide')}
    >
      <header>
        <h2>{decision === null ? t('permit.next') : t('permit.decide')}</h2>
      </header>
      <div className="stack">
        {/* Without it, the only button, such as “Withdraw”, would look like the next step. */}
        {awaited !== null && <p>{t(`permit.awaited.${awaited}`)}</p>}
        {decision !== null && <StepForm permit={permit} step={decision} onDone={data => done(decision, data)} />}
        {permit.permissions.edit.allowed && (
          <Go className="btn primary" to={paths.request(here.site_id, { draft: permit.id })}>
            {t('permit.edit')}
          </Go>
        )}
        {may
          .filter(one => one !== decision)
          .map(one => (
            <Button key={one} look={decision === null ? STEPS[one].look : undefined} onClick={() => setStep(one)}>
              {t(stepKey(one))}
            </Button>
          ))}
        {permit.permissions.delete.allowed && (
          <Button look="danger" onClick={() => void drop()}>
            {t('permit.delete')}
          </Button>
        )}
        {may.length === 0 && awaited === null && !permit.permissions.edit.allowed && <p className="soft">{t('permit.nothing_to_do')}</p>}
        {barred.length > 0 && (
          <details>
            <summary className="soft small">{t('permit.barred')}</summary>
            <ul className="stack tight small">
              {barred.map(one => (
                <li key={one}>
                  <span className="strong">{t(stepKey(one))}:</span>{' '}
                  {flagOf(permit, one)
                    .because.map(why => why.detail)
                    .join(' ')}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  )
  return (
    <article className={`permit-page${decision === null ? '' : ' deciding'}`}>
      <header className="permit-head">
        <div className="row">
          <Button look="quiet" square aria-label={t('common.back')} onClick={() => history.back()}>
            <Glyph name="back" />
          </Button>
          <span className="mono soft">{permit.permit_number ?? t('permit.draft_number')}</span>
          <StatusMark standing={standingOf(permit, now)} />
          {permit.soon && <span className="badge warn">{t('badge.soon')}</span>}
          {permit.source === 'imported' && <span className="badge soft">{t('badge.imported')}</span>}
        </div>
        <h1>{permit.title ?? t('permit.untitled')}</h1>
      </header>
      {printing !== null && (
        <p className="print-only">
          {t('print.permit', { site: here.name, time: stampOf(new Date(printing).toISOString(), here.zone), zone: here.zone })}
        </p>
      )}
      {stale !== null && <Stale at={stale} zone={here.zone} />}
      <Stopped permit={permit} />
      <WhyBack permit={permit} />
      <Resubmitted permit={permit} />
      <div className="permit-columns">
        {!wide && decision === null && next}
        <div className="stack">
          <Conflicts permit={permit} below={(conflict, name) => <Compare {...{ permit, conflict, name }} />} />
          <Essentials permit={permit} now={now} />
          <Where permit={permit} />
          <Work permit={permit} />
          <PreChecks permit={permit} />
          <Files permit={permit} />
          <Extensions permit={permit} asked={place.review === 'extension'} onDecided={() => place.from === 'tasks' && void goOn()} />
          {decision !== null && (
            <Button look="primary" className="to-decision" onClick={() => decide.current?.focus()}>
              {t('permit.decide')}
            </Button>
          )}
        </div>
        <aside className="stack">
          {(wide || decision !== null) && next}
          <Chain permit={permit} />
          <section className="panel row screen-only" aria-label={t('permit.pdf')}>
            <Button onClick={() => void openFile(`/permits/applications/${permit.id}/document`)}>
              <Glyph name="document" />
              {t('permit.pdf')}
            </Button>
            <Button look="quiet" onClick={() => void openFile(`/permits/applications/${permit.id}/audit.csv`)}>
              {t('permit.audit_csv')}
            </Button>
          </section>
          <History permit={permit} />
        </aside>
      </div>
      {step !== null && <StepDialog permit={permit} step={step} onClose={() => setStep(null)} onDone={data => done(step, data)} />}
    </article>
  )
}
