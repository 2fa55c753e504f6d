export { permitSideRows } from '../kit/queries/permits.ts'
export { siteConflicts } from './actions/known.ts'
export { comparedWith, conflictsIn, freshConflicts, type Subject, sidesOf } from './actions/permits.ts'
export { comparesPermits, type InForce, ruleFrom, rulesInForce, siteFactsOf } from './actions/rules.ts'
