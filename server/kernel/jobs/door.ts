export {
  allJobs,
  allSchedules,
  closeQueue,
  enqueue,
  type JobKind,
  noteFailure,
  plugJobs,
  prepareQueue,
  type Running,
  requeue,
  runJob,
  runSchedules,
  type Schedule,
  startWorker,
} from './actions.ts'
export { nextDue } from './domain.ts'
export { dropOldRuns, type RunRow, runById, runsOf, scheduleRuns } from './queries.ts'
