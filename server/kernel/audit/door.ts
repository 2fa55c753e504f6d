export { canonical, type ChainReport, digestOf, seal, verifyChain } from './actions.ts'
export { chains, headOf } from './queries.ts'
