import { type ReactNode, useState } from 'react'
import { asFault } from '../../../../base/fault.ts'
import { useGo, usePlace } from '../../../../base/go.tsx'
import { Button, FlagButton } from '../../../../base/kit/button.tsx'
import { Faults } from '../../../../base/kit/faults.tsx'
import { FaultOf } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { useLine } from '../../../../base/line.ts'
import { usePermitTypes } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { lockFlag, useHere } from '../../../../base/site.tsx'
import { clockOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { afterDecision } from '../../../messages/tasks/door.tsx'
import { takeStep } from '../data.ts'
import { type Fields, type Opening, type Saved, useDraft } from '../draft.ts'
import { flagOf, type Permit } from '../steps.ts'
import { Advice, freshWarnings } from './advice.tsx'
import { AnswerChecks, checksOf } from './answer-checks.tsx'
import { CopyFrom } from './copy-from.tsx'
import { Files } from './files.tsx'
import { WhyBack } from './history.tsx'
import { LiveConflicts } from './live-conflicts.tsx'
import { PlaceFields } from './place-fields.tsx'
import { Demands, needsParent, TypePicker } from './type-picker.tsx'
import { WaitingDrafts } from './waiting-drafts.tsx'
import { WhoFields } from './who-fields.tsx'
import { WindowFields } from './window-fields.tsx'
import { MoreFields, WorkFields } from './work-fields.tsx'

type Given = Pick<Opening, 'given' | 'kept' | 'onName'> & { parent_id?: string | undefined }

/** The form: the types of work first, then only what these types need. */
export function RequestForm({ given, kept, onName, parent_id }: Given) {
  const here = useHere()
  const go = useGo()
  const [place] = usePlace()
  const line = useLine()
  const types = usePermitTypes(here.site_id)
  const start: Fields = parent_id === undefined ? {} : { parent_id }
  const draft = useDraft({ site_id: here.site_id, given, kept, start, onName })
  const { fields, permit, saved } = draft
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const chosen = fields.categories ?? []
  const set = (types.data ?? []).filter(type => chosen.includes(type.code))
  const checks = checksOf(set, permit)
  const submit = async () => {
    setBusy(true)
    setFault(null)
    try {
      const ready = await draft.send()
      if (ready === null) return
      const done = await takeStep(ready, 'submit', {})
      toast(t(done.outcome === 'saved' ? 'outbox.saved' : 'stepped.submit'))
      // `permit` is what was on screen: a change in the last second can add warnings that nobody has read.
      if (done.outcome === 'accepted') for (const detail of freshWarnings(permit ?? { advice: {} }, 'submit', done.data)) toast(detail)
      const next = place.from === 'tasks' ? await afterDecision(here.site_id, here.me.id, ready.id) : paths.permit(here.site_id, ready.id)
      go(next, { replace: true })
    } catch (error) {
      setFault(error)
    } finally {
      setBusy(false)
    }
  }
  /** Answers to pre-checks that the chosen types no longer have would be refused. */
  const choose = (categories: string[]) => {
    const codes = new Set(
      (types.data ?? []).filter(type => categories.includes(type.code)).flatMap(type => type.pre_checks.map(one => one.code)),
    )
    const answers = fields.pre_checks?.filter(one => codes.has(one.code))
    draft.change({ categories, ...(answers === undefined ? {} : { pre_checks: answers }) })
  }
  return (
    <Faults of={(saved.fault ?? asFault(fault)).fields}>
      <div className="request">
        <header className="row">
          <Button look="quiet" square aria-label={t('common.back')} onClick={() => history.back()}>
            <Glyph name="back" />
          </Button>
          <h1>{t(given?.permit_number == null ? 'request.title' : 'request.title_again')}</h1>
        </header>
        {given != null && <WhyBack permit={given} />}
        {given === undefined && kept === undefined && saved.state === 'fresh' && <WaitingDrafts site_id={here.site_id} />}
        <Part name={t('request.types')}>
          {types.data === undefined ? (
            <Skeleton rows={2} height={44} />
          ) : (
            <TypePicker types={types.data} chosen={chosen} onChoose={choose} />
          )}
          <FaultOf at="categories" label={t('request.types')} />
          {chosen.length > 0 ? (
            <Demands types={set} />
          ) : (
            <>
              <p className="soft small">{t('request.types_first')}</p>
              {given === undefined && <CopyFrom types={types.data ?? []} onCopy={copied => draft.change(copied)} />}
            </>
          )}
        </Part>
        {(chosen.length > 0 || given !== undefined) && (
          <>
            <Part name={t('permit.work')} plain>
              <WorkFields fields={fields} onChange={draft.change} />
            </Part>
            <Part name={t('request.when')} plain>
              <WindowFields fields={fields} onChange={draft.change} />
            </Part>
            <Part name={t('permit.where')} plain>
              <PlaceFields
                fields={fields}
                onChange={draft.change}
                live={place => <LiveConflicts permit_id={permit?.id} fields={{ ...fields, place }} />}
              />
              <LiveConflicts permit_id={permit?.id} fields={fields} onWindow={draft.change} />
            </Part>
            <Part name={t('request.who')} plain>
              <WhoFields fields={fields} permit={permit} parent={needsParent(set)} onChange={draft.change} />
            </Part>
            {checks.length > 0 && (
              <AnswerChecks checks={checks} given={fields.pre_checks ?? []} onAnswer={pre_checks => draft.change({ pre_checks })} />
            )}
            {permit === undefined ? <p className="soft small">{t('request.files_later')}</p> : <Files permit={permit} />}
            <MoreFields fields={fields} onChange={draft.change} />
            {permit !== undefined && <Advice permit={permit} step="submit" compact />}
            <div className="submit-bar">
              <SavedMark saved={saved} zone={here.zone} />
              {(fault !== null || saved.fault !== null) && <FaultNote error={fault ?? saved.fault} typing={fault === null} />}
              <FlagButton
                look="primary"
                flag={here.locked ? lockFlag(here) : flagNow(permit, saved, line.up)}
                aria-busy={busy}
                onClick={() => void submit()}
              >
                {t('step.submit')}
              </FlagButton>
            </div>
          </>
        )}
      </div>
    </Faults>
  )
}

/** Returns whether the permit can be submitted. While changes are being sent, the service's earlier verdict is out of date: submitting checks it. */
function flagNow(permit: Permit | undefined, { state }: Saved, up: boolean) {
  if (!up && (permit === undefined || state === 'here' || state === 'typing'))
    return { allowed: false, because: [{ code: 'offline', detail: t('request.offline') }] }
  if (permit === undefined || state === 'typing' || state === 'refused') return { allowed: true, because: [] }
  return flagOf(permit, 'submit')
}

/** A part of the form; `plain` if the labels of its fields say what it is about. */
const Part = ({ name, plain = false, children }: { name: string; plain?: boolean; children: ReactNode }) => (
  <section className="panel part" aria-label={name}>
    <h2 className={plain ? 'unseen' : undefined}>{name}</h2>
    {children}
  </section>
)

function SavedMark({ saved, zone }: { saved: Saved; zone: string }) {
  const time = saved.at === null ? '' : clockOf(new Date(saved.at).toISOString(), zone)
  const glyph = { fresh: 'card', typing: 'clock', here: 'offline', service: 'ok', refused: 'warning', unkept: 'stop' } as const
  return (
    <span className="row small soft" role="status">
      <Glyph name={glyph[saved.state]} size={16} />
      {t(`request.saved.${saved.state}`, { time })}
    </span>
  )
}
