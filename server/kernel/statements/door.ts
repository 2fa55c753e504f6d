export { publicKeys, rotateKeys, type Signer, signerOf, signingKey } from './actions.ts'
