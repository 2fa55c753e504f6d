// What can be done to a permit, and what each step asks the person who takes it. The service decides whether they can.
import { keysOf } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'
import type { Flag } from '../../../base/fault.ts'
import type { Key } from '../../../base/words.ts'

/** A permit as shown on its own page. */
export type Permit = Schemas['Permit']

/** Steps of a permit. */
export type StepName =
  | 'submit'
  | 'endorse'
  | 'approve'
  | 'request_corrections'
  | 'reject'
  | 'withdraw'
  | 'issue'
  | 'countersign'
  | 'revalidate'
  | 'hand_back'
  | 'request_extension'
  | 'close_out'
  | 'reissue'

/** A question of a step. An `!` after its name means that it is required. */
export type Ask =
  | 'note'
  | 'note!'
  | 'reason'
  | 'reason!'
  | 'stage1_controls'
  | 'stage2_controls'
  | 'red_conflict_reason'
  | 'checklist'
  | 'work_complete'
  | 'fire_watch_minutes'
  | 'requested_end_at!'

type Step = {
  /** The last part of its URL. */
  path: string
  asks: readonly Ask[]
  look?: 'primary' | 'danger'
  /** True if the step is signed: the signature covers what was shown on screen. */
  signs?: boolean
  /** True if the step can't be undone, so that its button needs a long press. */
  held?: boolean
}

/** Every step, in the order of their buttons. */
export const STEPS: Record<StepName, Step> = {
  submit: { path: 'submit', asks: [], look: 'primary' },
  endorse: { path: 'endorse', asks: ['stage1_controls', 'note'], look: 'primary', signs: true },
  approve: { path: 'approve', asks: ['stage2_controls', 'red_conflict_reason', 'note'], look: 'primary', signs: true },
  issue: { path: 'issue', asks: ['note'], look: 'primary', signs: true, held: true },
  countersign: { path: 'countersign', asks: ['note'], look: 'primary', signs: true, held: true },
  revalidate: { path: 'revalidate', asks: ['note'], look: 'primary', signs: true, held: true },
  close_out: { path: 'close-out', asks: ['checklist', 'note'], look: 'primary', signs: true, held: true },
  hand_back: { path: 'hand-back', asks: ['work_complete', 'note', 'fire_watch_minutes'], signs: true },
  request_extension: { path: 'extensions', asks: ['requested_end_at!', 'reason'] },
  request_corrections: { path: 'request-corrections', asks: ['note!'] },
  reject: { path: 'reject', asks: ['reason!'], look: 'danger' },
  withdraw: { path: 'withdraw', asks: ['reason'], look: 'danger' },
  reissue: { path: 'reissue', asks: [] },
}

/** Names of the steps in order. */
export const STEP_NAMES = keysOf(STEPS)

/** Label of a step's button. */
export const stepKey = (step: StepName): Key => `step.${step}`

/** The flag of a step in `permissions`. */
export const flagOf = (permit: Pick<Permit, 'permissions'>, step: StepName): Flag => permit.permissions[step]

const CODES_OF_STATE = new Set(['invalid_transition', 'permit_ownership_error', 'extension_requested', 'two_stage', 'single_stage'])

/**
 * Lists the steps to show: those that the caller can take, and those of this state that are refused for another reason, because people want to know why. A step
 * that this state doesn't have is not shown.
 */
export function offered(permit: Pick<Permit, 'permissions' | 'status' | 'handed_back_at'>): { may: StepName[]; barred: StepName[] } {
  // A hand-back is offered only once, because a second signature would confuse the permit's readers.
  const done = permit.handed_back_at !== null && (permit.status === 'issued' || permit.status === 'expired')
  const may = STEP_NAMES.filter(step => flagOf(permit, step).allowed && !(step === 'hand_back' && done))
  const barred = STEP_NAMES.filter(step => {
    const { allowed, because } = flagOf(permit, step)
    return !allowed && because.length > 0 && because.every(one => !CODES_OF_STATE.has(one.code) && one.code !== 'forbidden')
  })
  return { may, barred }
}

/** Returns the body of a step from the filled-in form; empty fields are left out. */
export function bodyOf(
  step: StepName,
  filled: Readonly<Record<string, unknown>>,
  permit: Pick<Permit, 'content_hash'> & { conflicts_hash?: string | undefined } & Partial<Pick<Permit, 'stopped'>>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(filled)) if (value !== '' && value !== null && value !== undefined) body[name] = value
  // What is signed must be what was shown: the service compares the two.
  if (STEPS[step].signs === true) body.content_hash = permit.content_hash
  if (step === 'revalidate' && permit.stopped !== undefined) body.stop_ids = permit.stopped.map(one => one.stop_id)
  // An approval counts only for the red conflicts that were shown (permits.md R5).
  if (step === 'approve' && permit.conflicts_hash !== undefined) body.conflicts_hash = permit.conflicts_hash
  return body
}
