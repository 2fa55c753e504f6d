export { askNextGate, askNextGates, expiryOf, holdAppointed, readdressGates, shareAppointed, tellPermit } from './actions/tell.ts'
