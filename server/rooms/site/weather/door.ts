export { limitsAhead } from './actions/ahead.ts'
