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
  runJob,
  runSchedules,
  type Schedule,
  startWorker,
} from './actions.ts'
export { dropOldRuns, type RunRow, runById, runsOf } from './queries.ts'
