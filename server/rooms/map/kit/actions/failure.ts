// Why the background work on a plan failed.
import { ChildProblem } from '../../../../base/child/open.ts'
import { Refused } from '../../../../base/errors.ts'
import { isFull } from '../../../../base/full.ts'
import { isStopping, type Running } from '../../../../kernel/jobs/door.ts'
import { problemText } from './upload.ts'

/** Returns in words what is wrong with a file that a process couldn't read. */
export const fileProblem = (error: ChildProblem): string => `The file ${problemText(error)}`

/** Returns why a plan failed permanently; null for a failure that isn't the file's, after which the job runs again. */
export function lastingReason(job: Pick<Running, 'house'>, error: unknown, said = fileProblem): string | null {
  if (isFull(error) || isStopping(job.house)) return null
  if (error instanceof ChildProblem) return said(error)
  // The process hung, crashed or needed too much memory, and would again.
  return error instanceof Refused && error.refusal.status === 503 && error.refusal.context?.reason === undefined
    ? error.refusal.detail
    : null
}

/** What was uploaded before the site was locked is still read: otherwise the plan would wait for it forever (decision 911). */
export const FINISHING = { passes_lock: true }

/** Why the work on a plan ended although nothing is wrong with its file (decision 985). */
export const LOST = {
  read: 'The work on this file was stopped before it was read. Upload it again.',
  drawn: 'The work on its tiles was stopped before they were complete. Place it again.',
  outdated: 'The work on its new tiles was stopped. Until they are made again, the map shows it as it was placed before.',
  calibrated: 'The work on its tiles was stopped before they were complete. Make the tiles again.',
  recalibrated: 'The work on its new tiles was stopped. Until they are made again, the map shows it as it was calibrated before.',
}
