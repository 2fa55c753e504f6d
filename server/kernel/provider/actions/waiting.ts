// What a person has shown so far, between two pages: stored under the hash of an id that only their browser has, for ten minutes.
import { later, MINUTE } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { type Id, sha256 } from '../../../base/ids.ts'
import { type AccountRow, accountOfSubject, dropItem, itemBy, keepItem } from '../../accounts/door.ts'

/** `PasswordShown`: the right password, in a sign-in. `FactorOpen`: everything that a sign-in needs, on the page of the second factor. */
type Kind = 'PasswordShown' | 'FactorOpen'

/** `grant`: the session, hashed, that continues when the others end. `factor`: the encrypted secret of the app that is being set up. */
type Kept = { account_id: Id; grant: string | null; factor: string | null }

/** Stores what a person has shown. Everything that ends all of their sessions, such as a new password, also deletes it. */
export const keepWaiting = (house: House, kind: Kind, id: string, kept: Kept): Promise<void> =>
  keepItem(house.database.db, {
    kind,
    id_hash: sha256(id),
    uid_hash: null,
    grant_hash: kept.grant,
    account_id: kept.account_id,
    payload: kept,
    expires_at: later(house.clock.now(), 10 * MINUTE),
  })

/** Returns what a person has shown, with their account; null if it has expired or the account is disabled. */
export async function waitingBy(house: House, kind: Kind, id: string): Promise<(Kept & { account: AccountRow }) | null> {
  const item = await itemBy(house.database.db, 'id_hash', kind, sha256(id), house.clock.now())
  if (item === null) return null
  const kept = item.payload as Kept // made by keepWaiting
  const account = await accountOfSubject(house, kept.account_id)
  return account === null || account.disabled_at !== null ? null : { ...kept, account }
}

/** Deletes what a person has shown, once they are done. */
export async function dropWaiting(house: House, kind: Kind, id: string): Promise<void> {
  await dropItem(house.database.db, kind, sha256(id))
}
