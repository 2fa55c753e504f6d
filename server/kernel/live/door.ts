export { plugWaits, type Waits } from './actions/waits.ts'

export { liveProcesses } from './queries.ts'
