export { type ChainReport, digestOf, genesisOf, seal, spelled, verifyChain } from './actions.ts'
export { canonical } from './domain.ts'
export { chains, hashAt, headOf, redact } from './queries.ts'
