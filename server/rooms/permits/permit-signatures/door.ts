import { part } from '../kit/kinds.ts'

/** A signature as a record. */
export const signature = part('permit_signature', 'Signature')

export { changedSince, contentHash, type Signing, sign } from './actions/sign.ts'
export { signatureFaults } from './actions/verify.ts'
export { signaturesOf, voidSignatures } from './queries.ts'
