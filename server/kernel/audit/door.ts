export { type ChainReport, canonical, digestOf, seal, verifyChain } from './actions.ts'
export { chains, headOf } from './queries.ts'
