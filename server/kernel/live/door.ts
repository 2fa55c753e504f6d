export { plugWaits, type Waits } from './actions/waits.ts'
export { type LiveRow, liveProcesses } from './queries.ts'
