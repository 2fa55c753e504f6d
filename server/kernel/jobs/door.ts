export { allJobs, allSchedules, closeQueue, enqueue, plugJobs, prepareQueue, runJob, runSchedules, startWorker } from './actions.ts'
export { type RunRow, runById, runsOf } from './queries.ts'
