// What other rooms may take of tasks.
export { afterDecision } from './data.ts'
