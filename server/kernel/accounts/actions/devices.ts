// The devices on which a person is signed in.
import { counted } from '../../../../shared/text.ts'
import { DAY, later } from '../../../../shared/time.ts'
import { linkActor } from '../../../base/actor.ts'
import { type House, writing } from '../../../base/ctx.ts'
import { PLATFORM } from '../../../base/ids.ts'
import { dropDevicesOfSessions } from '../../push/door.ts'
import { type AccountRow, dropSession, type SessionRow, sessionsOf } from '../queries.ts'
import { recordSignIn } from './record.ts'

/** A sign-in that isn't used for this long ends, so that a forgotten device doesn't stay signed in (ASVS V7.3.1). */
export const UNUSED = 14 * DAY

/** Lists the devices on which a person is signed in, the last used first. */
export function devicesOf(house: House, account: AccountRow): Promise<SessionRow[]> {
  const now = house.clock.now()
  return sessionsOf(house.database.db, account.id, now, later(now, -UNUSED))
}

/** Signs devices of a person out, and stops their push notifications. Returns how many were still signed in. */
export async function signOutDevices(house: House, account: AccountRow, families: readonly string[]): Promise<number> {
  const ended = await writing(house, { actor: linkActor(account.name), cause: 'account.sign_out_devices' }, async ctx => {
    const gone: { family: string; device: string }[] = []
    for (const family of families.toSorted()) {
      const session = await dropSession(ctx.db, account.id, family)
      if (session !== null) gone.push({ family, device: session.device ?? 'an unnamed device' })
    }
    if (gone.length === 0) return 0
    await dropDevicesOfSessions(
      ctx.db,
      gone.map(one => one.family),
    )
    ctx.trail.entries.push({
      site_id: PLATFORM,
      entity_type: 'account',
      entity_id: account.id,
      entity_label: account.name,
      note: { action: 'update', reason: `Signed out by the person on: ${gone.map(one => one.device).join('; ')}` },
    })
    return gone.length
  })
  if (ended > 0) recordSignIn(house, 'signed_out', { account_id: account.id, address: null, more: `on ${counted(ended, 'device')}` })
  return ended
}
