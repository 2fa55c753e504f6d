import { undoingOf } from '../kit/actions/copies.ts'
import { workers } from './actions.ts'

/** A worker or gang as a record, and their schedules. */
export const worker = workers.area.kind
export const workerSchedule = workers.group

/** Undoes copies of workers and gangs. */
export const undoingWorkers = undoingOf(workers, 'worker_ids')
