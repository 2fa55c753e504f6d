import { useEffect, useRef, useState } from 'react'
import { ask, client, freshKey } from '../../../../base/api.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextArea } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { usePeople } from '../../../../base/people.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t, tOf } from '../../../../base/words.ts'
import { permitsMoved, useAdded } from '../data.ts'
import type { Permit } from '../steps.ts'
import { Advice, freshWarnings } from './advice.tsx'
import { ConflictList } from './conflicts.tsx'

/** Extension requests, and the decision on the open one. `asked` if the page was opened for this decision. */
export function Extensions({ permit, asked = false, onDecided }: { permit: Permit; asked?: boolean; onDecided?(): void }) {
  const part = useRef<HTMLElement>(null)
  useEffect(() => {
    if (asked) part.current?.focus()
  }, [asked])
  const { zone } = useHere()
  const name = usePeople(permit.extensions.map(one => one.requested_by))
  const [refusing, setRefusing] = useState<string | null>(null)
  const form = useKeptForm(`extension ${refusing}`, { reason: '' })
  const { approve_extension, reject_extension } = permit.permissions
  const open = permit.extensions.find(one => one.status === 'requested')
  const added = useAdded(permit, approve_extension.allowed ? open?.requested_end_at : undefined)
  const [reason, setReason] = useState('')
  const red = added.data?.added.some(one => one.severity === 'red') === true
  const [fault, setFault] = useState<unknown>(null)
  if (permit.extensions.length === 0) return null
  const decide = async (request_id: string, grant: boolean) => {
    setFault(null)
    try {
      const where = { params: { path: { request_id } }, headers: freshKey() }
      // An approval is signed, so the service compares what was shown with what is signed.
      const done = await ask(
        grant
          ? client.POST('/permits/extensions/{request_id}/approve', {
              ...where,
              body: { content_hash: permit.content_hash, ...(red ? { red_conflict_reason: reason } : {}) },
            })
          : client.POST('/permits/extensions/{request_id}/reject', { ...where, body: { reason: form.values.reason } }),
      )
      form.sent()
      setRefusing(null)
      if (grant) for (const detail of freshWarnings(permit, 'approve_extension', done)) toast(detail)
      await permitsMoved(permit.id)
      onDecided?.()
    } catch (error) {
      setFault(error)
      // If it changed in the meantime, the person reads it as it is now before signing.
      void permitsMoved(permit.id)
    }
  }
  // Orange is only for what waits for the person who looks.
  const mine = asked && (approve_extension.allowed || reject_extension.allowed)
  return (
    <section ref={part} tabIndex={-1} className={mine ? 'panel mine-panel' : 'panel'} aria-label={t('permit.extensions')}>
      <header>
        <h2>{t('permit.extensions')}</h2>
      </header>
      <ul className="stack">
        {permit.extensions.map(one => (
          <li key={one.id} className="stack tight">
            <span className="row">
              <span className="badge">{tOf('extension', one.status)}</span>
              <span className="mono">{t('extension.requested_until', { time: momentOf(one.requested_end_at, zone) })}</span>
              <span className="soft small">{name(one.requested_by)}</span>
            </span>
            {one.reason !== null && <span className="small">{one.reason}</span>}
            {one.decision_reason !== null && <span className="small">{one.decision_reason}</span>}
            {one.status === 'requested' && approve_extension.allowed && <Advice permit={permit} step="approve_extension" />}
            {one.status === 'requested' && added.data !== undefined && added.data.added.length > 0 && (
              <Note kind={red ? 'stop' : 'warn'} title={t('extension.adds')}>
                <ConflictList conflicts={added.data.added} />
                {red && (
                  <TextArea label={t('approve.red_reason')} required value={reason} onChange={event => setReason(event.target.value)} />
                )}
              </Note>
            )}
            {one.status === 'requested' && !approve_extension.allowed && reject_extension.allowed && (
              <Note kind="warn" title={t('extension.barred')}>
                {approve_extension.because.map(why => why.detail).join(' ')}
              </Note>
            )}
            {one.status === 'requested' && (
              <span className="row">
                {approve_extension.allowed && (
                  <Button
                    look="primary"
                    aria-disabled={added.isPending || (red && reason.trim() === '') || undefined}
                    onClick={() => {
                      if (!added.isPending && !(red && reason.trim() === '')) void decide(one.id, true)
                    }}
                  >
                    {t('extension.approve')}
                  </Button>
                )}
                {reject_extension.allowed && (
                  <Button look="danger" onClick={() => setRefusing(one.id)}>
                    {t('extension.reject')}
                  </Button>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      {fault !== null && refusing === null && <FaultNote error={fault} />}
      {refusing !== null && (
        <Window title={t('extension.reject')} onClose={() => setRefusing(null)} onSubmit={() => void decide(refusing, false)}>
          <Restored form={form} />
          <TextArea
            label={t('extension.reason')}
            required
            rows={3}
            value={form.values.reason}
            onChange={event => form.change({ reason: event.target.value })}
          />
          {fault !== null && <FaultNote error={fault} />}
          <Button look="danger" type="submit" wide>
            {t('extension.reject')}
          </Button>
        </Window>
      )}
    </section>
  )
}
