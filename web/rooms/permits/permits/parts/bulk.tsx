import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordOf } from '../../../../../shared/narrow.ts'
import { ask, client, freshKey, type Schemas } from '../../../../base/api.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { TextArea, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, Wait } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { t } from '../../../../base/words.ts'
import { permitsMoved, permitsWhole } from '../data.ts'
import type { Permit } from '../steps.ts'
import { adviceOf, Statement, Warnings } from './advice.tsx'
import { FireWatch } from './fire-watch.tsx'

const CHECKLIST = ['work_complete_tools_removed', 'area_safe_clean_checked', 'fire_watch_complete'] as const

/** The chosen permits in full, in the chosen order, always as they are now: what is signed must have been on screen. */
const useChosen = (site_id: string, ids: readonly string[]) =>
  useQuery({
    queryKey: ['permits', 'bulk', site_id, ...ids],
    queryFn: async () => {
      const byId = new Map((await permitsWhole(site_id, ids)).map(permit => [permit.id, permit]))
      return ids.flatMap(id => byId.get(id) ?? [])
    },
    staleTime: 0,
    gcTime: 0,
  })

/** One of the permits, with its fire watch and the warnings of its close-out. */
function Chosen({ permit }: { permit: Permit }) {
  return (
    <li className="advice stack tight">
      <p>
        <span className="mono strong">{permit.permit_number ?? t('permit.draft_number')}</span> {permit.title ?? t('permit.untitled')}
      </p>
      <FireWatch permit={permit} />
      <Warnings warnings={adviceOf(permit, 'close_out')?.warnings ?? []} signed />
    </li>
  )
}

/** Closes out several permits at once, after their warnings and the declaration; each one is checked separately and has its own result. */
export default function BulkCloseOut({
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
  const chosen = useChosen(site_id, ids)
  // The declaration of a close-out is the same for every permit, so it is shown once.
  const statement = chosen.data?.map(permit => adviceOf(permit, 'close_out')?.statement ?? null).find(text => text !== null)
  const ready = chosen.data !== undefined && CHECKLIST.every(item => checked[item] === true)
  const close = async () => {
    if (chosen.data === undefined || !ready) return
    setFault(null)
    try {
      const checklist = recordOf(CHECKLIST, item => checked[item] === true)
      // What is signed is what is on screen: a permit that has changed since is refused.
      const content_hashes = Object.fromEntries(chosen.data.map(permit => [permit.id, permit.content_hash]))
      const body = { site_id, permit_ids: [...ids], content_hashes, checklist, ...(note === '' ? {} : { note }) }
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
          <Wait query={chosen} rows={Math.min(ids.length, 5)} height={44} />
          {chosen.data !== undefined && (
            <ul className="stack" aria-label={t('bulk.permits')}>
              {chosen.data.map(permit => (
                <Chosen key={permit.id} permit={permit} />
              ))}
            </ul>
          )}
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
          {statement !== undefined && <Statement text={statement} />}
          {fault !== null && <FaultNote error={fault} />}
          <HoldButton look="primary" wide aria-disabled={!ready || undefined} onHeld={() => void close()}>
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
