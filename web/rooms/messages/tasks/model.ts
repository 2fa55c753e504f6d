import type { Schemas } from '../../../base/api.ts'

/** A task of this person. */
export type Waiting = Schemas['Waiting']
type Judged = Pick<Waiting, 'acknowledged_by' | 'due_at' | 'overdue'>

/** Returns the person who took a task; the last one, if there were several. */
export function takerOf(task: Pick<Waiting, 'acknowledged_by'>): Waiting['acknowledged_by'][number] | null {
  return task.acknowledged_by.filter(one => one.taking).sort((a, b) => b.at.localeCompare(a.at))[0] ?? null
}

/** Returns whether a task is assigned to me, to nobody yet, or to another person. */
export function holdOf(task: Pick<Waiting, 'acknowledged_by'>, user_id: string): 'mine' | 'free' | 'other' {
  const taker = takerOf(task)
  return taker === null ? 'free' : taker.user_id === user_id ? 'mine' : 'other'
}

/** Separates current tasks from later ones: a live permit must be closed out one day, but not now. Keeps the given order. */
export function byAttention<T extends Pick<Waiting, 'attention_at'>>(tasks: readonly T[], now: number): { now: T[]; later: T[] } {
  const counts = (task: T) => Date.parse(task.attention_at) <= now
  return { now: tasks.filter(counts), later: tasks.filter(task => !counts(task)) }
}

/**
 * Returns the words of the decision that led to a task: why a permit was returned, or why live work was handed back. Anyone who closes it out must
 * know that before they walk there. Null if the newest decision on the permit is another one.
 */
export function reasonOf(task: Pick<Waiting, 'kind'>, card: Pick<Schemas['PermitCard'], 'last_decision'> | undefined): string | null {
  // Cards stored on this device by an earlier version have no decision.
  const last: Schemas['PermitCard']['last_decision'] | undefined = card?.last_decision
  if (last == null || last.note === null || last.note === '') return null
  return task.kind === 'correct_permit' || (task.kind === 'close_out_permit' && last.action === 'hand_back') ? last.note : null
}

const RANK = { mine: 0, free: 1, other: 2 }

/** Sorts tasks in working order: assigned to me, to nobody, to others; within each by due time, those without one last. */
export function inOrder<T extends Judged>(tasks: readonly T[], user_id: string): T[] {
  return [...tasks].sort(
    (a, b) =>
      RANK[holdOf(a, user_id)] - RANK[holdOf(b, user_id)] ||
      Number(b.overdue) - Number(a.overdue) ||
      (a.due_at ?? '9').localeCompare(b.due_at ?? '9'),
  )
}

/** Returns the page on which a task is decided, with a link to the next one. */
export const toDecide = ({ link }: Pick<Waiting, 'link'>): string => `${link}${link.includes('?') ? '&' : '?'}from=tasks`

/** Returns the task to open after a decision on this record: the next one in the list that can be done now; after the end, from the top again. */
export function nextAfter<T extends Pick<Waiting, 'subject' | 'permissions'>>(tasks: readonly T[], subject_id: string): T | undefined {
  const at = tasks.findIndex(task => task.subject.id === subject_id)
  const rest = [...tasks.slice(at + 1), ...tasks.slice(0, Math.max(0, at))]
  return rest.find(task => task.subject.id !== subject_id && task.permissions.act.allowed)
}
