import type { Instant } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'
import type { Band } from '../access/domain.ts'

/** A kind of task (`messages.md` §5): defined once, by its area. */
export type TaskKind = {
  kind: string
  area: string
  /** The card: "Review & endorse". */
  title: string
  /** The one next button: "Endorse". */
  action_label: string
  /** Deep link, with `{site_id}` and `{subject_id}`. */
  link_pattern: string
  /** Addressees in words. */
  addressed_to: string
  /** Whether a person may say that it is done; else only the platform sees it. */
  manual_resolve: boolean
  urgency: 'info' | 'attention' | 'critical'
  /** When it resolves, in words. */
  resolves_when: string
  /** Band that inherits a task which was addressed to one person who left. */
  falls_back_to: Band
}

/** How a task ended. */
export type Resolution = 'done_by_step' | 'done' | 'not_needed' | 'subject_left' | 'superseded'

/** A task to be raised. The addressees are those who can do it: any of the bands, people, or contractor. */
export type Raised = {
  kind: string
  subject: { kind: string; id: Id; label: string }
  bands?: readonly Band[]
  user_ids?: readonly Id[]
  contractor_id?: Id | null
  due_at?: Instant | null
  /** From when it counts; default now. */
  attention_at?: Instant
}

/** What tells the addressees of two open tasks of one kind and subject apart. */
export const addresseeKey = (task: Pick<Raised, 'bands' | 'user_ids' | 'contractor_id'>): string =>
  task.bands !== undefined && task.bands.length > 0 ? 'gate' : [...(task.user_ids ?? [])].sort().join(',') || (task.contractor_id ?? 'none')

/** The deep link of a task. */
export const linkOf = (pattern: string, site_id: Id, subject_id: Id): string =>
  pattern.replace('{site_id}', site_id).replace('{subject_id}', subject_id)

/** Whether a task is past its due time. */
export const isOverdue = (task: { status: string; due_at: Instant | null }, now: Instant): boolean =>
  task.status === 'open' && task.due_at !== null && task.due_at < now

const STEPS = ['info', 'attention', 'critical'] as const

/** Urgency as shown: one up once overdue, but critical only for kinds that are (`messages.md` §0.6). */
export const urgencyOf = (urgency: TaskKind['urgency'], overdue: boolean): TaskKind['urgency'] =>
  overdue ? (STEPS[Math.min(STEPS.indexOf(urgency) + 1, urgency === 'critical' ? 2 : 1)] ?? urgency) : urgency
