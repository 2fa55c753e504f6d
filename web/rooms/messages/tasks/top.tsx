import { useMemo } from 'react'
import { Go } from '../../../base/go.tsx'
import { Stale, Wait } from '../../../base/kit/note.tsx'
import { useNow } from '../../../base/now.ts'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { useCards, useWaiting } from './data.ts'
import { byAttention, inOrder } from './model.ts'
import { Row } from './row.tsx'
import './tasks.css'

const MOST = 5

/** The first of the tasks that are waiting for the person, and how many there are in all. */
export function TaskTop() {
  const here = useHere()
  const tasks = useWaiting(here.site_id)
  const now = useNow(
    15_000,
    useMemo(() => tasks.data?.map(task => task.due_at) ?? [], [tasks.data]),
  )
  const rows = byAttention(inOrder(tasks.data ?? [], here.me.id), now).now
  const shown = rows.slice(0, MOST)
  const cards = useCards(
    here.site_id,
    shown.flatMap(task => (task.subject.kind === 'permit' ? [task.subject.id] : [])),
  )
  return (
    <section className="stack" aria-labelledby="waiting-for-you">
      <header className="row spread">
        <h2 id="waiting-for-you">{t('tasks.top')}</h2>
        {rows.length > 0 && <Go to={paths.tasks(here.site_id)}>{t('tasks.all', { n: rows.length })}</Go>}
      </header>
      <Wait query={tasks} rows={3} height={56} />
      {tasks.error !== null && tasks.data !== undefined && <Stale at={tasks.dataUpdatedAt} zone={here.zone} />}
      {tasks.data !== undefined && rows.length === 0 && <p className="soft">{t('tasks.empty')}</p>}
      {rows.length > 0 && (
        <ul className="lines flush">
          {shown.map(task => (
            <li key={task.key}>
              <Row task={task} card={cards.get(task.subject.id)} now={now} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
