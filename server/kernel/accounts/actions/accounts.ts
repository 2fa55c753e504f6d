import { randomInt } from 'node:crypto'
import { HOUR, later, MINUTE } from '../../../../shared/time.ts'
import { linkActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { type Id, ids, isId, PLATFORM, secretToken, sha256 } from '../../../base/ids.ts'
import { BUILT_IN, userOf } from '../../identity/door.ts'
import { addressKey, queueMail } from '../../mail/door.ts'
import { type PasswordFacts, passwordFault } from '../domain.ts'
import {
  type AccountRow,
  accountById,
  accountByKey,
  accountByToken,
  dropTokens,
  forgetSteps,
  insertAccount,
  insertToken,
  NO_FACTOR,
  saveAccount,
  siteNamesOf,
} from '../queries.ts'
import { commonPasswords, hashPassword, passwordFits } from './passwords.ts'
import { recordSignIn } from './record.ts'
import { endSessionsBut } from './sessions.ts'
import { beginTry, forgiveTries } from './tries.ts'

/** The details of a new account. */
export type NewAccount = {
  email: string
  name: string
  /** From `hashPassword`, computed outside the transaction; null: the person chooses it later through a link in an email. */
  password_hash: string | null
  locale?: string | null
  /** Whether the person has proved that the address is theirs. */
  confirmed: boolean
  must_change_password?: boolean
}

/**
 * Creates an account of the built-in provider, and the user that belongs to it. If the address already has an account, returns that one unchanged.
 */
export async function makeAccount(ctx: Ctx, given: NewAccount): Promise<{ made: boolean; account: AccountRow; user_id: Id }> {
  const email_key = addressKey(given.email)
  const made = await insertAccount(ctx.db, {
    id: ids.next(),
    email: given.email,
    email_key,
    name: given.name,
    locale: given.locale ?? null,
    password_hash: given.password_hash,
    password_changed_at: given.password_hash === null ? null : ctx.now,
    must_change_password: given.must_change_password ?? false,
    email_confirmed_at: given.confirmed ? ctx.now : null,
    disabled_at: null,
    ...NO_FACTOR,
  })
  const account = await accountByKey(ctx.db, email_key)
  if (account === null) throw new Error('The account that was just created is missing.')
  return { made, account, user_id: await userOf(ctx, claimsOfAccount(account)) }
}

/** Returns the claims that tokens make about an account. */
export const claimsOfAccount = (account: AccountRow) => ({
  issuer: BUILT_IN,
  subject: account.id,
  name: account.name,
  email: account.email,
  email_verified: account.email_confirmed_at !== null,
  locale: account.locale,
})

/** Returns the account of an address, in whatever case it is written. */
export const accountOf = (house: House, email: string): Promise<AccountRow | null> => accountByKey(house.database.db, addressKey(email))

/** Returns the account with this `sub`; null if it isn't an account of the built-in provider. */
export const accountOfSubject = async (house: House, subject: string): Promise<AccountRow | null> =>
  isId(subject) ? accountById(house.database.db, subject) : null

/** Returns what a new password of a person is checked against. `sites` are the person's sites, or the site that invites them. */
export const passwordFacts = (house: House, email: string, sites: readonly string[]): PasswordFacts => ({
  shortest: house.settings.password_min_length,
  email,
  sites,
  common: commonPasswords(),
})

/**
 * The outcome of a sign-in. It doesn't show whether the address or the password was wrong. `second_factor`: the person must show it, `set_up`: set one up,
 * before they are signed in.
 */
export type SignIn =
  | { outcome: 'in' | 'unconfirmed' | 'second_factor' | 'set_up'; account: AccountRow }
  | { outcome: 'wrong' }
  | { outcome: 'throttled'; wait_seconds: number }

/** Checks an address and a password, in the same time whether or not the account exists. */
export async function signIn(house: House, who: { email: string; password: string; address: string }): Promise<SignIn> {
  const { address } = who
  const attempt = await beginTry(house, { account: addressKey(who.email), address })
  const account = await accountOf(house, who.email)
  const account_id = account?.id ?? null
  if ('wait_seconds' in attempt) {
    recordSignIn(house, 'sign_in_throttled', { account_id, address })
    return { outcome: 'throttled', ...attempt }
  }
  const fits = await passwordFits(who.password, account?.password_hash ?? null)
  if (account === null || !fits || account.disabled_at !== null) {
    recordSignIn(house, 'sign_in_refused', { account_id, address })
    return { outcome: 'wrong' }
  }
  await passwordRight(attempt, account)
  const [outcome, event] = afterPassword(house, account)
  recordSignIn(house, event, { account_id, address, ...(event === 'signed_in' ? { more: 'password' } : {}) })
  return { outcome, account }
}

/** Takes an attempt with the right password off the count. With a second factor, wrong codes still count, so that the password can't clear them. */
export const passwordRight = (
  attempt: { right(): Promise<void>; half_right(): Promise<void> },
  account: Pick<AccountRow, 'factor_secret'>,
): Promise<void> => (account.factor_secret === null ? attempt.right() : attempt.half_right())

function afterPassword(house: House, account: AccountRow) {
  if (account.email_confirmed_at === null) return ['unconfirmed', 'sign_in_unconfirmed'] as const
  if (account.factor_secret !== null) return ['second_factor', 'second_factor_asked'] as const
  return house.settings.second_factor === 'required' ? (['set_up', 'second_factor_asked'] as const) : (['in', 'signed_in'] as const)
}

/** Purposes of tokens that are sent by email or are part of a page, and how long they are valid. */
export const TOKEN_LIFETIME = { confirm: 48 * HOUR, reset: 60 * MINUTE, choose: 24 * HOUR, devices: 10 * MINUTE } as const
export type Purpose = 'confirm' | 'reset' | 'devices'

/** Creates a token for a purpose: 256 bits, of which only the hash is stored. */
export async function mintAccountToken(house: House, account_id: Id, purpose: Purpose, lifetime: number): Promise<string> {
  const token = secretToken()
  const now = house.clock.now()
  await insertToken(house.database.db, { token_hash: sha256(token), account_id, purpose, made_at: now, expires_at: later(now, lifetime) })
  return token
}

/** Returns the URL of the page where the owner of an account chooses the password, for the person who creates the account and passes the link on. */
export const linkToChoose = async (house: House, account_id: Id): Promise<string> =>
  `${house.settings.public_url}/oidc/reset#${await mintAccountToken(house, account_id, 'reset', TOKEN_LIFETIME.choose)}`

/** Returns the account of an emailed token without using the token up, because mail scanners follow links. */
export const accountBehind = (house: House, token: string, purpose: Purpose): Promise<AccountRow | null> =>
  accountByToken(house.database.db, sha256(token), purpose, house.clock.now(), false)

const owner = (account: AccountRow) => linkActor(account.name)

/** How long the email for a new password is delayed, in milliseconds: so short that nobody notices. */
const RESET_WAITS = { least: 1000, most: 4000 }

/**
 * Queues the email for a new password. If the address has no account, does the same with an unknown recipient. Sending an
 * email takes time only for a known recipient, so it starts some time after the response, and neither this request nor the next can measure it.
 */
export async function askForReset(house: House, email: string): Promise<void> {
  const account = await accountOf(house, email)
  const account_id = account === null || account.disabled_at !== null ? PLATFORM : account.id
  await writing(house, { actor: linkActor('forgotten password'), cause: 'account.forget_password' }, ctx =>
    queueMail(ctx, 'reset_password', { account_id }, PLATFORM, later(ctx.now, randomInt(RESET_WAITS.least, RESET_WAITS.most))),
  )
}

/** Queues the email that confirms an address. */
export const askToConfirm = (house: House, account: AccountRow): Promise<Id> =>
  writing(house, { actor: owner(account), cause: 'account.ask_to_confirm' }, ctx =>
    queueMail(ctx, 'confirm_address', { account_id: account.id }),
  )

/** Confirms an address. It takes the token from the email and the account's password, so that nobody can confirm an address for a stranger. */
export async function confirmAddress(
  house: House,
  given: { token: string; password: string; address: string },
): Promise<{ outcome: 'confirmed' | 'gone' | 'wrong' } | { outcome: 'throttled'; wait_seconds: number }> {
  const account = await accountBehind(house, given.token, 'confirm')
  if (account === null) return { outcome: 'gone' }
  const judged = await signIn(house, { email: account.email, password: given.password, address: given.address })
  if (judged.outcome === 'throttled' || judged.outcome === 'wrong') return judged
  await writing(house, { actor: owner(account), cause: 'account.confirm_address' }, async ctx => {
    await dropTokens(ctx.db, account.id)
    if (account.email_confirmed_at === null) await saveAccount(ctx.db, account.id, { email_confirmed_at: ctx.now })
  })
  return { outcome: 'confirmed' }
}

/** Returns why an account can't have this new password; null if it can. */
export async function faultOfNewPassword(house: House, account: AccountRow, password: string): Promise<string | null> {
  const facts = passwordFacts(house, account.email, await siteNamesOf(house.database.db, BUILT_IN, account.id))
  const fault = passwordFault(password, facts)
  if (fault !== null) return fault
  return account.password_hash !== null && (await passwordFits(password, account.password_hash))
    ? 'must differ from your current password.'
    : null
}

/** Sets a new password through an emailed link. This also confirms the address, ends every session and clears the failed sign-ins. */
export async function resetPassword(
  house: House,
  given: { token: string; password: string },
): Promise<{ outcome: 'changed' | 'gone' } | { outcome: 'refused'; fault: string }> {
  const account = await accountBehind(house, given.token, 'reset')
  if (account === null) return { outcome: 'gone' }
  const fault = await faultOfNewPassword(house, account, given.password)
  if (fault !== null) return { outcome: 'refused', fault }
  const password_hash = await hashPassword(given.password)
  const changed = await writing(house, { actor: owner(account), cause: 'account.reset_password' }, async ctx => {
    const held = await accountByToken(ctx.db, sha256(given.token), 'reset', ctx.now, true)
    if (held === null) return false
    await keepPassword(ctx, held, password_hash, null)
    return true
  })
  if (!changed) return { outcome: 'gone' }
  await forgiveTries(house, account.email_key)
  return { outcome: 'changed' }
}

/** Stores a new password, ends all sessions but one with the push notifications of their devices, and notifies the person. Returns false if the password was changed meanwhile. */
export async function keepPassword(
  ctx: Ctx,
  account: AccountRow,
  password_hash: string,
  but: { grant: string | null; only_with: string } | null,
): Promise<boolean> {
  const set = {
    password_hash,
    password_changed_at: ctx.now,
    must_change_password: false,
    // A password that is set through an emailed link also proves that the address is theirs.
    ...(but === null && account.email_confirmed_at === null ? { email_confirmed_at: ctx.now } : {}),
  }
  if (!(await saveAccount(ctx.db, account.id, set, but?.only_with))) return false
  await dropTokens(ctx.db, account.id)
  await endSessionsBut(ctx.db, account.id, but?.grant ?? null)
  await queueMail(ctx, 'password_changed', { account_id: account.id, at: ctx.now })
  return true
}

/** Signs the owner of an account out everywhere: every session with its refresh tokens. Their access tokens end with the sessions. */
export async function endSessions(ctx: Ctx, account: AccountRow, reason: string): Promise<void> {
  await endSessionsBut(ctx.db, account.id, null)
  ctx.trail.entries.push({
    site_id: PLATFORM,
    entity_type: 'account',
    entity_id: account.id,
    entity_label: account.name,
    note: { action: 'update', reason: `Signed out everywhere: ${reason}` },
  })
}

/** Erases the account of a user of the built-in provider, with its sessions and emailed tokens. Returns its id, if there is one. */
export async function eraseAccount(ctx: Ctx, user: { issuer: string; subject: string }): Promise<Id[]> {
  if (user.issuer !== BUILT_IN) return []
  const account = await accountById(ctx.db, user.subject)
  if (account === null) return []
  const { id } = account
  const gone = `erased-${id}`
  await saveAccount(ctx.db, id, {
    email: gone,
    email_key: gone,
    name: 'Former user',
    locale: null,
    password_hash: null,
    disabled_at: ctx.now,
    ...NO_FACTOR,
  })
  await forgetSteps(ctx.db, id)
  await endSessionsBut(ctx.db, id, null)
  await dropTokens(ctx.db, id)
  return [id]
}
