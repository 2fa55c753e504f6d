import { DAY, later } from '../../../shared/time.ts'
import type { House } from '../../base/ctx.ts'
import { dropOldCalls } from '../identity/door.ts'
import type { Schedule } from '../jobs/door.ts'
import { kind } from '../records/door.ts'
import { dropEnded } from './queries.ts'

/** An account of the built-in provider, as a record of the platform. The hash of its password and its second factor never reach the audit log. */
export const account = kind<{ id: string; name: string }>({
  name: 'account',
  label: row => row.name,
  platform: true,
  secret: ['password_hash', 'factor_secret', 'recovery_hashes'],
  derived: ['email_key'],
  revert: 'access',
})

const purge = async (house: House) => {
  const now = house.clock.now()
  return { ended: await dropEnded(house.database.db, now), counts: await dropOldCalls(house.database.db, later(now, -2 * DAY)) }
}

/** Scheduled jobs of the accounts. */
export const accountSchedules: Schedule[] = [
  {
    kind: 'identity_purge',
    says: 'Deletes expired sessions, codes and emailed tokens, and old rate-limit counts.',
    every_minutes: 10,
    run: purge,
  },
]

export {
  accountBehind,
  accountOf,
  accountOfSubject,
  askForReset,
  askToConfirm,
  claimsOfAccount,
  confirmAddress,
  endSessions,
  eraseAccount,
  faultOfNewPassword,
  keepPassword,
  linkToChoose,
  makeAccount,
  mintAccountToken,
  passwordFacts,
  passwordRight,
  resetPassword,
  type SignIn,
  signIn,
  TOKEN_LIFETIME,
} from './actions/accounts.ts'
export { appUrl, groups } from './actions/codes.ts'
export { devicesOf, signOutDevices, UNUSED } from './actions/devices.ts'
export { checkFactor, newFactor, removeFactor, renewRecoveryCodes, secretOf, setUpFactor, switchOffFactor } from './actions/factors.ts'
export { accountMails } from './actions/mails.ts'
export { hashPassword, passwordFits } from './actions/passwords.ts'
export { recordSignIn } from './actions/record.ts'
export { beginTry } from './actions/tries.ts'
export {
  type AccountRow,
  consumeItem,
  dropGrant,
  dropItem,
  grantOf,
  itemBy,
  keepItem,
  lastUseOf,
  noteUse,
  type SessionRow,
} from './queries.ts'
