import { useEffect, useMemo } from 'react'
import { Go } from '../../../base/go.tsx'
import { PageWait } from '../../../base/kit/note.tsx'
import { useNow } from '../../../base/now.ts'
import { paths } from '../../../base/paths.ts'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { useCards, useWaiting } from './data.ts'
import { byAttention, inOrder, type Waiting } from './model.ts'
import { Row } from './row.tsx'
import './tasks.css'

/** Everything that is waiting for the person, one line each: tasks that they have taken first, then by due time. */
export default function Tasks() {
  const here = useHere()
  const tasks = useWaiting(here.site_id)
  const now = useNow(
    15_000,
    useMemo(() => tasks.data?.map(task => task.due_at) ?? [], [tasks.data]),
  )
  const ids = [...new Set((tasks.data ?? []).flatMap(task => (task.subject.kind === 'permit' ? [task.subject.id] : [])))]
  const cards = useCards(here.site_id, ids)
  useEffect(() => {
    document.title = `${t('tasks.title')} · ${here.name}`
  }, [here.name])
  if (tasks.data === undefined) return <PageWait title={t('tasks.title')} query={tasks} height={56} />
  const { now: rows, later } = byAttention(inOrder(tasks.data, here.me.id), now)
  const row = (task: Waiting) => <Row task={task} card={cards.get(task.subject.id)} now={now} />
  return (
    <div className="tasks">
      <header className="row spread">
        <div className="row">
          <h1>{t('tasks.title')}</h1>
          <span className="soft">{t('tasks.count', { n: rows.length })}</span>
        </div>
        {rows.length > 0 && <span className="soft small keys-hint">{t('tasks.keys')}</span>}
      </header>
      <Listing
        label={t('tasks.title')}
        query={tasks}
        rows={rows}
        idOf={task => task.key}
        nameOf={task => task.subject.label}
        row={row}
        flush
        empty={{
          says: t('tasks.empty'),
          action: (
            <Go className="btn" to={paths.board(here.site_id)}>
              {t('fault.to_board')}
            </Go>
          ),
        }}
      />
      {later.length > 0 && (
        <details className="stack" aria-label={t('tasks.later')}>
          <summary className="strong">
            {t('tasks.later')} <span className="soft">{later.length}</span>
          </summary>
          <ul className="lines flush">
            {later.map(task => (
              <li key={task.key}>{row(task)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
