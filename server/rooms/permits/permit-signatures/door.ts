export { changedSince, contentHash, type Signing, sign } from './actions/sign.ts'
export { signatureFaults } from './actions/verify.ts'
export { signaturesOf, voidSignatures } from './queries.ts'
