export { plugWaits, type Waits } from './actions/waits.ts'
export { TOPICS, type Topic } from './domain.ts'
export { type LiveRow, liveProcesses } from './queries.ts'
