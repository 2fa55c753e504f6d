// What other rooms can use of tasks.
export { afterDecision } from './data.ts'
export { TaskTop } from './top.tsx'
