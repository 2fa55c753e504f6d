export { checksOf } from './actions.ts'
