import { useState } from 'react'
import { contentOf } from '../../../../../shared/proof/content.ts'
import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { TextArea } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { t, tOf } from '../../../../base/words.ts'
import { Advice, freshWarnings, type Permit, permitsMoved, type StepName, stepForm, stepKey, takeStep } from '../../permits/door.tsx'
import { Changes } from './changes.tsx'

/** A signature as one large button that needs a long press. It signs what is on screen; a note is one tap away. */
export function Sign({
  permit,
  step,
  filled = {},
  ready = true,
  advised = true,
  onSigned,
}: {
  permit: Permit
  step: StepName
  filled?: Record<string, unknown>
  ready?: boolean
  /** Whether the warnings of the step are shown here; false if they are already on the page. */
  advised?: boolean
  /** Called when the step was accepted, or saved on this phone. */
  onSigned?(): void
}) {
  const form = useKeptForm(stepForm(permit, step), { note: '' })
  const { note } = form.values
  const [noting, setNoting] = useState(note !== '')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const [seen, setSeen] = useState<unknown>(null)
  const sign = async () => {
    setBusy(true)
    const said = [filled.note, note.trim()].filter(Boolean).join('\n')
    setFault(null)
    setSeen(contentOf(permit, permit.attachments))
    try {
      const done = await takeStep(permit, step, { ...filled, ...(said === '' ? {} : { note: said }) })
      form.sent()
      onSigned?.()
      toast(done.outcome === 'saved' ? t('outbox.saved') : tOf('stepped', step))
      if (done.outcome === 'accepted') for (const detail of freshWarnings(permit, step, done.data)) toast(detail)
    } catch (error) {
      setFault(error)
      void permitsMoved(permit.id)
    } finally {
      setBusy(false)
    }
  }
  const changed = fault !== null && asFault(fault).context.reason === 'stale_preview'
  return (
    <div className="stack sign">
      {changed && (
        <Note kind="stop" title={t('outbox.changed')}>
          <Changes seen={seen} permit={permit} />
        </Note>
      )}
      {fault !== null && !changed && <FaultNote error={fault} />}
      {noting && <Restored form={form} />}
      {noting && <TextArea label={t('ask.note')} rows={2} value={note} onChange={event => form.change({ note: event.target.value })} />}
      {advised && <Advice permit={permit} step={step} />}
      <div className="row sign-row">
        <HoldButton className="grow" look="primary" aria-disabled={busy || !ready || undefined} aria-busy={busy} onHeld={() => void sign()}>
          {t(stepKey(step))}
        </HoldButton>
        {!noting && (
          <Button square aria-label={t('wallet.note')} title={t('wallet.note')} onClick={() => setNoting(true)}>
            <Glyph name="document" size={26} />
          </Button>
        )}
      </div>
    </div>
  )
}
