// Who can write a permit (`permits.md` R4; `permits-decisions.md` §1, Draft edit and Who may request): checked again at every step, so that a changed
// role or contractor counts at once.
import { forbidden, permitOwnership, type Verdict } from '../../../base/errors.ts'
import type { Facts } from './facts.ts'

/** Whether the caller is the permit's requestor; a superadmin passes. */
export const owns = (f: Facts): boolean => f.me.is_superadmin || (f.me.id !== null && f.permit.requestor_id === f.me.id)

/** The right to request permits, for this permit's contractor, as the caller has it now; a superadmin passes. */
export function mayRequest(f: Facts): Verdict {
  if (f.me.is_superadmin) return null
  if (!f.me.may_request) return forbidden('permit_request', 'Your role on this site doesn’t let you request permits.')
  if (f.me.within_contractor) return null
  const detail = 'Your membership is for another contractor: you can’t act on this contractor’s requests.'
  return forbidden('permit_request', detail, [{ code: 'contractor_binding', detail }])
}

/** R4: a submit, by the requestor; a membership that names a contractor submits for a contractor, not for none. */
export const ownSubmit = (f: Facts): Verdict =>
  ownWrite(f) ??
  (f.me.contractor_bound && f.permit.contractor_id === null
    ? forbidden('permit_request', 'Choose your contractor on the permit before you submit it.')
    : null)

/** R4: the write of its own requestor, who still has the right to request it. */
export const ownWrite = (f: Facts): Verdict =>
  owns(f) ? mayRequest(f) : permitOwnership('Only the person who requested this permit can do that.')
