export { askNextGate, askNextGates, expiryOf, readdressGates, tellPermit } from './actions/tell.ts'
