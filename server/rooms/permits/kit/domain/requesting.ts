// Who can write a permit (`permits.md` R4; `permits-decisions.md` §1, Draft edit and Who may request). This is checked again at every step, so that a
// changed role or contractor counts immediately.
import { forbidden, permitOwnership, type Verdict } from '../../../../base/errors.ts'
import type { Facts } from './facts.ts'

/** Checks that the caller is the permit's requestor; a superadmin passes. */
export const owns = (f: Facts): boolean => f.me.is_superadmin || (f.me.id !== null && f.permit.requestor_id === f.me.id)

/** Checks that the caller can request permits for this permit's contractor, as of now; a superadmin passes. */
export function mayRequest(f: Facts): Verdict {
  if (f.me.is_superadmin) return null
  if (!f.me.may_request)
    return forbidden(
      'permit_request',
      'Your role on this site doesn’t let you request permits. Ask a site manager or an administrator for another role.',
    )
  if (f.me.within_contractor) return null
  const detail = 'This request is for a contractor that you don’t work for, so you can’t act on it. Ask someone from that contractor.'
  return forbidden('permit_request', detail, [{ code: 'contractor_binding', detail }])
}

/** R4: allows submission by the requestor; if their membership has a contractor, the permit needs a contractor too. */
export const ownSubmit = (f: Facts): Verdict =>
  ownWrite(f) ??
  (f.me.contractor_bound && f.permit.contractor_id === null
    ? forbidden('permit_request', 'Choose your contractor on the permit before you submit it.')
    : null)

/** R4: allows a write by the permit's own requestor, if they can still request it. */
export const ownWrite = (f: Facts): Verdict =>
  owns(f) ? mayRequest(f) : permitOwnership('Only the requestor or a superadmin can edit, submit, withdraw or delete this permit.')
