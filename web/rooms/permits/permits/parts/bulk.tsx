import { useState } from 'react'
import { ask, client, freshKey, type Schemas } from '../../../../base/api.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { TextArea, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, Note } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { t } from '../../../../base/words.ts'
import { permitsMoved } from '../data.ts'

const CHECKLIST = ['work_complete_tools_removed', 'area_safe_clean_checked', 'fire_watch_complete'] as const

/** Closes out several permits at once; each one is checked separately and has its own result. */
export function BulkCloseOut({
  site_id,
  ids,
  onClose,
  onDone,
}: {
  site_id: string
  ids: readonly string[]
  onClose(): void
  onDone(): void
}) {
  const [checked, setChecked] = useState<Record<string, boolean>>({})
  const form = useKeptForm(`bulk ${site_id}`, { note: '' })
  const { note } = form.values
  const [answer, setAnswer] = useState<Schemas['BulkClosed'] | null>(null)
  const [fault, setFault] = useState<unknown>(null)
  const [key] = useState(freshKey)
  const close = async () => {
    setFault(null)
    try {
      const checklist = Object.fromEntries(CHECKLIST.map(item => [item, checked[item] === true])) as Record<
        (typeof CHECKLIST)[number],
        boolean
      > // all three
      const body = { site_id, permit_ids: [...ids], checklist, ...(note === '' ? {} : { note }) }
      setAnswer(await ask(client.POST('/permits/applications/close-out-bulk', { body, headers: key })))
      form.sent()
      void permitsMoved(null)
    } catch (error) {
      setFault(error)
    }
  }
  return (
    <Window title={t('bulk.title', { n: ids.length })} onClose={answer === null ? onClose : onDone}>
      {answer === null ? (
        <>
          <fieldset className="fieldset">
            <legend>{t('close_out.legend')}</legend>
            {CHECKLIST.map(item => (
              <Tick
                key={item}
                label={t(`close_out.${item}`)}
                checked={checked[item] === true}
                onChange={event => setChecked({ ...checked, [item]: event.target.checked })}
              />
            ))}
          </fieldset>
          <Restored form={form} />
          <TextArea label={t('ask.note')} optional rows={2} value={note} onChange={event => form.change({ note: event.target.value })} />
          {fault !== null && <FaultNote error={fault} />}
          <HoldButton
            look="primary"
            wide
            aria-disabled={CHECKLIST.some(item => checked[item] !== true) || undefined}
            onHeld={() => void close()}
          >
            {t('step.close_out')}
          </HoldButton>
        </>
      ) : (
        <>
          <Note kind="safe" title={t('bulk.closed', { n: answer.closed.length })} />
          {answer.refused.length > 0 && (
            <Note kind="stop" title={t('bulk.refused', { n: answer.refused.length })}>
              <ul className="small">
                {answer.refused.map(one => (
                  <li key={one.permit_id}>
                    <span className="mono">{one.permit_number}</span> {one.detail}
                  </li>
                ))}
              </ul>
            </Note>
          )}
          <Button look="primary" wide onClick={onDone}>
            {t('common.close')}
          </Button>
        </>
      )}
    </Window>
  )
}
