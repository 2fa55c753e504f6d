export { type DeviceKey, deviceKeyOf, deviceKeySecret } from './actions/device-keys.ts'
export { askProvider, ProviderFault } from './actions/external.ts'
export { ACCESS_TOKEN_SECONDS, BUILT_IN, builtInIssuer, type Mint, mintToken, openMint, providerKeys } from './actions/keys.ts'
export { eraseUser, personOf, userOf } from './actions/people.ts'
export { encryptSecrets, platformSecret, SECRET } from './actions/secrets.ts'
export { makeVerifier, signatureFault, type Verifier } from './actions/verifier.ts'
export {
  callsSince,
  changeUser,
  countCall,
  dropOldCalls,
  forgetCalls,
  secretDigests,
  uncountCall,
  usersWithEmail,
} from './queries.ts'
