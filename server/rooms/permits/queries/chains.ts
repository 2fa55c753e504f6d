import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { type SignatureRow, signaturesOf } from './permits.ts'

/** The signatures of one permit with what each covers, in order. */
export const chainRows = (db: Db, site_id: Id, permit_id: Id): Promise<SignatureRow[]> => signaturesOf(db, site_id, [permit_id])
