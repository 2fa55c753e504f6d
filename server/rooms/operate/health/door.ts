export { checksOf } from './actions.ts'
export type { Check } from './domain.ts'
