import type { Instant } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'
import type { Band } from '../access/domain.ts'

/** A kind of task (`messages.md` §5): defined once, by its area. */
export type TaskKind = {
  kind: string
  area: string
  /** Title of the card, such as "Review & endorse". */
  title: string
  /** Label of its only button, such as "Endorse". */
  action_label: string
  /** Deep link, with `{site_id}` and `{subject_id}`. */
  link_pattern: string
  /** The people it is addressed to, in words. */
  addressed_to: string
  /** Whether a person can mark it as done; otherwise only the platform resolves it. */
  manual_resolve: boolean
  urgency: 'info' | 'attention' | 'critical'
  /** When it resolves, in words. */
  resolves_when: string
  /** Band that takes over a task that was addressed only to a person who has left. */
  falls_back_to: Band
  /** The permission to see what its subject is called, if that is not everyone who can see every task of the site. */
  label_seen_with?: string
  /** Whether it's reported as overdue on a locked site, too: work in the field must be made safe (`site-and-people.md` §0.3). */
  on_locked_site?: true
}

/** How a task ended. */
export type Resolution = 'done_by_step' | 'done' | 'not_needed' | 'subject_left' | 'superseded'

/** A new task. It is addressed to those who can do it: any of the bands, people, or contractor. */
export type Raised = {
  kind: string
  subject: { kind: string; id: Id; label: string }
  bands?: readonly Band[]
  user_ids?: readonly Id[]
  contractor_id?: Id | null
  due_at?: Instant | null
  /** The time from which it counts; default now. */
  attention_at?: Instant
}

/** Returns the key that distinguishes open tasks of one kind and subject with different addressees. */
export const addresseeKey = (task: Pick<Raised, 'bands' | 'user_ids' | 'contractor_id'>): string =>
  task.bands !== undefined && task.bands.length > 0 ? 'gate' : [...(task.user_ids ?? [])].sort().join(',') || (task.contractor_id ?? 'none')

/** Returns the deep link of a task. */
export const linkOf = (pattern: string, site_id: Id, subject_id: Id): string =>
  pattern.replace('{site_id}', site_id).replace('{subject_id}', subject_id)

/** Returns whether a task is past its due time. */
export const isOverdue = (task: { status: string; due_at: Instant | null }, now: Instant): boolean =>
  task.status === 'open' && task.due_at !== null && task.due_at < now

const STEPS = ['info', 'attention', 'critical'] as const

/** Returns the urgency that is shown: one level higher once overdue, but critical only for kinds that are critical (`messages.md` §0.6). */
export const urgencyOf = (urgency: TaskKind['urgency'], overdue: boolean): TaskKind['urgency'] =>
  overdue ? (STEPS[Math.min(STEPS.indexOf(urgency) + 1, urgency === 'critical' ? 2 : 1)] ?? urgency) : urgency
