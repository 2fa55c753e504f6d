import type { Schemas } from '../../../base/api.ts'
import { useFrameOf } from '../../../base/frame.ts'
import { Go } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { toast, toastFault } from '../../../base/kit/note.tsx'
import { perform, useOutbox } from '../../../base/outbox.ts'
import { placeText } from '../../../base/place-name.ts'
import { queries } from '../../../base/query.ts'
import { useHere } from '../../../base/site.tsx'
import { awayOf, ownTimeOf } from '../../../base/time.ts'
import { t, tOf } from '../../../base/words.ts'
import { TypeChip } from '../../permits/permits/door.tsx'
import { holdOf, reasonOf, takerOf, toDecide, type Waiting } from './model.ts'

/** One task, on one line if there is room: what it is about, what to do, by when, and who has taken it. */
export function Row({ task, card, now }: { task: Waiting; card: Schemas['PermitCard'] | undefined; now: number }) {
  const here = useHere()
  const frame = useFrameOf(card === undefined ? [] : [card])
  const hold = holdOf(task, here.me.id)
  const taker = takerOf(task)
  const { act } = task.permissions
  const reason = reasonOf(task, card)
  const why = act.allowed ? null : (act.because[0]?.detail ?? null)
  return (
    <article className={`task ${task.overdue ? 'overdue' : ''} ${hold}`}>
      <span className="row tight-row task-what">
        {card?.categories.map(code => (
          <TypeChip key={code} code={code} />
        ))}
        <span className="mono soft small">{task.subject.label}</span>
      </span>
      <span className="task-title strong">{card?.title ?? (card === undefined ? task.title : t('permit.untitled'))}</span>
      <span className="task-where soft small">
        {[card?.contractor?.name, card && placeText(card, frame)].filter(Boolean).join(' · ')}
        {reason !== null && <span className="task-why">{reason}</span>}
        {why !== null && <span className="task-why">{why}</span>}
        {task.who_can.length > 0 && (
          <span className="task-why">{t('tasks.who_can', { names: task.who_can.map(one => one.name).join(', ') })}</span>
        )}
        {task.otherwise != null && <span className="task-why">{tOf('tasks.otherwise', task.otherwise)}</span>}
        {hold === 'other' && taker !== null && <span className="task-why">{t('tasks.taken_by', { name: taker.name })}</span>}
      </span>
      <span className="task-due small">
        {task.due_at !== null && (
          <span className={`badge ${task.overdue ? 'stop' : ''}`} title={ownTimeOf(task.due_at, here.zone)}>
            <Glyph name={task.overdue ? 'stop' : 'clock'} size={14} />
            {t(task.overdue ? 'tasks.overdue' : 'tasks.due', { when: awayOf(task.due_at, now) })}
          </span>
        )}
      </span>
      <Go className="task-open" data-open to={toDecide(task)} aria-describedby={`task-${task.key}`}>
        {act.allowed ? tOf('tasks.next', task.kind) : t('tasks.look')}
      </Go>
      <span id={`task-${task.key}`} className="unseen">
        {`${task.subject.label} ${card?.title ?? ''}`}
      </span>
      {task.task_id !== null && <Take task={task} task_id={task.task_id} mine={hold === 'mine'} />}
    </article>
  )
}

/** Assigns the task to the person, so that nobody else starts on it. */
function Take({ task, task_id, mine }: { task: Waiting; task_id: string; mine: boolean }) {
  const waits = useOutbox().items.some(item => item.subject.id === task_id && item.state === 'here')
  const take = async () => {
    try {
      const done = await perform({
        site_id: task.site_id,
        subject: { kind: 'task', id: task_id, label: task.title },
        says: `${t('tasks.take')}: ${task.title}, ${task.subject.label}`,
        method: 'POST',
        path: `/tasks/${task_id}/acknowledge`,
        body: { taking: true },
      })
      if (done.outcome === 'saved') toast(t('outbox.saved'))
      await Promise.all(['tasks', 'unread'].map(key => queries.invalidateQueries({ queryKey: [key] })))
    } catch (error) {
      toastFault(error)
    }
  }
  return mine ? (
    <span className="badge task-take">
      <Glyph name="hand" size={14} />
      {t('tasks.mine')}
    </span>
  ) : (
    <Button look="quiet" className="task-take" aria-disabled={waits || undefined} onClick={() => !waits && void take()}>
      {t(waits ? 'outbox.here' : 'tasks.take')}
    </Button>
  )
}
