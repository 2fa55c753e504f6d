import type { UseQueryResult } from '@tanstack/react-query'
import { fieldsIn } from '../../../../../shared/narrow.ts'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Note, Skeleton } from '../../../../base/kit/note.tsx'
import { useMembers } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { CHANNELS, type Preview, termWords } from '../model.ts'
import { t, tOf } from '../says.ts'

const SHOWN = 6

/** Preview of a rule: its recipients, its message, and what it would have done in the last month. Nothing is saved or sent. */
export function Trial({ trial, ready }: { trial: UseQueryResult<Preview>; ready: boolean }) {
  const preview = trial.data
  return (
    <aside className="panel trial stack" aria-label={t('rules.trial')}>
      <header>
        <h2>{t('rules.trial')}</h2>
      </header>
      <div className="stack" aria-live="polite" aria-busy={trial.isFetching}>
        {!ready && <p className="soft">{t('rules.not_ready')}</p>}
        {ready && trial.error !== null && <FaultNote error={trial.error} onRetry={() => void trial.refetch()} />}
        {ready && preview === undefined && trial.error === null && <Skeleton rows={3} height={40} />}
        {ready && trial.error === null && preview !== undefined && <Found preview={preview} />}
      </div>
    </aside>
  )
}

function Found({ preview }: { preview: Preview }) {
  const { valid, problems, rendered, recipients, last_30_days } = preview
  if (!valid)
    return (
      <Note kind="warn" title={t('rules.problems')}>
        <ul className="bullets small">
          {problems.map(problem => (
            <li key={problem.path + problem.message}>{problem.message}</li>
          ))}
        </ul>
      </Note>
    )
  return (
    <>
      {rendered !== null && (
        <div className="said">
          <p className="strong">{rendered.title}</p>
          {rendered.body !== '' && <p className="small pre">{rendered.body}</p>}
        </div>
      )}
      <section className="stack tight" aria-label={t('rules.recipients')}>
        <h3>{t('rules.recipients_n', { n: recipients.length })}</h3>
        {recipients.length === 0 && <Note kind="warn">{t('rules.reaches_nobody')}</Note>}
        <ul className="stack tight">
          {recipients.slice(0, SHOWN).map(one => (
            <Recipient key={one.user_id} one={one} />
          ))}
        </ul>
        {recipients.length > SHOWN && (
          <details className="small">
            <summary>{t('rules.and_more', { n: recipients.length - SHOWN })}</summary>
            <p>
              {recipients
                .slice(SHOWN)
                .map(one => one.name)
                .join(', ')}
            </p>
          </details>
        )}
        <Dropped dropped={preview.dropped} />
      </section>
      <section className="stack tight">
        <h3>{t('rules.last_month')}</h3>
        <p className="small">
          {last_30_days.events === 0
            ? t('rules.no_events')
            : `${t('rules.month_events', { n: last_30_days.events })} ${t('rules.month_fired', { n: last_30_days.would_fire })} ${t('rules.month_told', { n: last_30_days.notifications })}`}
        </p>
      </section>
    </>
  )
}

function Recipient({ one }: { one: Preview['recipients'][number] }) {
  const because = one.because.map(term => termWords(fieldsIn(term), () => t('rules.by_name_alone'))).join(', ')
  const on = CHANNELS.filter(channel => one.channels[channel].enabled)
  return (
    <li className="recipient">
      <span className="strong">{one.name}</span> <span className="soft small">{tOf('role', one.role)}</span>
      <span className="soft small">{because}</span>
      <span className="row small">
        {on.map(channel => (
          <span key={channel} className="row tight">
            <Glyph name="ok" size={14} />
            {t(`channel.${channel}`)}
          </span>
        ))}
        {on.length === 0 && <span>{t('rules.no_way')}</span>}
      </span>
    </li>
  )
}

const WHY = ['actor', 'not_visible', 'not_a_member'] as const

function Dropped({ dropped }: { dropped: Preview['dropped'] }) {
  const { site_id } = useHere()
  const members = useMembers(site_id)
  if (dropped.length === 0) return null
  const nameOf = (id: string) => members.data?.find(one => one.user_id === id)?.name ?? t('common.unknown_person')
  return (
    <details className="small">
      <summary>{t('rules.dropped', { n: dropped.length })}</summary>
      <ul className="bullets">
        {WHY.map(why => {
          const names = dropped.filter(one => one.why === why).map(one => nameOf(one.user_id))
          return names.length === 0 ? null : <li key={why}>{t(`rules.dropped.${why}`, { names: names.join(', ') })}</li>
        })}
      </ul>
    </details>
  )
}
