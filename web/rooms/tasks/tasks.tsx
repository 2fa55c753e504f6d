import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ask, client, type Schemas } from '../../base/api.ts'
import { Go } from '../../base/go.tsx'
import { Button } from '../../base/kit/button.tsx'
import { Glyph } from '../../base/kit/glyph.tsx'
import { Empty, Note, PageWait, toast, toastFault } from '../../base/kit/note.tsx'
import { useNow } from '../../base/now.ts'
import { perform, useOutbox } from '../../base/outbox.ts'
import { paths } from '../../base/paths.ts'
import { queries } from '../../base/query.ts'
import { useHere } from '../../base/site.tsx'
import { awayOf, clockOf, ownTimeOf } from '../../base/time.ts'
import { t, tOf } from '../../base/words.ts'
import { StatusMark, standingOf, TypeChip } from '../permits/door.tsx'
import { byAttention, holdOf, inOrder, takerOf } from './model.ts'
import './tasks.css'

type Task = Schemas['Task']
type Card = Schemas['PermitCard']

/** What waits for me: what I am on first, then by when it is due; each with the one button that leads to its decision. */
export default function Tasks() {
  const here = useHere()
  const now = useNow(60_000)
  const tasks = useQuery({
    queryKey: ['tasks', here.site_id],
    queryFn: () =>
      ask(client.GET('/tasks/', { params: { query: { site_id: here.site_id, status: ['open'], scope: 'mine', limit: 500 } } })),
    meta: { keep: true },
  })
  const permit_ids = [...new Set((tasks.data ?? []).flatMap(task => (task.subject.kind === 'permit' ? [task.subject.id] : [])))].slice(
    0,
    100,
  )
  const cards = useQuery({
    queryKey: ['permits', 'of-tasks', here.site_id, ...permit_ids],
    queryFn: () => ask(client.GET('/permits', { params: { query: { site_id: here.site_id, id: permit_ids, limit: 100 } } })),
    enabled: permit_ids.length > 0,
    placeholderData: before => before,
    meta: { keep: true },
  })
  useEffect(() => {
    document.title = `${t('tasks.title')} · ${here.name}`
  }, [here.name])
  if (tasks.data === undefined) return <PageWait title={t('tasks.title')} query={tasks} height={120} />
  const { now: rows, later } = byAttention(inOrder(tasks.data, here.me.id), now)
  const shown = (task: Task) => (
    <li key={task.id}>
      <Shown task={task} card={cards.data?.find(one => one.id === task.subject.id)} now={now} />
    </li>
  )
  return (
    <div className="field tasks">
      <header className="row spread">
        <h1>{t('tasks.title')}</h1>
        <span className="soft">{t('tasks.count', { n: rows.length })}</span>
      </header>
      {tasks.error !== null && (
        <Note kind="warn">{t('fault.offline', { time: clockOf(new Date(tasks.dataUpdatedAt).toISOString(), here.zone) })}</Note>
      )}
      {rows.length === 0 ? (
        <Empty
          action={
            <Go className="btn" to={paths.board(here.site_id)}>
              {t('fault.to_board')}
            </Go>
          }
        >
          {t('tasks.empty')}
        </Empty>
      ) : (
        <ul className="stack">{rows.map(shown)}</ul>
      )}
      {later.length > 0 && (
        <details className="stack" aria-label={t('tasks.later')}>
          <summary className="strong">
            {t('tasks.later')} <span className="soft">{later.length}</span>
          </summary>
          <ul className="stack">{later.map(shown)}</ul>
        </details>
      )}
    </div>
  )
}

function Shown({ task, card, now }: { task: Task; card: Card | undefined; now: number }) {
  const here = useHere()
  const waits = useOutbox().items.some(item => item.subject.id === task.id && item.state === 'here')
  const hold = holdOf(task, here.me.id)
  const taker = takerOf(task)
  const take = async () => {
    try {
      const done = await perform({
        site_id: task.site_id,
        subject: { kind: 'task', id: task.id, label: task.title },
        says: `${t('tasks.take')}: ${task.title}, ${task.subject.label}`,
        method: 'POST',
        path: `/tasks/${task.id}/acknowledge`,
        body: { taking: true },
      })
      if (done.outcome === 'saved') toast(t('outbox.saved'))
      await Promise.all(['tasks', 'unread'].map(key => queries.invalidateQueries({ queryKey: [key] })))
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <article className={`panel task ${task.overdue ? 'overdue' : ''} ${hold}`}>
      <header className="row spread">
        <h2>{task.title}</h2>
        {task.due_at !== null && (
          <span className={`badge ${task.overdue ? 'stop' : ''}`} title={ownTimeOf(task.due_at, here.zone)}>
            <Glyph name={task.overdue ? 'stop' : 'clock'} size={16} />
            {t(task.overdue ? 'tasks.overdue' : 'tasks.due', { when: awayOf(task.due_at, now) })}
          </span>
        )}
      </header>
      <p>
        <span className="mono soft">{task.subject.label}</span> {card !== undefined && <span className="strong">{card.title}</span>}
      </p>
      {card !== undefined && (
        <p className="row tight-row small">
          {card.categories.map(code => (
            <TypeChip key={code} code={code} />
          ))}
          <StatusMark standing={standingOf(card)} />
          <span className="soft">{card.location ?? t('permit.no_place')}</span>
        </p>
      )}
      {hold === 'other' && taker !== null && (
        <p className="small">
          <Glyph name="person" size={18} /> {t('tasks.taken_by', { name: taker.name })}
        </p>
      )}
      <div className="task-ways">
        <Go className="btn chief" to={task.link}>
          {tOf('tasks.next', task.kind)}
        </Go>
        {hold === 'mine' ? (
          <span className="badge mine">
            <Glyph name="hand" size={16} />
            {t('tasks.mine')}
          </span>
        ) : (
          <Button aria-disabled={waits || undefined} onClick={() => !waits && void take()}>
            {t(waits ? 'outbox.here' : 'tasks.take')}
          </Button>
        )}
      </div>
    </article>
  )
}
