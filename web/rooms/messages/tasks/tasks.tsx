import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { Go } from '../../../base/go.tsx'
import { Empty, Note, PageWait } from '../../../base/kit/note.tsx'
import { useNow } from '../../../base/now.ts'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { clockOf } from '../../../base/time.ts'
import { t } from '../../../base/words.ts'
import { useCards, useWaiting } from './data.ts'
import { byAttention, inOrder, type Waiting } from './model.ts'
import { Row } from './row.tsx'
import './tasks.css'

const KEYS: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** Everything that is waiting for the person, one line each: tasks that they have taken first, then by due time. */
export default function Tasks() {
  const here = useHere()
  const list = useRef<HTMLDivElement>(null)
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
  // J and K work wherever the focus is, except while typing.
  useEffect(() => {
    const hear = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'j' || event.key === 'k') move(event, list.current)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  if (tasks.data === undefined) return <PageWait title={t('tasks.title')} query={tasks} height={56} />
  const { now: rows, later } = byAttention(inOrder(tasks.data, here.me.id), now)
  const shown = (task: Waiting) => (
    <li key={task.key}>
      <Row task={task} card={cards.get(task.subject.id)} now={now} />
    </li>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside.
    <div ref={list} className="tasks" onKeyDown={event => event.key.startsWith('Arrow') && move(event, list.current)}>
      <header className="row spread">
        <div className="row">
          <h1>{t('tasks.title')}</h1>
          <span className="soft">{t('tasks.count', { n: rows.length })}</span>
        </div>
        {rows.length > 0 && <span className="soft small keys-hint">{t('tasks.keys')}</span>}
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
        <ul className="task-list" aria-label={t('tasks.title')}>
          {rows.map(shown)}
        </ul>
      )}
      {later.length > 0 && (
        <details className="stack" aria-label={t('tasks.later')}>
          <summary className="strong">
            {t('tasks.later')} <span className="soft">{later.length}</span>
          </summary>
          <ul className="task-list">{later.map(shown)}</ul>
        </details>
      )}
    </div>
  )
}

/** Moves to the row below or above; without a focused row, to the first or the last one. */
function move(event: KeyboardEvent | globalThis.KeyboardEvent, list: HTMLElement | null) {
  const by = KEYS[event.key]
  const { target } = event
  if (by === undefined || list === null || event.ctrlKey || event.metaKey || event.altKey) return
  if (target instanceof Element && target.closest('input, textarea, select, dialog') !== null) return
  const links = [...list.querySelectorAll<HTMLElement>('.task-open')].filter(link => link.checkVisibility())
  const at = links.findIndex(link => link.closest('li')?.contains(document.activeElement) === true)
  const next = at === -1 ? (by > 0 ? links[0] : links.at(-1)) : links[Math.min(Math.max(at + by, 0), links.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  event.preventDefault()
}
