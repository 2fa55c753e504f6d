import { useState } from 'react'
import type { Flag } from '../../../../base/fault.ts'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { TextArea } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, Note, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { readable } from '../../../../base/words.ts'
import { type Entry, type Reverted, type Row, revert, useEntries } from '../data.ts'
import { unseenBecause, valueText } from '../model.ts'
import { t, tOf } from '../says.ts'

const SHOWN = 40

/** One transaction: every record that it changed, field by field, with a revert where that is allowed and the reason where it isn't. */
export function EntryWindow({ row, onClose }: { row: Row; onClose(): void }) {
  const { site_id, zone } = useHere()
  const entries = useEntries(site_id, row.batch_id ?? '')
  return (
    <Window title={row.sentence ?? t('audit.entry')} side onClose={onClose}>
      <p className="soft small">
        {row.actor?.name} · {row.at !== undefined && momentOf(row.at, zone)}
      </p>
      {entries.isPending && <Skeleton rows={3} />}
      {entries.error !== null && <FaultNote error={entries.error} onRetry={() => void entries.refetch()} />}
      {entries.data?.slice(0, SHOWN).map(entry => (
        <EntryBlock key={entry.id} entry={entry} />
      ))}
      {entries.data !== undefined && entries.data.length > SHOWN && <p className="soft small">{t('audit.more_entries', { n: SHOWN })}</p>}
      {entries.data?.[0] !== undefined && row.revertible !== undefined && (
        <PutBack entry={entries.data[0]} whole={entries.data.length > 1} flag={row.revertible} onDone={onClose} />
      )}
    </Window>
  )
}

function EntryBlock({ entry }: { entry: Entry }) {
  return (
    <article className="stack tight entry-block">
      <h3>
        {t(`done.${entry.action}`)}: {tOf('kind', entry.entity_type)} {entry.entity_label}
      </h3>
      {entry.reason !== null && <p className="small">{entry.reason}</p>}
      {entry.redacted && <p className="soft small">{t('audit.redacted')}</p>}
      {entry.reverted_by_entry_id !== null && <span className="badge">{t('audit.was_put_back')}</span>}
      {entry.changes !== null && entry.changes.length > 0 && (
        <dl className="changes">
          {entry.changes.map(change => (
            <div key={change.path}>
              <dt>{readable(change.path)}</dt>
              <dd>
                <Value value={change.before} /> <span aria-hidden>→</span>
                <span className="unseen">{t('audit.became')}</span> <Value value={change.after} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="tiny soft mono head">
        {t('audit.number', { n: entry.seq })} · {entry.hash.slice(0, 16)}
      </p>
    </article>
  )
}

function Value({ value }: { value: unknown }) {
  const [why, text] = [unseenBecause(value), valueText(value)]
  if (why !== null) return <span className="soft">{t(`audit.${why}`)}</span>
  return text === null ? <span className="soft">{t('audit.empty')}</span> : <span className="mono small">{text}</span>
}

function PutBack({ entry, whole, flag, onDone }: { entry: Entry; whole: boolean; flag: Flag; onDone(): void }) {
  const { busy, fault, send } = useSend()
  const [reason, setReason] = useState('')
  const [shown, setShown] = useState<Reverted | null>(null)
  if (!flag.allowed)
    return (
      <FlagButton flag={flag} look="danger">
        {t('audit.put_back')}
      </FlagButton>
    )
  return (
    <Form
      className="stack"
      aria-label={t('audit.put_back')}
      error={fault}
      onSubmit={() => {
        void send(async () => {
          if (shown === null) setShown(await revert(entry.id, whole, reason, true))
          else {
            await revert(entry.id, whole, reason, false)
            toast(t('audit.done_back'))
            onDone()
          }
        })
      }}
    >
      <TextArea
        label={t('audit.why')}
        required
        rows={2}
        maxLength={2000}
        at="reason"
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
      {shown !== null && (
        <Note kind="warn" title={t('audit.would_change', { n: shown.changed.length })}>
          <dl className="changes">
            {shown.changed.map(change => (
              <div key={`${change.entity_id} ${change.path}`}>
                <dt>{readable(change.path)}</dt>
                <dd>
                  <Value value={change.from} /> → <Value value={change.to} />
                </dd>
              </div>
            ))}
          </dl>
        </Note>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <FlagButton flag={flag} look="danger" type="submit" disabled={busy || reason.trim() === ''}>
        {t(shown === null ? 'audit.put_back_look' : 'audit.put_back')}
      </FlagButton>
    </Form>
  )
}
