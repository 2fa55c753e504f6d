export { limitsAhead } from './actions/ahead.ts'
export { troubleOf } from './actions/trouble.ts'
