export { ACCESS_TOKEN_SECONDS, builtInIssuer, mintToken, type ProviderKeys, providerKeys } from './actions/keys.ts'
export { personOf } from './actions/people.ts'
export { makeVerifier, type Verifier } from './actions/verifier.ts'
export { callsOf, changeUser, countCall, type UserRow, usersWithEmail } from './queries.ts'
