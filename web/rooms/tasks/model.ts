import type { Schemas } from '../../base/api.ts'

/** Something that waits for this person. */
export type Waiting = Schemas['Waiting']
type Judged = Pick<Waiting, 'acknowledged_by' | 'due_at' | 'overdue'>

/** Whose a task is: the one who said that they are on it, the last one of several. */
export function takerOf(task: Pick<Waiting, 'acknowledged_by'>): Waiting['acknowledged_by'][number] | null {
  return task.acknowledged_by.filter(one => one.taking).sort((a, b) => b.at.localeCompare(a.at))[0] ?? null
}

/** Whether a task is assigned to me, to no one yet, or to another person. */
export function holdOf(task: Pick<Waiting, 'acknowledged_by'>, user_id: string): 'mine' | 'free' | 'other' {
  const taker = takerOf(task)
  return taker === null ? 'free' : taker.user_id === user_id ? 'mine' : 'other'
}

/** What counts already, and what will: a live permit is to be closed out one day, but not now. In the order given. */
export function byAttention<T extends Pick<Waiting, 'attention_at'>>(tasks: readonly T[], now: number): { now: T[]; later: T[] } {
  const counts = (task: T) => Date.parse(task.attention_at) <= now
  return { now: tasks.filter(counts), later: tasks.filter(task => !counts(task)) }
}

const RANK = { mine: 0, free: 1, other: 2 }

/** Tasks in order of work: assigned to me, to no one, to others; within each by due time, those without one last. */
export function inOrder<T extends Judged>(tasks: readonly T[], user_id: string): T[] {
  return [...tasks].sort(
    (a, b) =>
      RANK[holdOf(a, user_id)] - RANK[holdOf(b, user_id)] ||
      Number(b.overdue) - Number(a.overdue) ||
      (a.due_at ?? '9').localeCompare(b.due_at ?? '9'),
  )
}

/** Where a task is decided, so that the next one opens behind it. */
export const toDecide = ({ link }: Pick<Waiting, 'link'>): string => `${link}${link.includes('?') ? '&' : '?'}from=tasks`

/** What to open after a decision on this record: what follows it in the list and can be done now; from the top again at its end. */
export function nextAfter<T extends Pick<Waiting, 'subject' | 'permissions'>>(tasks: readonly T[], subject_id: string): T | undefined {
  const at = tasks.findIndex(task => task.subject.id === subject_id)
  const rest = [...tasks.slice(at + 1), ...tasks.slice(0, Math.max(0, at))]
  return rest.find(task => task.subject.id !== subject_id && task.permissions.act.allowed)
}
