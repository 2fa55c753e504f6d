import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { dropDevicesOfSessions } from '../../push/door.ts'
import { dropSessions } from '../queries.ts'

/** Ends the sessions of an account except one (a grant, hashed), with the push notifications of their devices. */
export const endSessionsBut = async (db: Db, account_id: Id, grant: string | null): Promise<void> =>
  dropDevicesOfSessions(db, await dropSessions(db, account_id, grant))
