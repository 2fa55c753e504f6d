export { type ChainReport, canonical, digestOf, genesisOf, seal, spelled, verifyChain } from './actions.ts'
export { chains, hashAt, headOf, redact } from './queries.ts'
