import { instant, later, MINUTE, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { sha256 } from '../../../base/ids.ts'
import { callsSince, countCall, forgetCalls, uncountCall } from '../../identity/door.ts'

const WINDOW = 15 * MINUTE
/** Maximum number of failed sign-ins in fifteen minutes, for one account and from one IP address, which a whole site office may share. */
const MOST = { account: 5, address: 50 }

/** The account and the IP address by which failed sign-ins are counted. Only hashes are stored. */
export type Trier = { account: string; address: string }

const bucket = (what: 'account' | 'address', trier: Trier) => `sign-in ${what} ${sha256(trier[what])}`
const minuteOf = (at: number) => instant(Math.floor(at / MINUTE) * MINUTE)

/**
 * Counts an attempt to sign in before the password is checked, so that many attempts at the same time achieve no more than the same attempts one by one, across
 * all nodes. Returns the seconds to wait, or functions for a correct password or code, which isn't counted: `right` also clears the failed attempts before
 * it; `half_right` doesn't, because the person isn't signed in yet.
 */
export async function beginTry(
  house: House,
  trier: Trier,
): Promise<{ wait_seconds: number } | { right(): Promise<void>; half_right(): Promise<void> }> {
  const { db } = house.database
  const now = ms(house.clock.now())
  const counted: string[] = []
  for (const what of ['account', 'address'] as const) {
    const name = bucket(what, trier)
    // The attempt's own number in this minute, not the current count: of many at once, the first ones get through.
    const number = await countCall(db, name, minuteOf(now))
    counted.push(name)
    const { calls, first } = await callsSince(db, name, later(minuteOf(now), MINUTE - WINDOW), minuteOf(now))
    if (calls + number <= MOST[what]) continue
    for (const one of counted) await uncountCall(db, one, minuteOf(now)) // an attempt that is refused here is not a failed sign-in
    return { wait_seconds: Math.max(1, Math.ceil((ms(first ?? minuteOf(now)) + WINDOW - now) / 1000)) }
  }
  return {
    async half_right() {
      for (const one of counted) await uncountCall(db, one, minuteOf(now))
    },
    async right() {
      await forgetCalls(db, bucket('account', trier))
      await uncountCall(db, bucket('address', trier), minuteOf(now))
    },
  }
}

/** Clears the failed sign-ins of an account after its owner has confirmed their address by email. */
export const forgiveTries = (house: House, account: string): Promise<void> =>
  forgetCalls(house.database.db, bucket('account', { account, address: '' }))
