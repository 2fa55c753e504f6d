import { useState } from 'react'
import { fieldsIn, textIn } from '../../../../../shared/narrow.ts'
import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Faults } from '../../../../base/kit/faults.tsx'
import { Choices, MomentField, TextArea, TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { usePeople } from '../../../../base/people.ts'
import { useHere } from '../../../../base/site.tsx'
import { fieldOf, momentOf } from '../../../../base/time.ts'
import { t, tOf } from '../../../../base/words.ts'
import { stepForm, takeStep } from '../data.ts'
import { type Ask, type Permit, STEPS, type StepName, stepKey } from '../steps.ts'
import { Advice, freshWarnings } from './advice.tsx'
import { ExtensionConflicts } from './extension-conflicts.tsx'
import { FireWatch } from './fire-watch.tsx'

const CHECKLIST = ['work_complete_tools_removed', 'area_safe_clean_checked', 'fire_watch_complete'] as const
type Filled = Record<string, unknown>

/** The questions of one step, and the one button that takes it. What will be signed is shown before it is signed. */
export function StepForm({ permit, step, onDone }: { permit: Permit; step: StepName; onDone(data: unknown): void }) {
  const { me } = useHere()
  const form = useKeptForm<Filled>(stepForm(permit, step), {})
  // A confirmation is given at the time of signing, so it is never restored.
  const [confirmed, setConfirmed] = useState<Filled>(() => (step === 'close_out' ? { checklist: {} } : {}))
  const filled = { ...form.values, ...confirmed }
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const { look, held } = STEPS[step]
  const away = step === 'hand_back' && isLive(permit) && permit.receiver_id !== null && permit.receiver_id !== me.id
  const asks = asksOf(permit, step, away)
  const red = permit.conflicts.some(one => one.severity === 'red')
  const missing = asks.some(ask => !complete(ask, filled)) || (step === 'approve' && red && !filled.red_conflict_reason)
  const go = async () => {
    if (missing || busy) return
    setBusy(true)
    setFault(null)
    try {
      const done = await takeStep(permit, step, filled)
      form.sent()
      if (done.outcome === 'saved') toast(t('outbox.saved'))
      else {
        toast(tOf('stepped', step))
        for (const detail of freshWarnings(permit, step, done.data)) toast(detail)
      }
      onDone(done.outcome === 'accepted' ? done.data : null)
    } catch (error) {
      setFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack">
      {step === 'close_out' && <FireWatch permit={permit} />}
      {away && <Away permit={permit} />}
      <Restored form={form} />
      <Faults of={asFault(fault).fields}>
        {asks.map(ask => (
          <AskField
            key={ask}
            ask={ask}
            label={step === 'hand_back' && ask === 'note!' ? t(away ? 'hand_back.why_away' : 'hand_back.why_not') : undefined}
            permit={permit}
            red={red}
            filled={filled}
            onFill={form.change}
            onConfirm={change => setConfirmed({ ...confirmed, ...change })}
          />
        ))}
        {step === 'request_extension' && (
          <ExtensionConflicts
            permit={permit}
            until={textIn(filled.requested_end_at)}
            onUntil={requested_end_at => form.change({ requested_end_at })}
          />
        )}
        <Advice permit={permit} step={step} />
        {fault !== null && <FaultNote error={fault} />}
      </Faults>
      {held === true ? (
        <HoldButton look={look} wide aria-disabled={missing || busy || undefined} onHeld={() => void go()}>
          {t(stepKey(step))}
        </HoldButton>
      ) : (
        <Button look={look ?? 'primary'} wide type="submit" aria-disabled={missing || busy || undefined} onClick={() => void go()}>
          {t(stepKey(step))}
        </Button>
      )}
    </div>
  )
}

/** The form of a step in a dialog. */
export function StepDialog({
  permit,
  step,
  onClose,
  onDone,
}: {
  permit: Permit
  step: StepName
  onClose(): void
  onDone(data: unknown): void
}) {
  return (
    <Window title={`${t(stepKey(step))}: ${permit.permit_number ?? permit.title ?? t('permit.untitled')}`} onClose={onClose}>
      <StepForm permit={permit} step={step} onDone={onDone} />
    </Window>
  )
}

/** Returns whether work can be in progress: a hand-back then ends it; before that, a hand-back records that the walk-down failed. */
const isLive = (permit: Pick<Permit, 'status'>): boolean => permit.status === 'issued' || permit.status === 'expired'

/** Returns the questions of a step for this permit: a hand-back needs its reason before work, and when it is made on the receiver's behalf. */
function asksOf(permit: Permit, step: StepName, away: boolean): readonly Ask[] {
  if (step !== 'hand_back') return STEPS[step].asks
  if (!isLive(permit)) return ['note!']
  return away ? ['work_complete', 'note!', 'fire_watch_minutes'] : STEPS.hand_back.asks
}

/** States that the step is taken on behalf of an absent person; the signature and the document say so too. */
function Away({ permit }: { permit: Permit }) {
  const receiver = usePeople([permit.receiver_id])(permit.receiver_id) ?? t('common.unknown_person')
  return <Note kind="warn" title={t('hand_back.for_receiver', { name: receiver })} />
}

function complete(ask: Ask, filled: Filled): boolean {
  if (ask === 'work_complete') return typeof filled.work_complete === 'boolean'
  if (ask === 'checklist') return CHECKLIST.every(item => fieldsIn(filled.checklist)[item] === true)
  return !ask.endsWith('!') || Boolean(filled[ask.slice(0, -1)])
}

type Given = {
  ask: Ask
  label?: string | undefined
  permit: Permit
  red: boolean
  filled: Filled
  onFill(change: Filled): void
  onConfirm(change: Filled): void
}

function AskField({ ask, label, permit, red, filled, onFill, onConfirm }: Given) {
  const { zone } = useHere()
  const name = ask.replace('!', '')
  const text = textIn(filled[name])
  if (ask === 'checklist') {
    const checked = fieldsIn(filled.checklist)
    return (
      <fieldset className="fieldset">
        <legend>{t('close_out.legend')}</legend>
        {CHECKLIST.map(item => (
          <Tick
            key={item}
            label={t(`close_out.${item}`)}
            checked={checked[item] === true}
            onChange={event => onConfirm({ checklist: { ...checked, [item]: event.target.checked } })}
          />
        ))}
      </fieldset>
    )
  }
  if (ask === 'work_complete')
    return (
      <Choices
        label={t('hand_back.work_complete')}
        options={[
          { value: 'yes', label: t('common.yes') },
          { value: 'no', label: t('common.no') },
        ]}
        value={filled.work_complete === undefined ? null : filled.work_complete === true ? 'yes' : 'no'}
        onChoose={value => onConfirm({ work_complete: value === 'yes' })}
      />
    )
  if (ask === 'fire_watch_minutes')
    return permit.categories.includes('HW') ? (
      <TextField
        label={t('hand_back.fire_watch')}
        type="number"
        inputMode="numeric"
        min={0}
        max={1440}
        optional
        at={name}
        value={filled.fire_watch_minutes === undefined ? '' : String(filled.fire_watch_minutes)}
        onChange={event => onFill({ fire_watch_minutes: event.target.value === '' ? undefined : Number(event.target.value) })}
      />
    ) : null
  if (ask === 'requested_end_at!')
    return (
      <MomentField
        label={t('extension.until')}
        hint={
          permit.extension_latest_at === null
            ? t('common.site_time', { zone })
            : t('extension.latest', { time: momentOf(permit.extension_latest_at, zone), zone })
        }
        min={fieldOf(permit.end_at, zone)}
        max={fieldOf(permit.extension_latest_at, zone)}
        zone={zone}
        value={text || permit.end_at}
        at={name}
        onMoment={at => onFill({ requested_end_at: at })}
      />
    )
  if (ask === 'red_conflict_reason')
    return red ? (
      <Note kind="stop" title={t('approve.red')}>
        <TextArea label={t('approve.red_reason')} value={text} at={name} onChange={event => onFill({ [name]: event.target.value })} />
      </Note>
    ) : null
  const needed = ask.endsWith('!')
  return (
    <TextArea
      label={label ?? tOf('ask', name)}
      optional={!needed}
      rows={3}
      value={text}
      at={name}
      onChange={event => onFill({ [name]: event.target.value })}
    />
  )
}
