import { useState } from 'react'
import { asFault } from '../../../base/fault.ts'
import { Button, HoldButton } from '../../../base/kit/button.tsx'
import { MomentField, TextArea, TextField, Tick } from '../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../base/kit/note.tsx'
import { Window } from '../../../base/kit/window.tsx'
import { useHere } from '../../../base/site.tsx'
import { t, tOf } from '../../../base/words.ts'
import { takeStep } from '../data.ts'
import { type Ask, type Permit, STEPS, type StepName, stepKey } from '../steps.ts'

const CHECKLIST = ['work_complete_tools_removed', 'area_safe_clean_checked', 'fire_watch_complete'] as const
type Filled = Record<string, unknown>

/** What one step asks, and the one button that takes it. What is signed is said before it is signed. */
export function StepForm({ permit, step, onDone }: { permit: Permit; step: StepName; onDone(data: unknown): void }) {
  const [filled, setFilled] = useState<Filled>(() =>
    step === 'close_out' ? { checklist: {} } : step === 'hand_back' ? { work_complete: true } : {},
  )
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const { asks, look, signs, held } = STEPS[step]
  const red = permit.conflicts.some(one => one.severity === 'red')
  const missing = asks.some(ask => !complete(ask, filled)) || (step === 'approve' && red && !filled.red_conflict_reason)
  const go = async () => {
    if (missing || busy) return
    setBusy(true)
    setFault(null)
    try {
      const done = await takeStep(permit, step, filled)
      if (done.outcome === 'saved') toast(t('outbox.saved'))
      else {
        toast(tOf('stepped', step))
        for (const warning of (done.data as { warnings?: { detail: string }[] }).warnings ?? []) toast(warning.detail)
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
      {signs === true && <p className="small soft">{t('step.signs')}</p>}
      {asks.map(ask => (
        <AskField
          key={ask}
          ask={ask}
          permit={permit}
          red={red}
          filled={filled}
          fault={fault}
          onFill={change => setFilled({ ...filled, ...change })}
        />
      ))}
      {fault !== null && <FaultNote error={fault} />}
      {held === true ? (
        <HoldButton look={look} wide aria-disabled={missing || busy || undefined} onHeld={() => void go()}>
          {t(stepKey(step))}
        </HoldButton>
      ) : (
        <Button look={look ?? 'chief'} wide type="submit" aria-disabled={missing || busy || undefined} onClick={() => void go()}>
          {t(stepKey(step))}
        </Button>
      )}
    </div>
  )
}

/** The same in a dialog. */
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

function complete(ask: Ask, filled: Filled): boolean {
  if (ask === 'checklist') return CHECKLIST.every(item => (filled.checklist as Record<string, boolean>)[item] === true)
  return !ask.endsWith('!') || Boolean(filled[ask.slice(0, -1)])
}

type Given = { ask: Ask; permit: Permit; red: boolean; filled: Filled; fault: unknown; onFill(change: Filled): void }

function AskField({ ask, permit, red, filled, fault, onFill }: Given) {
  const { zone } = useHere()
  const name = ask.replace('!', '')
  const wrong = fault === null ? undefined : asFault(fault).fields.get(name)
  const text = typeof filled[name] === 'string' ? (filled[name] as string) : ''
  if (ask === 'checklist') {
    const checked = filled.checklist as Record<string, boolean>
    return (
      <fieldset className="fieldset">
        <legend>{t('close_out.legend')}</legend>
        {CHECKLIST.map(item => (
          <Tick
            key={item}
            label={t(`close_out.${item}`)}
            checked={checked[item] === true}
            onChange={event => onFill({ checklist: { ...checked, [item]: event.target.checked } })}
          />
        ))}
      </fieldset>
    )
  }
  if (ask === 'work_complete')
    return (
      <Tick
        label={t('hand_back.work_complete')}
        checked={filled.work_complete === true}
        onChange={event => onFill({ work_complete: event.target.checked })}
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
        fault={wrong}
        onChange={event => onFill({ fire_watch_minutes: event.target.value === '' ? undefined : Number(event.target.value) })}
      />
    ) : null
  if (ask === 'requested_end_at!')
    return (
      <MomentField
        label={t('extension.until')}
        zone={zone}
        value={text || permit.end_at}
        fault={wrong}
        onMoment={at => onFill({ requested_end_at: at })}
      />
    )
  if (ask === 'red_conflict_reason')
    return red ? (
      <Note kind="stop" title={t('approve.red')}>
        <TextArea label={t('approve.red_reason')} value={text} fault={wrong} onChange={event => onFill({ [name]: event.target.value })} />
      </Note>
    ) : null
  // From approved a hand-back means that the walk-down failed: it needs its reason.
  const needed = ask.endsWith('!') || (ask === 'note' && permit.status === 'approved' && 'work_complete' in filled)
  return (
    <TextArea
      label={tOf('ask', name)}
      optional={!needed}
      rows={3}
      value={text}
      fault={wrong}
      onChange={event => onFill({ [name]: event.target.value })}
    />
  )
}
