export { type Concerned, concernedByAny, plugWaits, type Waits } from './actions/waits.ts'
export { type Heard, liveProcesses } from './queries.ts'
