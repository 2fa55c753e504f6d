// The second factor of an account: an authenticator app, and recovery codes for the day on which its phone is lost.
import { randomBytes } from 'node:crypto'
import { DAY, instant, ms } from '../../../../shared/time.ts'
import { linkActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { decrypted, encrypted } from '../../../base/encrypt.ts'
import { type Id, sha256 } from '../../../base/ids.ts'
import { countCall, forgetCalls, platformSecret, uncountCall } from '../../identity/door.ts'
import type { FactorNews } from '../../mail/domain/words.ts'
import { queueMail } from '../../mail/door.ts'
import { type AccountRow, forgetSteps, NO_FACTOR, saveFactor, takeRecoveryHash, takeStep } from '../queries.ts'
import { newRecoveryCodes, newSecret, recoveryHash, stepOfCode, typedCode } from './codes.ts'
import { recordSignIn } from './record.ts'
import { endSessionsBut } from './sessions.ts'
import { beginTry } from './tries.ts'

/** Wrong codes of the app in a day, after which only a recovery code works: a thief of the password can't guess on for months. */
const WRONG_CODES_A_DAY = 20
/** Wrong codes in a day, with the right password, after which the owner gets an email. */
const SUSPICIOUS = 5

/**
 * Returns the key that encrypts the secrets of authenticator apps. It is in the database, as the keys of the provider are, so that every node and every
 * restored backup can check codes. It is never called within a transaction.
 */
const keyOf = async (house: House): Promise<Buffer> =>
  Buffer.from(String(await platformSecret(house, 'second_factor', async () => randomBytes(32).toString('base64'))), 'base64')

/** Makes the secret of an authenticator app for an account, encrypted. It counts only once `setUpFactor` has seen a code of it. */
export const newFactor = async (house: House, account_id: Id): Promise<string> =>
  encrypted(await keyOf(house), Buffer.from(newSecret()), account_id, house.settings.algorithms.key_cipher)

/** Decrypts the secret of an authenticator app. */
export const secretOf = async (house: House, account_id: Id, factor: string): Promise<string> =>
  decrypted(await keyOf(house), factor, account_id).toString()

const news = (ctx: Ctx, account: AccountRow, what: FactorNews, left?: number): Promise<Id> =>
  queueMail(ctx, 'second_factor', { account_id: account.id, at: ctx.now, what, ...(left === undefined ? {} : { left }) })

const byOwner = <T>(house: House, account: AccountRow, cause: string, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  writing(house, { actor: linkActor(account.name), cause: `account.${cause}` }, work)

/** The outcome of a code that was typed after the right password. `used_up`: too many wrong codes today, so that only a recovery code works. */
export type Shown =
  | { outcome: 'right'; with: 'code' | 'recovery_code' }
  | { outcome: 'wrong' | 'used_up' }
  | { outcome: 'throttled'; wait_seconds: number }

/** Checks a code of the app, or a recovery code, of a person whose password was right. Wrong ones count like wrong passwords. */
export async function checkFactor(house: House, account: AccountRow, given: { code: string; address: string }): Promise<Shown> {
  const who = { account_id: account.id, address: given.address }
  const attempt = await beginTry(house, { account: account.email_key, address: given.address })
  if ('wait_seconds' in attempt) {
    recordSignIn(house, 'sign_in_throttled', { ...who, more: 'after the right password' })
    return { outcome: 'throttled', ...attempt }
  }
  const typed = typedCode(given.code)
  const fits =
    typed.kind === 'code'
      ? await codeFits(house, account, typed.code)
      : typed.kind === 'recovery_code' && (await recoveryFits(house, account, typed.hash))
        ? 'right'
        : 'wrong'
  if (fits !== 'right') {
    recordSignIn(house, 'sign_in_refused', {
      ...who,
      more: fits === 'wrong' ? 'wrong code after the right password' : 'too many wrong codes today',
    })
    return { outcome: fits }
  }
  await attempt.right()
  recordSignIn(house, 'signed_in', { ...who, more: typed.kind === 'code' ? 'password and code' : 'password and recovery code' })
  return { outcome: 'right', with: typed.kind === 'code' ? 'code' : 'recovery_code' }
}

async function codeFits(house: House, account: AccountRow, code: string): Promise<'right' | 'wrong' | 'used_up'> {
  const { db } = house.database
  const [bucket, now] = [`wrong codes ${sha256(account.id)}`, house.clock.now()]
  const today = instant(Math.floor(ms(now) / DAY) * DAY)
  // Counted before the check, as sign-ins are, so that many at once achieve no more than one by one.
  const number = await countCall(db, bucket, today)
  if (number > WRONG_CODES_A_DAY) {
    await uncountCall(db, bucket, today)
    return 'used_up'
  }
  const secret = await secretOf(house, account.id, account.factor_secret ?? '').catch(error => {
    // Another secret was put in its place, or its key was replaced: no code fits, but a recovery code does.
    house.log.error({ err: error, account_id: account.id }, 'second factor can’t be decrypted')
    return null
  })
  const step = secret === null ? null : stepOfCode(secret, code, now)
  if (step !== null && (await takeStep(db, account.id, step))) {
    await forgetCalls(db, bucket)
    return 'right'
  }
  if (number === SUSPICIOUS) await byOwner(house, account, 'wrong_codes', ctx => news(ctx, account, 'wrong_codes'))
  return 'wrong'
}

const recoveryFits = (house: House, account: AccountRow, hash: string): Promise<boolean> =>
  byOwner(house, account, 'use_recovery_code', async ctx => {
    const left = await takeRecoveryHash(ctx.db, account.id, hash)
    if (left === null) return false
    ctx.note(account.id, { reason: 'A recovery code was used to sign in' })
    await news(ctx, account, 'recovery_code', left)
    return true
  })

/**
 * Sets up a second factor, or replaces it, with a code of the new app. Ends every session but one: afterwards, no session is left that began without this
 * factor. Returns the recovery codes, which nobody can see again.
 */
export async function setUpFactor(
  house: House,
  account: AccountRow,
  given: { factor: string; code: string; but_grant: string | null },
): Promise<{ outcome: 'done'; codes: string[] } | { outcome: 'wrong' } | { outcome: 'gone' }> {
  const typed = typedCode(given.code)
  const step = typed.kind === 'code' ? stepOfCode(await secretOf(house, account.id, given.factor), typed.code, house.clock.now()) : null
  if (step === null) return { outcome: 'wrong' }
  const codes = newRecoveryCodes()
  const set = { factor_secret: given.factor, recovery_hashes: codes.map(recoveryHash) }
  const saved = await byOwner(house, account, 'set_up_second_factor', async ctx => {
    if (!(await saveFactor(ctx.db, account, { ...set, factor_since: ctx.now }))) return false
    await forgetSteps(ctx.db, account.id)
    await takeStep(ctx.db, account.id, step)
    await endSessionsBut(ctx.db, account.id, given.but_grant)
    await news(ctx, account, account.factor_secret === null ? 'set_up' : 'replaced')
    return true
  })
  return saved ? { outcome: 'done', codes } : { outcome: 'gone' }
}

/** Replaces the recovery codes, and returns the new ones; null if the second factor was changed meanwhile. */
export async function renewRecoveryCodes(house: House, account: AccountRow): Promise<string[] | null> {
  const codes = newRecoveryCodes()
  const saved = await byOwner(house, account, 'renew_recovery_codes', async ctx => {
    if (account.factor_secret === null || !(await saveFactor(ctx.db, account, { recovery_hashes: codes.map(recoveryHash) }))) return false
    await news(ctx, account, 'new_codes')
    return true
  })
  return saved ? codes : null
}

/** Removes a second factor, ends every session but one, and notifies the person. Returns false if it was changed meanwhile. */
export async function removeFactor(
  ctx: Ctx,
  account: AccountRow,
  how: { but_grant: string | null; what: 'removed' | 'removed_for_you'; reason?: string },
): Promise<boolean> {
  if (account.factor_secret === null || !(await saveFactor(ctx.db, account, NO_FACTOR))) return false
  if (how.reason !== undefined) ctx.note(account.id, { reason: `Second factor removed: ${how.reason}` })
  await forgetSteps(ctx.db, account.id)
  await endSessionsBut(ctx.db, account.id, how.but_grant)
  await news(ctx, account, how.what)
  return true
}

/** Removes the second factor of a person who switches it off. */
export const switchOffFactor = (house: House, account: AccountRow, but_grant: string | null): Promise<boolean> =>
  byOwner(house, account, 'remove_second_factor', ctx => removeFactor(ctx, account, { but_grant, what: 'removed' }))
